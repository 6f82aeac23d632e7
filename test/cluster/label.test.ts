import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeatedWords } from '../../src/cluster/host-words.ts';
import { labelClusters, NO_WORD } from '../../src/cluster/label.ts';
import type { BagMatrix } from '../../src/features/bag.ts';
import { EntriesInMemory } from '../../src/join/bags/entry-source.ts';
import { matrixOf, randomMatrix } from '../join/bags.ts';

/** Each page is a host of its own unless something else is said: then none repeats anything. */
function labelsOf(
  matrix: BagMatrix,
  center: Uint32Array,
  stemOf: Uint32Array,
  limit: number,
  hostStarts: Uint32Array = Uint32Array.from(center.keys()),
): Map<number, Uint32Array> {
  const words = repeatedWords(matrix, new EntriesInMemory(matrix), hostStarts);
  return new Map(labelClusters(matrix, center, stemOf, limit, words));
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

test('a word that is rarer in a cluster than in the collection does not name it, unless there is no other', () => {
  // Word 0 is on all pages, more on the others; 1 and 2 tell the two clusters apart.
  const rows = [
    new Map([
      [0, 3],
      [1, 9],
    ]),
    new Map([
      [0, 9],
      [2, 3],
    ]),
  ];
  const labels = (center: Uint32Array) =>
    [...labelsOf(matrixOf(rows, 3), center, Uint32Array.of(0, 1, 2), 4).values()].map((label) => [...label]);
  assert.deepEqual(labels(Uint32Array.of(0, 1)), [[1], [0, 2]]);
  assert.deepEqual(labels(Uint32Array.of(0, 0)), [[0, 1, 2]], 'all pages: as often as in all pages');
  const alone = labelsOf(matrixOf(rows, 3), Uint32Array.of(0, 1), Uint32Array.of(0, NO_WORD, 2), 4);
  assert.deepEqual([...alone.get(0)!], [0]);
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

test('what a host repeats on its pages does not name some of them', () => {
  // Words 0 and 1 stand on all pages of the first host, 2 on those of the cluster, 3 and 4 on the second host alone.
  const menu: [number, number][] = [
    [0, 90],
    [1, 80],
  ];
  const rows = Array.from({ length: 225 }, (_, page) => {
    if (page < 5) return new Map([...menu, [2, 10]]);
    const other: [number, number][] = [
      [3, 9],
      [4, 2 + (page % 7)],
    ];
    return new Map(page < 25 ? menu : other);
  });
  const matrix = matrixOf(rows, 5);
  const center = Uint32Array.from(rows, (_, page) => (page < 5 ? 0 : page < 25 ? 5 : 25));
  const stemOf = Uint32Array.of(0, 1, 2, 3, 4);
  const first = (starts: Uint32Array) => labelsOf(matrix, center, stemOf, 1, starts).get(0)![0];
  assert.equal(first(Uint32Array.of(0, 25)), 2);
  assert.equal(first(Uint32Array.from(rows.keys())), 0, 'of hosts that are not known');
  assert.equal(first(Uint32Array.of(0, 10, 25)), 0, 'of hosts with too few pages');
});

test('labels are those of a plain ranking of all features', () => {
  const matrix = randomMatrix(60, 40, 5);
  const hostStarts = Uint32Array.of(0, 25, 31, 33);
  const center = Uint32Array.from({ length: 60 }, (_, page) => page - (page % 6));
  const stemOf = Uint32Array.from({ length: 40 }, (_, feature) => feature % 30);
  const labels = labelsOf(matrix, center, stemOf, 4, hostStarts);
  assert.equal(labels.size, 10);
  const hosts = [25, 31, 33, 60].map((end, i) =>
    Array.from({ length: end - hostStarts[i]! }, (_, page) => hostStarts[i]! + page),
  );
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
    const isOn = (page: number, feature: number) => weightIn([page])[feature]! > 0;
    const without = (page: number, feature: number) => {
      const host = hosts.find((pages) => pages.includes(page))!;
      const share = host.filter((other) => isOn(other, feature)).length / host.length;
      return host.length < 20 || share < 0.3 ? 1 : 1 - share;
    };
    const pagesWith = (feature: number) =>
      [0, 1, 2, 3, 4, 5]
        .filter((i) => isOn(owner + i, feature))
        .reduce((sum, i) => sum + without(owner + i, feature), 0);
    const score = (feature: number) =>
      (here[feature]! * Math.log(here[feature]! / everywhere[feature]!) * pagesWith(feature)) / 6;
    const ranked = here.flatMap((share, feature) => (share > 0 ? [feature] : []));
    ranked.sort((x, y) => score(y) - score(x) || x - y);
    const best = ranked.filter(
      (feature, i) => !ranked.slice(0, i).some((other) => stemOf[other] === stemOf[feature]),
    );
    const telling = best.filter((feature, i) => i === 0 || here[feature]! > everywhere[feature]!);
    assert.deepEqual(Array.from(features), telling.slice(0, 4));
  }
});
