import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { documentBag, type FeatureStatistics } from '../../src/features/document-bag.ts';
import { featureHash } from '../../src/features/feature-hash.ts';
import { type Part, partNames } from '../../src/features/parts.ts';
import { type BagRecipe, roundWeights, weighPart } from '../../src/features/weigh.ts';

const SEED = 20265;
const STEMS = Array.from({ length: 60 }, (_, i) => `stem${i}`);
const RECIPE: BagRecipe = {
  halfAnchorWords: 20,
  parts: { content: 0.65, title: 0.1, anchor: 0.25 },
  total: 400,
  tf: 'pow75',
  idf: 'flattened',
};
const PARTS = partNames(RECIPE.parts) as ('content' | 'title' | 'anchor')[];
const PAGE_TOTAL: Partial<Record<Part, number>> = { content: 1000, title: 900, anchor: 400 };

/** A vocabulary of both a content and a title word for each stem but the last ten; no anchor for odd ones. */
const FEATURES = new Map<string, FeatureStatistics>();
for (const [i, stem] of STEMS.slice(0, 50).entries()) {
  FEATURES.set(`content ${stem}`, { id: 2 * i, pageCount: 2 + 5 * i });
  FEATURES.set(`title ${stem}`, { id: 2 * i + 1, pageCount: 2 + i });
  if (i % 2 === 0) FEATURES.set(`anchor ${stem}`, { id: 1000 + i, pageCount: 3 + i });
}
const lookup = (part: Part, stem: string) => FEATURES.get(`${part} ${stem}`);
const partPageCount = (part: Part) => PAGE_TOTAL[part]!;

const anyCounts = fc
  .array(fc.tuple(fc.constantFrom(...STEMS), fc.integer({ min: 1, max: 40 })), { maxLength: 60 })
  .map((entries) => new Map(entries));
const anyParts = fc.record({ content: anyCounts, title: anyCounts, anchor: anyCounts });

test('features ascend, weights are 1 to 255 and the sum is theirs', () => {
  fc.assert(
    fc.property(anyParts, (counts) => {
      const bag = documentBag(counts, lookup, partPageCount, RECIPE);
      assert.equal(bag.features.length, bag.weights.length);
      for (let i = 0; i < bag.features.length; i++) {
        assert.ok(bag.weights[i]! > 0);
        if (i > 0) assert.ok(bag.features[i]! > bag.features[i - 1]!);
      }
      assert.equal(
        bag.sum,
        bag.weights.reduce((a, b) => a + b, 0),
      );
    }),
    { seed: SEED, numRuns: 300 },
  );
});

test('the order in which words were counted does not matter', () => {
  fc.assert(
    fc.property(anyParts, (counts) => {
      const reversed = Object.fromEntries(PARTS.map((part) => [part, new Map([...counts[part]].reverse())]));
      const bags = [counts, reversed].map((each) => documentBag(each, lookup, partPageCount, RECIPE));
      assert.deepEqual(bags[0], bags[1]);
    }),
    { seed: SEED, numRuns: 200 },
  );
});

test('the bag is, to the bit, what weighing the rows of an index by feature id gives', () => {
  fc.assert(
    fc.property(anyParts, (counts) => {
      const expected = new Map<number, number>();
      const isRead = [...counts.content.keys()].some((stem) => lookup('content', stem) !== undefined);
      for (const part of PARTS) {
        const rows = [...counts[part]]
          .flatMap(([stem, tf]) => (lookup(part, stem) ? [{ ...lookup(part, stem)!, stem, tf }] : []))
          .sort((a, b) => a.id - b.id);
        // One buffer for all pages, longer than any of them.
        const weights = new Float64Array(200);
        const rounded = new Uint8Array(200);
        weighPart(
          part,
          isRead ? RECIPE : { ...RECIPE, halfAnchorWords: 0 },
          PAGE_TOTAL[part]!,
          Uint32Array.from(rows, (row) => row.tf),
          Uint32Array.from(rows, (row) => row.pageCount),
          rows.length,
          weights,
        );
        const hashes = Uint32Array.from(rows, (row) => featureHash(part, row.stem));
        roundWeights(weights, hashes, rounded, rows.length);
        for (const [i, row] of rows.entries()) if (rounded[i]! > 0) expected.set(row.id, rounded[i]!);
      }
      const bag = documentBag(counts, lookup, partPageCount, RECIPE);
      const got = [...bag.features].map((feature, i) => [feature, bag.weights[i]!]);
      assert.deepEqual(
        got,
        [...expected].sort((a, b) => a[0] - b[0]),
      );
    }),
    { seed: SEED, numRuns: 300 },
  );
});

test('unknown words change nothing', () => {
  const known = new Map([
    ['stem1', 3],
    ['stem2', 1],
  ]);
  const bag = documentBag({ content: known }, lookup, partPageCount, RECIPE);
  const with2 = documentBag({ content: new Map([...known, ['unheard', 50]]) }, lookup, partPageCount, RECIPE);
  assert.ok(bag.sum > 0);
  assert.deepEqual(with2, bag);
});

test('a part outside the recipe gives no features, and an empty part leaves its share unused', () => {
  const counts = new Map(STEMS.slice(0, 40).map((stem) => [stem, 2]));
  const content = documentBag({ content: counts, title: counts }, lookup, partPageCount, {
    parts: { content: 1 },
    total: 100,
    halfAnchorWords: 0,
    tf: 'sqrt',
    idf: 'plain',
  });
  assert.ok([...content.features].every((feature) => feature % 2 === 0));
  assert.ok(Math.abs(content.sum - 100) < 15, `${content.sum}`);
  const partial = documentBag({ content: counts }, lookup, partPageCount, RECIPE);
  assert.ok(Math.abs(partial.sum - 260) < 15, `${partial.sum}`);
});

test('a document without known words has an empty bag', () => {
  const bag = documentBag({ content: new Map([['unheard', 1]]) }, lookup, partPageCount, RECIPE);
  assert.deepEqual([bag.features.length, bag.weights.length, bag.sum], [0, 0, 0]);
});
