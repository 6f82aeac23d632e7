import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../src/lib/random.ts';
import { containment, overlapOf, resemblance, resemblanceFrom } from '../../src/sketch/resemblance.ts';
import { type ShingleSketch, type SketchOptions, sketchText } from '../../src/sketch/shingle-sketch.ts';
import { shingleCount, shingleKeys } from '../../src/text/shingle.ts';
import { readTokens } from '../../src/text/tokens.ts';
import { longTest } from '../long-test.ts';
import { WHOLE_SKETCH } from './sketch-options.ts';

const PERMUTATIONS = 200;
/** One word a shingle: the resemblance of two texts is that of their sets of words. */
const CS276: SketchOptions = { shingleSize: 1, minimum: 0, permutations: PERMUTATIONS };

const sketchOf = (words: readonly string[]) => sketchText(words.join(' '), CS276);

/** Words that no other text has. */
function fresh(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => `w${random.below(2 ** 31)}x${random.below(2 ** 31)}`);
}

/** The printed method, with the permutations of 64-bit numbers written out in BigInt. */
function leastValues(text: string): bigint[] {
  const mix = (x: bigint) => {
    let h = x & 0xffffffffn;
    h = ((h ^ (h >> 16n)) * 0x85ebca6bn) & 0xffffffffn;
    h = ((h ^ (h >> 13n)) * 0xc2b2ae35n) & 0xffffffffn;
    return h ^ (h >> 16n);
  };
  const tokens = readTokens(text);
  const keys = new Float64Array(shingleCount(tokens.count, 1));
  shingleKeys(tokens, 1, keys);
  return Array.from({ length: PERMUTATIONS }, (_, i) => {
    const values = Array.from(keys, (key) => {
      const [upper, lower] = [BigInt(key) >> 32n, BigInt(key) & 0xffffffffn];
      const high = upper ^ mix(lower + BigInt(i) * 0x9e3779b1n);
      return (high << 32n) | (lower ^ mix(high + BigInt(i)));
    });
    return values.reduce((least, value) => (value < least ? value : least));
  });
}

test('a key is its slot and the least value under its permutation', () => {
  const words = fresh(new Random(1), 57);
  const { keys } = sketchOf(words);
  const expected = leastValues(words.join(' ')).map((least, slot) => (BigInt(slot) << 36n) | (least >> 28n));
  assert.deepEqual(Array.from(keys, BigInt), expected);
});

longTest('agreement estimates resemblance and containment, as exactly as its standard error says', () => {
  const random = new Random(2);
  for (const [both, onlyA, onlyB] of [
    [400, 50, 50],
    [300, 0, 700],
    [60, 20, 20],
    [500, 500, 0],
  ] as const) {
    const [r, c] = [both / (both + onlyA + onlyB), both / (both + onlyA)];
    const found = Array.from({ length: 60 }, () => {
      const common = fresh(random, both);
      const [a, b] = [fresh(random, onlyA), fresh(random, onlyB)].map((own) => sketchOf([...common, ...own]));
      const overlap = overlapOf(a!, b!);
      assert.equal(resemblanceFrom(a!, b!, 0), resemblance(overlap).value);
      return { ...resemblance(overlap), inB: containment(overlap).value };
    });
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const error = Math.sqrt((r * (1 - r)) / PERMUTATIONS);
    const tolerance = (4 * error) / Math.sqrt(found.length);
    assert.ok(Math.abs(mean(found.map(({ value }) => value)) - r) < tolerance, `resemblance ${r}`);
    assert.ok(Math.abs(mean(found.map(({ inB }) => inB)) - c) < 2 * tolerance + 0.003, `containment ${c}`);
    assert.ok(Math.abs(mean(found.map(({ standardError }) => standardError)) / error - 1) < 0.1);
  }
});

test('a whole sketch is compared by its permutations, and an empty one with nothing', () => {
  const random = new Random(3);
  const words = fresh(random, 300);
  const whole = sketchText(words.join(' '), { ...WHOLE_SKETCH, shingleSize: 1 });
  const of = (a: ShingleSketch, b: ShingleSketch) => resemblance(overlapOf(a, b)).value;
  assert.equal(of(whole, sketchOf(words)), 1);
  assert.equal(of(sketchOf(words), whole), 1);
  assert.equal(of(sketchOf([]), sketchOf(words)), 0);
  assert.equal(of(sketchOf(fresh(random, 300)), sketchOf(words)), 0);
  assert.deepEqual(sketchOf([]), sketchText('', { ...WHOLE_SKETCH, shingleSize: 1 }));
});
