import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelClusters } from '../../src/cluster/label.ts';
import { matrixOf, randomMatrix } from '../join/bags.ts';

function labelsOf(...args: Parameters<typeof labelClusters>): Map<number, Uint32Array> {
  return new Map(labelClusters(...args));
}

test('a cluster is named by what it has and the collection has not', () => {
  const rows = [
    new Map([
      [0, 9],
      [1, 5],
      [4, 9],
    ]),
    new Map([
      [0, 7],
      [1, 6],
      [4, 9],
    ]),
    new Map([
      [2, 9],
      [3, 4],
      [4, 9],
    ]),
    new Map([
      [2, 9],
      [4, 9],
    ]),
  ];
  const labels = labelsOf(matrixOf(rows, 5), Uint32Array.of(0, 0, 2, 2), Uint32Array.of(0, 1, 2, 3, 4), 2);
  assert.deepEqual(
    [...labels].map(([center, features]) => [center, ...features]),
    [
      [0, 0, 1],
      [2, 2, 3],
    ],
  );
});

test('a word of two parts is named once', () => {
  const rows = [
    new Map([
      [0, 9],
      [1, 8],
      [2, 2],
    ]),
    new Map([[3, 20]]),
  ];
  const labels = labelsOf(matrixOf(rows, 4), Uint32Array.of(0, 1), Uint32Array.of(7, 7, 8, 9), 3);
  assert.deepEqual(Array.from(labels.get(0)!), [0, 2]);
});

test('an empty page has no label', () => {
  const labels = labelsOf(
    matrixOf([new Map(), new Map([[0, 1]])], 1),
    Uint32Array.of(0, 1),
    Uint32Array.of(0),
    3,
  );
  assert.deepEqual(Array.from(labels.get(0)!), []);
});

test('labels are those of a plain ranking of all features', () => {
  const matrix = randomMatrix(60, 40, 5);
  const center = Uint32Array.from({ length: 60 }, (_, page) => page - (page % 6));
  const stemOf = Uint32Array.from({ length: 40 }, (_, feature) => feature % 30);
  const labels = labelsOf(matrix, center, stemOf, 4);
  assert.equal(labels.size, 10);
  const weightIn = (pages: number[]) => {
    const weights = new Array<number>(40).fill(0);
    for (const page of pages) {
      for (let i = matrix.offsets[page]!; i < matrix.offsets[page + 1]!; i++) {
        weights[matrix.features[i]!]! += matrix.weights[i]!;
      }
    }
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.map((weight) => weight / total);
  };
  const everywhere = weightIn(Array.from({ length: 60 }, (_, page) => page));
  for (const [owner, features] of labels) {
    const here = weightIn([0, 1, 2, 3, 4, 5].map((i) => owner + i));
    const pagesWith = (feature: number) =>
      [0, 1, 2, 3, 4, 5].filter((i) => weightIn([owner + i])[feature]! > 0).length;
    const score = (feature: number) =>
      (here[feature]! * Math.log(here[feature]! / everywhere[feature]!) * pagesWith(feature)) / 6;
    const ranked = here.flatMap((share, feature) => (share > 0 ? [feature] : []));
    ranked.sort((x, y) => score(y) - score(x) || x - y);
    const best = ranked.filter(
      (feature, i) => !ranked.slice(0, i).some((other) => stemOf[other] === stemOf[feature]),
    );
    assert.deepEqual(Array.from(features), best.slice(0, 4));
  }
});
