import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type CopyClustering,
  clusterRoots,
  containedPairs,
} from '../../../src/join/copies/copy-clusterings.ts';
import { DEFAULT_SHINGLE_JOIN, joinShingles } from '../../../src/join/copies/shingle-join.ts';
import { Random } from '../../../src/lib/random.ts';
import { componentsOf } from '../../../src/lib/union-find.ts';
import { overlapOf } from '../../../src/sketch/resemblance.ts';
import { type ShingleSketch, sketchText } from '../../../src/sketch/shingle-sketch.ts';
import { tableOf } from '../../../src/sketch/sketch-table.ts';
import { superShingles } from '../../../src/sketch/super-shingle.ts';

const RUNS = { seed: 19970407, numRuns: 12 };

/** Originals, copies of them with words changed, and excerpts of any length. */
function sketchesOf(seed: number): ShingleSketch[] {
  const random = new Random(seed);
  return Array.from({ length: 6 }, () => {
    const words = Array.from({ length: 20 + random.below(1500) }, () => `w${random.below(3000)}`);
    const edited = (share: number) => words.map((word) => (random.below(1000) < share ? 'v' : word));
    const first = random.below(words.length);
    const excerpt = words.slice(first, first + 1 + random.below(words.length - first));
    return [words, edited(5), edited(40), excerpt].map((all) => sketchText(all.join(' ')));
  }).flat();
}

const siteOfPage = new Uint32Array(24);
const resemblance = (threshold: number): CopyClustering => ({ measure: 'resemblance', threshold });
const contained = (threshold: number): CopyClustering => ({ measure: 'containment', threshold });

/** The slow twin: every pair compared. */
function containedByAll(sketches: readonly ShingleSketch[], threshold: number): string[] {
  const found: string[] = [];
  const reaches = (a: ShingleSketch, b: ShingleSketch) => {
    const { shared, ofA } = overlapOf(a, b);
    return shared >= threshold * ofA && (ofA >= DEFAULT_SHINGLE_JOIN.minimumSample || a.limit <= b.limit);
  };
  for (const [a, left] of sketches.entries()) {
    for (const [b, right] of sketches.entries()) {
      if (a >= b || overlapOf(left, right).shared === 0) continue;
      if (reaches(left, right) || reaches(right, left)) found.push(`${a} ${b}`);
    }
  }
  return found;
}

test('pairs of containment are those that comparing all with all finds', () => {
  let pairCount = 0;
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(0.5, 0.8, 1), (seed, threshold) => {
      const sketches = sketchesOf(seed);
      const clusterings = [contained(threshold), resemblance(0.5)];
      const { a, b } = containedPairs(tableOf(sketches), { siteOfPage }, DEFAULT_SHINGLE_JOIN, clusterings);
      const expected = containedByAll(sketches, threshold);
      assert.deepEqual(
        Array.from(a, (one, i) => `${one} ${b[i]}`),
        expected,
      );
      pairCount += expected.length;
    }),
    RUNS,
  );
  assert.ok(pairCount > 50, String(pairCount));
});

test('a clustering of pairs from a lower threshold is that of the pairs at its own', () => {
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(0.5, 0.7, 0.95), (seed, threshold) => {
      const table = tableOf(sketchesOf(seed));
      const { pairs } = joinShingles(table, { ...DEFAULT_SHINGLE_JOIN, threshold });
      const { pairs: low } = joinShingles(table, { ...DEFAULT_SHINGLE_JOIN, threshold: 0.3 });
      assert.deepEqual(
        clusterRoots(table, low, resemblance(threshold)),
        componentsOf(table.pageCount, pairs.a, pairs.b),
      );
      const all = [contained(0.4), contained(threshold)];
      const wide = containedPairs(table, { siteOfPage }, DEFAULT_SHINGLE_JOIN, all);
      const own = containedPairs(table, { siteOfPage }, DEFAULT_SHINGLE_JOIN, [contained(threshold)]);
      assert.deepEqual(
        clusterRoots(table, wide, contained(threshold)),
        componentsOf(table.pageCount, own.a, own.b),
      );
    }),
    RUNS,
  );
});

test('no clustering by containment, no pair of it', () => {
  const table = tableOf(sketchesOf(1));
  const { a } = containedPairs(table, { siteOfPage }, DEFAULT_SHINGLE_JOIN, [resemblance(0.5)]);
  assert.equal(a.length, 0);
});

test('a join by super shingles finds the pairs that share one, and no other', () => {
  let pairCount = 0;
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const sketches = sketchesOf(seed);
      const supers = sketches.map((sketch) => new Set(superShingles(sketch)));
      const table = tableOf(sketches);
      const { pairs: all } = joinShingles(table, DEFAULT_SHINGLE_JOIN);
      const { pairs } = joinShingles(table, { ...DEFAULT_SHINGLE_JOIN, by: 'super-shingles' });
      const expected = Array.from(all.a, (a, i) => [a, all.b[i]!, all.shared[i]!]).filter(
        ([a, b]) => !supers[a!]!.isDisjointFrom(supers[b!]!),
      );
      assert.deepEqual(
        Array.from(pairs.a, (a, i) => [a, pairs.b[i]!, pairs.shared[i]!]),
        expected,
      );
      pairCount += expected.length;
    }),
    RUNS,
  );
  assert.ok(pairCount > 20, String(pairCount));
});
