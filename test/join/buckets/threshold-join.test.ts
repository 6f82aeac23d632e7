import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { joinCrew } from '../../../src/indexer/relate/crew/join-crew.ts';
import { buildPostings } from '../../../src/join/exact/postings.ts';
import { generateBags } from '../../generated-bags.ts';
import { longTest } from '../../long-test.ts';
import { newFolder } from '../../new-folder.ts';
import { matrixOf } from '../bags.ts';
import { exactPairs, thresholdJoin } from '../in-memory.ts';

const matrix = generateBags({ pageCount: 4000, weightSum: 100, topicPages: 25 });

test('the pairs are exact, sorted, and nearly all there are; the recall is as measured', async () => {
  const join = await thresholdJoin(matrix, { threshold: 0.2, sampleSize: 1000 });
  const truth = exactPairs(matrix, buildPostings(matrix), 0.2);
  const key = (a: number, b: number) => a * 4000 + b;
  const fractions = new Map(
    Array.from(truth.a, (a, i) => [key(a, truth.b[i]!), [truth.shared[i]!, truth.total[i]!]]),
  );
  const keys = Array.from(join.a, (a, i) => key(a, join.b[i]!));
  assert.deepEqual(
    keys,
    [...new Set(keys)].sort((x, y) => x - y),
  );
  for (const [i, pair] of keys.entries()) {
    assert.deepEqual([join.shared[i], join.total[i]], fractions.get(pair));
  }
  const recall = keys.length / fractions.size;
  assert.ok(fractions.size > 2000, `${fractions.size} pairs`);
  assert.ok(recall >= 0.955, `recall ${recall}`);
  assert.ok(Math.abs(recall - join.recall!) < 0.02, `${recall}, said ${join.recall}`);
});

longTest('neither threads nor memory change what is found', async (t) => {
  const options = { threshold: 0.25, maxRepetitions: 8 };
  const one = await thresholdJoin(matrix, options);
  assert.ok(one.a.length > 2000, `${one.a.length} pairs`);
  for (const threads of [1, 3]) {
    const folder = newFolder('runs');
    t.after(() => rmSync(folder, { recursive: true }));
    const crew = joinCrew(threads, { runs: { folder, mostPairs: 200 } });
    const { storedRunCount, ...found } = await thresholdJoin(matrix, {
      ...options,
      crew,
      comparedBytes: 4096,
    });
    assert.deepEqual({ ...found, storedRunCount: 0 }, one);
    assert.equal(storedRunCount, readdirSync(folder).length);
    assert.ok(storedRunCount > 5 * threads, 'pairs waited on disk');
  }
});

test('where no sampled page has a pair, recall is not known and nothing is left untried', async () => {
  const rows = Array.from({ length: 40 }, (_, page) => new Map([[page, 5]]));
  const { recall, repetitions, sampleCount } = await thresholdJoin(matrixOf(rows, 40), { threshold: 0.2 });
  assert.deepEqual([recall, repetitions, sampleCount], [null, 48, 40]);
});

longTest('a crowd of like pages is compared whole, not split until its pairs are lost', async () => {
  // All 600 pages share heavy features in equal parts: each pair has similarity 90 / 110, and a split would leave each page a few dozen.
  const rows = Array.from({ length: 600 }, (_, page) => {
    const row = new Map([[1600 + page, 10]]);
    for (let feature = 0; feature < 30; feature++) row.set(4000 + feature, 3);
    return row;
  });
  const join = await thresholdJoin(matrixOf(rows, 4100), { threshold: 0.5, maxRepetitions: 4 });
  const share = join.a.length / ((600 * 599) / 2);
  assert.ok(share > 0.99 && join.recall! > 0.98, `${share}, said ${join.recall}`);
});

test('equal bags are joined once and named by their first page', async () => {
  const near = new Map([
    [1, 8],
    [2, 8],
    [3, 4],
  ]);
  const rows = [
    new Map([
      [1, 8],
      [2, 8],
    ]),
    near,
    near,
    new Map([[9, 4]]),
    near,
  ];
  const join = await thresholdJoin(matrixOf(rows, 10), { threshold: 0.3 });
  assert.deepEqual([...join.representative], [0, 1, 1, 3, 1]);
  assert.deepEqual(
    [join.a, join.b, join.shared, join.total].map((column) => [...column]),
    [[0], [1], [16], [20]],
  );
});

test('pages without words are like no other, and like none of each other', async () => {
  const rows = [new Map(), new Map([[1, 4]]), new Map(), new Map([[1, 4]])];
  const join = await thresholdJoin(matrixOf(rows, 2), { threshold: 0.3 });
  assert.deepEqual([...join.representative], [0, 1, 2, 1]);
});
