import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measuredRecall } from '../../../src/join/pairs/measured-recall.ts';
import { Random } from '../../../src/lib/random.ts';
import { longTest } from '../../long-test.ts';

/** Pages with 0 to 10 neighbors each; a hard page misses half of them, an easy one few: misses come together. */
function pagesOf(random: Random, pageCount: number) {
  return Array.from({ length: pageCount }, () => {
    const wanted = random.below(11);
    const share = random.below(1000) < 100 ? 0.5 : 0.02;
    let held = wanted;
    for (let i = 0; i < wanted; i++) if (random.below(1000) < 1000 * share) held--;
    return { wanted, held };
  });
}

longTest('the interval holds the recall of all pages in 95 of 100 samples', () => {
  const random = new Random(5);
  const pages = pagesOf(random, 4000);
  const sums = pages.reduce((sum, { wanted, held }) => ({ w: sum.w + wanted, h: sum.h + held }), {
    w: 0,
    h: 0,
  });
  const truth = sums.h / sums.w;
  for (const sampleCount of [200, 1024, 3000]) {
    let holds = 0;
    let width = 0;
    for (let trial = 0; trial < 1000; trial++) {
      for (let i = 0; i < sampleCount; i++) {
        const drawn = i + random.below(pages.length - i);
        [pages[i], pages[drawn]] = [pages[drawn]!, pages[i]!];
      }
      const sample = pages.slice(0, sampleCount);
      const measured = measuredRecall(
        sample.map(({ wanted }) => wanted),
        sample.map(({ held }) => held),
        pages.length,
      );
      if (measured.recallLow <= truth && truth <= measured.recallHigh) holds++;
      width += (measured.recallHigh - measured.recallLow) / 1000;
    }
    // Binomial(1000, .95) leaves 928 .. 970 one time in a thousand.
    assert.ok(holds >= 925 && holds <= 972, `${holds} of 1000 with ${sampleCount} pages`);
    assert.ok(width < 0.9 / Math.sqrt(sampleCount), `${width} wide with ${sampleCount} pages`);
  }
});

test('all pages sampled leave no doubt, none missed leaves some, none wanted is full recall', () => {
  const { recall, recallLow, recallHigh } = measuredRecall([10, 10], [9, 8], 2);
  assert.deepEqual([recall, recallLow, recallHigh], [0.85, 0.85, 0.85]);
  const whole = measuredRecall(Array(100).fill(10), Array(100).fill(10), 1e6);
  // The exact interval of 1000 independent units of 1000 begins at .025^(1/1000) = .99632 (Clopper, Pearson).
  assert.ok(whole.recallLow < 0.99632 && whole.recallLow > 0.996 && whole.recallHigh === 1);
  assert.deepEqual(measuredRecall([0, 0], [0, 0], 9), {
    recall: 1,
    recallLow: 1,
    recallHigh: 1,
    sampleCount: 2,
  });
});
