import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../src/lib/random.ts';
import { sketchText } from '../../src/sketch/shingle-sketch.ts';
import { superShingles } from '../../src/sketch/super-shingle.ts';
import { longTest } from '../long-test.ts';

/** Share of pairs, of 200, that have a super shingle in common after one word in `every` was changed. */
function hitRate(every: number, wordCount: number): number {
  const random = new Random(every);
  let hits = 0;
  for (let trial = 0; trial < 200; trial++) {
    const text = Array.from({ length: wordCount }, () => `w${random.below(9000)}`);
    const copy = text.map((word) => (random.below(every) === 0 ? `v${random.below(9000)}` : word));
    const a = new Set(superShingles(sketchText(text.join(' '))));
    if (superShingles(sketchText(copy.join(' '))).some((value) => a.has(value))) hits++;
  }
  return hits / 200;
}

longTest('near copies share a super shingle, pages of low resemblance do not', () => {
  // One word in 2000, 100, 10: resemblance .99, .82, .22.
  const [near, middling, far] = [hitRate(2000, 2000), hitRate(100, 2000), hitRate(10, 2000)];
  assert.ok(near > 0.97, String(near));
  assert.ok(middling < near && middling > far, String(middling));
  assert.ok(far < 0.02, String(far));
});

test('a page of too few shingles has none: the first of its limits', () => {
  assert.equal(superShingles(sketchText('a page of only eleven words, or is it ten?')).length, 0);
});

test('a page inside a longer one shares none: the second of its limits', () => {
  const random = new Random(9);
  const inner = Array.from({ length: 1000 }, () => `w${random.below(9000)}`);
  const outer = [...inner, ...Array.from({ length: 9000 }, () => `w${random.below(9000)}`)];
  const a = new Set(superShingles(sketchText(inner.join(' '))));
  assert.ok(!superShingles(sketchText(outer.join(' '))).some((value) => a.has(value)));
});
