import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  DEFAULT_SHINGLE_JOIN,
  reachesThreshold,
  type ShingleJoinOptions,
} from '../../../src/join/copies/sketch-comparison.ts';
import { Random } from '../../../src/lib/random.ts';
import { componentsOf } from '../../../src/lib/union-find.ts';
import { containment, overlapOf, resemblance } from '../../../src/sketch/resemblance.ts';
import { type ShingleSketch, sketchText } from '../../../src/sketch/shingle-sketch.ts';
import { tableOf } from '../../../src/sketch/sketch-table.ts';
import { longTest } from '../../long-test.ts';
import { joinShingles } from './in-memory.ts';

const SEED = 19970407;

/** Families of pages: each an original and copies with more and more words changed. */
function pages(seed: number, familyCount: number, size: number): string[] {
  const random = new Random(seed);
  const texts: string[] = [];
  for (let family = 0; family < familyCount; family++) {
    const length = 20 + random.below(1500);
    const original = Array.from({ length }, () => `w${random.below(3000)}`);
    for (let copy = 0; copy < size; copy++) {
      texts.push(
        original.map((word) => (random.below(1000) < 10 * copy ? `v${random.below(3000)}` : word)).join(' '),
      );
    }
  }
  return texts;
}

/** The slow twin: every pair compared. */
function allPairs(sketches: readonly ShingleSketch[], options: ShingleJoinOptions): string[] {
  const found: string[] = [];
  for (const [a, left] of sketches.entries()) {
    for (let b = a + 1; b < sketches.length; b++) {
      const overlap = overlapOf(left, sketches[b]!);
      const back = overlapOf(sketches[b]!, left);
      const value =
        options.measure === 'resemblance'
          ? resemblance(overlap).value
          : Math.max(containment(overlap).value, containment(back).value);
      if (value >= options.threshold && overlap.shared > 0) {
        found.push([a, b, overlap.shared, overlap.ofA, overlap.ofB].join(' '));
      }
    }
  }
  return found;
}

function joined(sketches: readonly ShingleSketch[], options: ShingleJoinOptions): string[] {
  const { pairs } = joinShingles(tableOf(sketches), options);
  return Array.from(pairs.a, (a, i) =>
    [a, pairs.b[i], pairs.shared[i], pairs.ofA[i], pairs.ofB[i]].join(' '),
  );
}

test('the join finds the pairs that comparing all with all finds', () => {
  let pairCount = 0;
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(0.3, 0.5, 0.9), (seed, threshold) => {
      const sketches = pages(seed, 6, 5).map((text) => sketchText(text));
      const options = { ...DEFAULT_SHINGLE_JOIN, threshold };
      const expected = allPairs(sketches, options);
      assert.deepEqual(joined(sketches, options), expected);
      pairCount += expected.length;
    }),
    { seed: SEED, numRuns: 15 },
  );
  assert.ok(pairCount > 200, String(pairCount));
});

test('a search by containment finds the part in the whole, which a search by resemblance does not', () => {
  const random = new Random(3);
  const part = Array.from({ length: 350 }, () => `w${random.below(3000)}`);
  const whole = [...part, ...Array.from({ length: 3000 }, () => `w${random.below(3000)}`)];
  const other = Array.from({ length: 900 }, () => `w${random.below(3000)}`);
  const sketches = [whole, other, part].map((words) => sketchText(words.join(' ')));
  const options = DEFAULT_SHINGLE_JOIN;
  assert.deepEqual(joined(sketches, options), []);
  const contained = joined(sketches, { ...options, measure: 'containment', threshold: 0.9 });
  assert.deepEqual(contained, allPairs(sketches, { ...options, measure: 'containment', threshold: 0.9 }));
  assert.equal(contained.length, 1);
  assert.ok(contained[0]!.startsWith('0 2 '));
});

