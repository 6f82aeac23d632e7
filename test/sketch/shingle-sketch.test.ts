import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Random } from '../../src/lib/random.ts';
import { containment, overlapOf, resemblance } from '../../src/sketch/resemblance.ts';
import {
  DEFAULT_SKETCH,
  type ShingleSketch,
  type SketchOptions,
  sketchText,
} from '../../src/sketch/shingle-sketch.ts';
import { keyLimitOf, shingleCount, shingleKeys } from '../../src/text/shingle.ts';
import { readTokens } from '../../src/text/tokens.ts';
import { longTest } from '../long-test.ts';
import { BRODER1997_SKETCH, WHOLE_SKETCH } from './sketch-options.ts';

const SEED = 19970407;

function words(random: Random, count: number, vocabulary = 5000): string[] {
  return Array.from({ length: count }, () => `w${random.below(vocabulary)}`);
}

/** A copy in which every word is another one with probability `rate`. */
function edited(random: Random, text: readonly string[], rate: number): string[] {
  return text.map((word) => (random.below(1_000_000) < rate * 1_000_000 ? `new${random.below(5000)}` : word));
}

function keySetOf(text: string, shingleSize: number): Set<number> {
  const tokens = readTokens(text);
  const keys = new Float64Array(shingleCount(tokens.count, shingleSize));
  shingleKeys(tokens, shingleSize, keys);
  return new Set(keys);
}

test('a sketch is exactly the keys of the page below its limit, ascending', () => {
  const random = new Random(1);
  for (const count of [0, 1, 9, 10, 400, 409, 410, 3000, 30_000, 90_000]) {
    for (const options of [DEFAULT_SKETCH, BRODER1997_SKETCH, WHOLE_SKETCH]) {
      const text = words(random, count).join(' ');
      const sketch = sketchText(text, options);
      const all = keySetOf(text, options.shingleSize);
      assert.equal(sketch.shingleCount, all.size);
      assert.deepEqual(
        sketch.keys,
        Float64Array.from(all)
          .filter((key) => key < sketch.limit)
          .sort(),
      );
    }
  }
});

test('a short page is kept whole, a middling one by its smallest keys, a long one by the printed modulus', () => {
  const random = new Random(2);
  const sizes = (count: number, options: SketchOptions = DEFAULT_SKETCH) => {
    const sketch = sketchText(words(random, count).join(' '), options);
    return { kept: sketch.keys.length, limit: sketch.limit };
  };
  assert.deepEqual(sizes(409), { kept: 400, limit: Infinity });
  const middling = sizes(4000);
  assert.equal(middling.kept, 400);
  assert.ok(middling.limit < keyLimitOf(0));
  assert.equal(sizes(20_000).limit, keyLimitOf(2));
  const long = sizes(100_000);
  assert.ok(long.kept > 3700 && long.kept < 4300, String(long.kept));
  assert.equal(long.limit, keyLimitOf(2));
  assert.equal(sizes(100_000, BRODER1997_SKETCH).limit, keyLimitOf(2));
});

test('order and repetition of passages change the set only at their seams', () => {
  const random = new Random(3);
  const passage = words(random, 200).join(' ');
  const once = sketchText(passage, WHOLE_SKETCH);
  const twice = sketchText(`${passage} ${passage}`, WHOLE_SKETCH);
  assert.equal(twice.shingleCount - once.shingleCount, 9);
  assert.equal(containment(overlapOf(once, twice)).value, 1);
});

test('a page is fully similar to itself, and empty pages to nothing', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 3000 }), (seed, count) => {
      const text = words(new Random(seed), count).join(' ');
      const overlap = overlapOf(sketchText(text), sketchText(text));
      assert.equal(resemblance(overlap).value, 1);
      assert.equal(containment(overlap).value, 1);
    }),
    { seed: SEED, numRuns: 50 },
  );
  const empty = sketchText('');
  assert.deepEqual(resemblance(overlapOf(empty, empty)), { value: 0, standardError: 0 });
  assert.deepEqual(containment(overlapOf(empty, sketchText('a b c'))), { value: 0, standardError: 0 });
});

test('resemblance is symmetric, whatever the two limits', () => {
  const random = new Random(4);
  const short = words(random, 300);
  const long = [...words(random, 30_000), ...short];
  const a = sketchText(short.join(' '));
  const b = sketchText(long.join(' '));
  assert.deepEqual(resemblance(overlapOf(a, b)), resemblance(overlapOf(b, a)));
});

test('whole sketches give the exact figures of the sets', () => {
  const random = new Random(5);
  const original = words(random, 2000);
  const texts = [original.join(' '), edited(random, original, 0.02).join(' ')];
  const [a, b] = texts.map((text) => keySetOf(text, 10)) as [Set<number>, Set<number>];
  const [left, right] = texts.map((text) => sketchText(text, WHOLE_SKETCH)) as [ShingleSketch, ShingleSketch];
  const overlap = overlapOf(left, right);
  const shared = a.intersection(b).size;
  assert.deepEqual(resemblance(overlap), { value: shared / a.union(b).size, standardError: 0 });
  assert.deepEqual(containment(overlap), { value: shared / a.size, standardError: 0 });
});

longTest('estimates are unbiased and as far from the truth as their standard error says', () => {
  const random = new Random(6);
  for (const length of [1500, 25_000]) {
    let bias = 0;
    let squares = 0;
    let far = 0;
    const trials = length === 1500 ? 150 : 30;
    for (let trial = 0; trial < trials; trial++) {
      const original = words(random, length);
      const texts = [original.join(' '), edited(random, original, 0.002 + 0.0015 * (trial % 40)).join(' ')];
      const [a, b] = texts.map((text) => sketchText(text)) as [ShingleSketch, ShingleSketch];
      const [left, right] = texts.map((text) => sketchText(text, WHOLE_SKETCH)) as [
        ShingleSketch,
        ShingleSketch,
      ];
      const estimate = resemblance(overlapOf(a, b));
      const score =
        (estimate.value - resemblance(overlapOf(left, right)).value) / Math.max(estimate.standardError, 1e-9);
      bias += score / trials;
      squares += score ** 2 / trials;
      if (Math.abs(score) > 3) far++;
    }
    assert.ok(Math.abs(bias) < 3 / Math.sqrt(trials), `bias ${bias} at ${length}`);
    assert.ok(squares > 0.5 && squares < 1.6, `mean square ${squares} at ${length}`);
    assert.ok(far <= 0.02 * trials, `${far} beyond three errors at ${length}`);
  }
});

test('containment finds a short page inside a long one and says how far to trust it', () => {
  const random = new Random(8);
  const quoted = words(random, 350);
  const host = [...words(random, 4000), ...quoted, ...words(random, 4000)];
  const a = sketchText(quoted.join(' '));
  const b = sketchText(host.join(' '));
  const inside = containment(overlapOf(a, b));
  assert.equal(inside.value, 1);
  assert.ok(inside.standardError > 0);
  assert.ok(containment(overlapOf(b, a)).value < 0.1);
});
