import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CopyClustering, clusterRoots } from '../../../src/join/copies/copy-clusterings.ts';
import type { CopyPairs } from '../../../src/join/copies/pair-checks.ts';
import { DEFAULT_SHINGLE_JOIN, type ShingleJoinOptions } from '../../../src/join/copies/sketch-comparison.ts';
import { Random } from '../../../src/lib/random.ts';
import { componentsOf } from '../../../src/lib/union-find.ts';
import { overlapOf } from '../../../src/sketch/resemblance.ts';
import { type ShingleSketch, sketchText } from '../../../src/sketch/shingle-sketch.ts';
import { type SketchTable, tableOf } from '../../../src/sketch/sketch-table.ts';
import { superShingles } from '../../../src/sketch/super-shingle.ts';
import { joinShingles } from './in-memory.ts';

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

function pairsOf(table: SketchTable, options: Partial<ShingleJoinOptions>): CopyPairs {
  const { pairs } = joinShingles(table, { ...DEFAULT_SHINGLE_JOIN, ...options });
  return { ...pairs, template: new Uint32Array(pairs.a.length) };
}

const resemblance = (threshold: number): CopyClustering => ({ measure: 'resemblance', threshold });
const contained = (threshold: number): CopyClustering => ({ measure: 'containment', threshold });

/** The slow twin: every pair compared. */
function containedByAll(sketches: readonly ShingleSketch[], threshold: number): string[] {
  const found: string[] = [];
  const reaches = (a: ShingleSketch, b: ShingleSketch) => {
    const { shared, ofA } = overlapOf(a, b);
    const isSmall = ofA < DEFAULT_SHINGLE_JOIN.minimumSample && a.limit > b.limit;
    return shared >= threshold * ofA + (isSmall ? 2 * Math.sqrt(ofA * threshold * (1 - threshold)) : 0);
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
      const { a, b } = pairsOf(tableOf(sketches), { measure: 'containment', threshold });
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
      // Pages that resemble each other are in each other by as much.
      const low = pairsOf(table, { measure: 'containment', threshold: 0.3 });
      for (const clustering of [resemblance(threshold), contained(threshold)]) {
        const own = pairsOf(table, clustering);
        assert.deepEqual(
          clusterRoots(table, [low], [clustering])[0],
          componentsOf(table.pageCount, own.a, own.b),
        );
      }
    }),
    RUNS,
  );
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
