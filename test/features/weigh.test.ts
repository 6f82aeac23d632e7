import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { featureHash } from '../../src/features/feature-hash.ts';
import { type BagRecipe, idf, roundWeights, weighPart } from '../../src/features/weigh.ts';

const MAX_WEIGHT = 255;

const SEED = 20264;

const recipe = (tf: BagRecipe['tf'], total: number, idf: BagRecipe['idf']): BagRecipe => ({
  tf,
  idf,
  total,
  parts: { content: 1 },
  halfAnchorWords: 0,
});

function roundOne(weight: number, featureHash: number): number {
  return roundWeights(Float64Array.of(weight), Uint32Array.of(featureHash), new Uint8Array(1));
}

test('a term frequency is damped by its square root or its power 3/4', () => {
  const weights = (tf: 'sqrt' | 'pow75' | 'given', sum: number) => {
    const out = new Float64Array(3);
    weighPart(
      'content',
      recipe(tf, sum, 'plain'),
      100,
      Uint32Array.of(16, 1, 0),
      Uint32Array.of(5, 5, 5),
      3,
      out,
    );
    return out;
  };
  assert.deepEqual(weights('sqrt', 5), Float64Array.of(4, 1, 0));
  assert.deepEqual(weights('pow75', 9), Float64Array.of(8, 1, 0));
  assert.deepEqual(weights('given', 17), Float64Array.of(16, 1, 0));
});

test('a rarer word weighs more and a word of every page nothing', () => {
  assert.equal(idf(1, 100), Math.log(100));
  assert.ok(idf(2, 100) > idf(3, 100));
  assert.equal(idf(100, 100), 0);
});

test('a part sums to its share', () => {
  const counts = fc.array(fc.tuple(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 999 })), {
    minLength: 1,
    maxLength: 100,
  });
  fc.assert(
    fc.property(counts, fc.constantFrom('sqrt' as const, 'pow75' as const), (terms, scheme) => {
      const out = new Float64Array(terms.length);
      const [tfs, dfs] = [0, 1].map((k) => Uint32Array.from(terms, (term) => term[k]!));
      weighPart('content', recipe(scheme, 260, 'plain'), 1000, tfs!, dfs!, terms.length, out);
      assert.ok(Math.abs(out.reduce((a, b) => a + b) - 260) < 1e-9);
    }),
    { seed: SEED, numRuns: 300 },
  );
});

test('few words around links have little of their share, many have all of it', () => {
  const share = (uses: number, halfAnchorWords: number, part: 'anchor' | 'content' = 'anchor') => {
    const out = new Float64Array(1);
    const parts = { content: 0.25, anchor: 0.25 };
    weighPart(
      part,
      { ...recipe('sqrt', 400, 'plain'), parts, halfAnchorWords },
      9,
      Uint32Array.of(uses),
      Uint32Array.of(3),
      1,
      out,
    );
    return out[0]!;
  };
  for (const [uses, expected] of [
    [20, 50],
    [10, 100 / 17],
    [40, 1600 / 17],
  ] as const)
    assert.ok(Math.abs(share(uses, 20) - expected) < 1e-9, String(uses));
  assert.ok(share(1000, 20) > 99.99);
  assert.deepEqual([share(1, 0), share(1, 20, 'content')], [100, 100]);
});

test('a part of words that every page has weighs nothing', () => {
  const out = Float64Array.of(7, 7, 7);
  weighPart(
    'content',
    recipe('sqrt', 100, 'plain'),
    10,
    Uint32Array.of(3, 1),
    Uint32Array.of(10, 10),
    2,
    out,
  );
  assert.deepEqual([...out], [0, 0, 7]);
});

test('weights are those of the formula', () => {
  const out = new Float64Array(2);
  weighPart(
    'content',
    recipe('sqrt', 100, 'plain'),
    100,
    Uint32Array.of(4, 9),
    Uint32Array.of(10, 50),
    2,
    out,
  );
  const [a, b] = [2 * Math.log(10), 3 * Math.log(2)];
  assert.ok(Math.abs(out[0]! - (100 * a) / (a + b)) < 1e-9);
  assert.ok(Math.abs(out[1]! - (100 * b) / (a + b)) < 1e-9);
});

test('an integer stays, a fraction goes to one of its neighbors, and a byte holds it', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 400, noNaN: true }), fc.nat(0xffffffff), (weight, hash) => {
      const rounded = roundOne(weight, hash);
      assert.ok(rounded >= Math.min(Math.floor(weight), MAX_WEIGHT));
      assert.ok(rounded <= Math.min(Math.ceil(weight), MAX_WEIGHT));
      assert.equal(roundOne(Math.floor(weight), hash), Math.min(Math.floor(weight), MAX_WEIGHT));
    }),
    { seed: SEED, numRuns: 1000 },
  );
});

test('a feature of greater weight never rounds to less, whatever the document', () => {
  const weight = fc.double({ min: 0, max: 5, noNaN: true });
  fc.assert(
    fc.property(weight, weight, fc.nat(0xffffffff), (a, b, hash) => {
      assert.ok(roundOne(Math.min(a, b), hash) <= roundOne(Math.max(a, b), hash));
    }),
    { seed: SEED, numRuns: 1000 },
  );
});

test('over features the expectation of the rounding is the weight itself', () => {
  const n = 40_000;
  const hashes = Uint32Array.from({ length: n }, (_, i) => featureHash('content', `word${i}`));
  for (const fraction of [0.03, 0.25, 0.5, 0.9]) {
    const sum = roundWeights(new Float64Array(n).fill(1 + fraction), hashes, new Uint8Array(n));
    // Binomial(n, fraction), four standard deviations.
    const bound = 4 * Math.sqrt(n * fraction * (1 - fraction));
    assert.ok(Math.abs(sum - n * (1 + fraction)) < bound, `${fraction}: ${sum}`);
  }
});

test('the sum of a long bag is near its total, where rounding to nearest would lose most of it', () => {
  const n = 1000;
  const tfs = Uint32Array.from({ length: n }, (_, i) => 1 + (i % 3));
  const dfs = Uint32Array.from({ length: n }, (_, i) => 2 + ((i * 37) % 900));
  const hashes = Uint32Array.from({ length: n }, (_, i) => featureHash('content', `term${i}`));
  const weights = new Float64Array(n);
  weighPart('content', recipe('pow75', 400, 'flattened'), 3000, tfs, dfs, n, weights);
  const sum = roundWeights(weights, hashes, new Uint8Array(n));
  assert.ok(Math.abs(sum - 400) < 4 * Math.sqrt(n / 4), `${sum}`);
  assert.ok(weights.reduce((total, weight) => total + Math.round(weight), 0) < 300);
});

test('only the first entries of longer arrays are rounded', () => {
  const out = Uint8Array.of(9, 9, 9);
  assert.equal(roundWeights(Float64Array.of(2, 3, 4), new Uint32Array(3), out, 2), 5);
  assert.deepEqual([...out], [2, 3, 9]);
});
