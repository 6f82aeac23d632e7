import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { judgeLists } from '../../src/evaluate/judge-lists.ts';
import { ndcgAt } from '../../src/evaluate/ndcg.ts';
import { hitAt, precisionAt } from '../../src/evaluate/precision.ts';
import { relevanceByLabels, relevanceByPairs } from '../../src/evaluate/relevance.ts';

const close = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);

test('precision is over k even where the list is shorter, a hit is one relevant page', () => {
  assert.equal(precisionAt([1, 0, 1], 2), 0.5);
  assert.equal(precisionAt([1, 0, 1], 10), 0.2);
  assert.equal(precisionAt([], 10), 0);
  assert.equal(precisionAt([1, 2, 3], 3, 2), 2 / 3);
  assert.deepEqual([hitAt([0, 1], 1), hitAt([0, 1], 2), hitAt([], 5), hitAt([1], 1, 2)], [0, 1, 0, 0]);
});

test('nDCG of a hand-computed list', () => {
  // 3/1 + 0 + 2/2 = 4 against 3/1 + 2/log2(3) + 1/2
  close(ndcgAt([3, 0, 2], [3, 2, 1], 3), 4 / (3.5 + 2 / Math.log2(3)));
  assert.equal(ndcgAt([1, 1], [1, 1], 10), 1);
  assert.ok(Number.isNaN(ndcgAt([], [], 10)));
});

test('nDCG is 1 for the grades in order, never more for another order, and never less when a swap helps', () => {
  const grades = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(grades, fc.integer({ min: 1, max: 8 }), fc.nat(), (list, k, at) => {
      const best = [...list].sort((x, y) => y - x);
      fc.pre(best[0]! > 0);
      close(ndcgAt(best, best, k), 1);
      const value = ndcgAt(list, best, k);
      assert.ok(value >= 0 && value <= 1 + 1e-12);
      const i = at % (list.length - 1);
      if (list[i]! >= list[i + 1]!) return;
      const better = list.with(i, list[i + 1]!).with(i + 1, list[i]!);
      assert.ok(ndcgAt(better, best, k) >= value - 1e-12);
    }),
    { seed: 4, numRuns: 200 },
  );
});

const LABELS = new Map([
  ['a', new Set(['red'])],
  ['b', new Set(['red'])],
  ['c', new Set(['red'])],
  ['d', new Set(['blue'])],
]);
const LISTS = new Map([
  ['a', ['unknown', 'b', 'd', 'c']],
  ['d', ['a']],
]);

test('an unjudged page takes a place as not relevant, and none in the second figures', () => {
  const [at2] = judgeLists((page) => LISTS.get(page) ?? [], relevanceByLabels(LABELS), ['a'], { at: [2] });
  assert.deepEqual([at2!.precision, at2!.hit, at2!.full], [0.5, 1, 1]);
  close(at2!.ndcg, 1 / Math.log2(3) / (1 + 1 / Math.log2(3)));
  assert.deepEqual([at2!.judged.precision, at2!.judged.hit], [0.5, 1]);
  close(at2!.judged.ndcg, 1 / (1 + 1 / Math.log2(3)));
});

test('queries without an answer fail; nDCG is over those that have a relevant page', () => {
  const queries = ['a', 'b', 'd'];
  const [at1, at4] = judgeLists((page) => LISTS.get(page) ?? [], relevanceByLabels(LABELS), queries, {
    at: [1, 4],
  });
  assert.deepEqual([at1!.k, at1!.precision, at1!.hit, at1!.ndcg], [1, 0, 0, 0]);
  assert.equal(at1!.full, 2 / 3);
  // a: b, d, c; d: a.
  assert.deepEqual([at1!.judgedShare, at4!.judgedShare], [2 / 3, 4 / 12]);
  close(at4!.precision, 2 / 4 / 3);
  // ranks 2 and 4 of a, nothing of b; d has no relevant page
  close(at4!.ndcg, (1 / Math.log2(3) + 1 / Math.log2(5)) / (1 + 1 / Math.log2(3)) / 2);
});

test('grades below the least relevant one count for nDCG alone', () => {
  const relevance = relevanceByPairs([{ a: 'a', b: 'b', grade: 1 }]);
  const judged = (relevantFrom: number) =>
    judgeLists(() => ['b'], relevance, ['a'], { at: [1], relevantFrom })[0]!;
  assert.deepEqual([judged(1).precision, judged(1).ndcg], [1, 1]);
  assert.deepEqual([judged(2).precision, judged(2).ndcg], [0, 1]);
});
