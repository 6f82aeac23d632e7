import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chance, relevanceByLabels, relevanceByPairs } from '../../src/evaluate/relevance.ts';

const LABELS = new Map([
  ['a', new Set(['red', 'round'])],
  ['b', new Set(['red'])],
  ['c', new Set(['round', 'red'])],
  ['d', new Set(['blue'])],
]);

test('a page is relevant to those that share a label with it; of an unlabelled one it is not known', () => {
  const relevance = relevanceByLabels(LABELS);
  assert.deepEqual(
    ['b', 'c', 'd', 'e'].map((page) => relevance.grade('a', page)),
    [1, 1, 0, undefined],
  );
  assert.deepEqual(relevance.queries, ['a', 'b', 'c', 'd']);
});

test('the best list of a page is as long as it has relevant pages, each counted once', () => {
  const relevance = relevanceByLabels(LABELS);
  assert.deepEqual(relevance.best('a', 10), [1, 1]);
  assert.deepEqual(relevance.best('a', 1), [1]);
  assert.deepEqual(relevance.best('d', 10), []);
});

test('chance is the share of the other pages that are relevant', () => {
  assert.equal(chance(LABELS, ['a']), 2 / 3);
  assert.equal(chance(LABELS, ['d']), 0);
  assert.equal(chance(LABELS, ['a', 'd']), 1 / 3);
});

test('a judged pair holds both ways, and the best list is of the greatest grades', () => {
  const relevance = relevanceByPairs([
    { a: 'a', b: 'b', grade: 2 },
    { a: 'c', b: 'a', grade: 3 },
    { a: 'a', b: 'd', grade: 0 },
  ]);
  assert.deepEqual([relevance.grade('a', 'b'), relevance.grade('b', 'a')], [2, 2]);
  assert.deepEqual([relevance.grade('a', 'd'), relevance.grade('b', 'c')], [0, undefined]);
  assert.deepEqual(relevance.best('a', 10), [3, 2]);
  assert.deepEqual(relevance.best('a', 1), [3]);
  assert.deepEqual(relevance.best('d', 1), []);
});