test('of a small sample a containment must be two standard errors above the threshold', () => {
  const options = { measure: 'containment', threshold: 0.5, minimumSample: 10 } as const;
  const reaches = (shared: number, ofA: number) =>
    reachesThreshold({ shared, ofA, ofB: 500, limitOfA: 2, limitOfB: 1 }, options);
  assert.deepEqual(
    [reaches(3, 3), reaches(4, 4), reaches(6, 7), reaches(7, 7), reaches(8, 9), reaches(5, 10)],
    [false, true, false, true, true, true],
  );
  // All that the page has is no sample.
  assert.ok(reachesThreshold({ shared: 2, ofA: 3, ofB: 500, limitOfA: 1, limitOfB: 1 }, options));
});

test('a passage of 400 words is found in a page of 20,000', () => {
  const random = new Random(4);
  const whole = Array.from({ length: 20_000 }, () => `w${random.below(9000)}`);
  let found = 0;
  for (let run = 0; run < 30; run++) {
    const at = random.below(19_600);
    const sketches = [whole, whole.slice(at, at + 400)].map((words) => sketchText(words.join(' ')));
    found += joined(sketches, { ...DEFAULT_SHINGLE_JOIN, measure: 'containment' }).length;
  }
  assert.ok(found >= 29, String(found));
});

test('the order of pages changes nothing', () => {
  const texts = pages(11, 8, 4);
  const sketches = texts.map((text) => sketchText(text));
  const random = new Random(12);
  const order = texts
    .map((_, page) => page)
    .sort((a, b) => ((a * 7919) % 32) - ((b * 7919) % 32) || random.below(3) - 1);
  const plain = joined(sketches, DEFAULT_SHINGLE_JOIN).map((line) => line.split(' ').map(Number));
  const shuffled = joined(
    order.map((page) => sketches[page]!),
    DEFAULT_SHINGLE_JOIN,
  ).map((line) => line.split(' ').map(Number));
  const named = shuffled.map(([a, b, shared, ofA, ofB]) => {
    const [left, right] = [order[a!]!, order[b!]!];
    return left < right ? [left, right, shared, ofA, ofB] : [right, left, shared, ofB, ofA];
  });
  named.sort((x, y) => x[0]! - y[0]! || x[1]! - y[1]!);
  assert.ok(plain.length > 10);
  assert.deepEqual(named, plain);
});

longTest('pages of a crowded shingle meet those next to them, and are one component', () => {
  const sentence = 'this very sentence stands on each and every page of it';
  const texts = Array.from({ length: 1200 }, (_, i) => `${sentence} x${i} y${i}`);
  const table = tableOf(texts.map((text) => sketchText(text)));
  const options = { ...DEFAULT_SHINGLE_JOIN, threshold: 0.1, maxPagesPerShingle: 1199 };
  const { pairs, report } = joinShingles(table, options);
  assert.equal(report.entryCount, 4800);
  assert.equal(report.crowdedShingleCount, 2);
  assert.equal(report.crowdedEntryCount, 2400);
  assert.equal(report.crowdedPageCount, 1200);
  const near = new Uint32Array(1200);
  for (const column of [pairs.a, pairs.b]) for (const page of column) near[page]!++;
  assert.ok(Math.min(...near) >= 127, `each meets ${Math.min(...near)} at least`);
  assert.ok(pairs.a.length < (1200 * 384) / 2, 'and not all of them');
  assert.equal(new Set(componentsOf(1200, pairs.a, pairs.b)).size, 1);
  const all = joinShingles(table, { ...options, maxPagesPerShingle: 1200 });
  assert.equal(all.pairs.a.length, (1200 * 1199) / 2);
  assert.equal(all.report.crowdedPageCount, 0);
});

test('no pages, and pages without a shingle, give no pairs', () => {
  assert.equal(joinShingles(tableOf([])).pairs.a.length, 0);
  assert.equal(joinShingles(tableOf([sketchText(''), sketchText('')])).pairs.a.length, 0);
});
