import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BagMatrix } from '../../../src/features/bag.ts';
import { bytesOf } from '../../../src/store/blobs/blobs.ts';
import { bagOf, bruteForce, type Near, randomMatrix } from '../../../test/join/bags.ts';
import { slowVotes } from '../../../test/slow-votes.ts';
import { compareStage } from '../src/neighbors/compare.ts';
import { recallStage } from '../src/neighbors/recall.ts';
import { signatureStage } from '../src/neighbors/signature.ts';
import { truthStage } from '../src/neighbors/truth.ts';
import { votesStage } from '../src/neighbors/votes.ts';
import { runRows } from './run-rows.ts';

/** Ids as a job has them: beyond 32 bits. */
const FIRST_ID = 2 ** 40;
const FLOOR = 0.03;
const K = 8;

async function signed(matrix: BagMatrix, pages = [...matrix.sums.keys()]) {
  const rows = pages.map((page) => {
    const { features, weights } = bagOf(matrix, page);
    return { page_id: FIRST_ID + page, features: bytesOf(features), weights };
  });
  return await runRows(signatureStage, rows, { blocks: 2 });
}

/** As `bruteForce`, by ids, and as text. */
const linesOf = (near: readonly Near[]) =>
  near.map(({ id, shared, total }) => `${FIRST_ID + id} ${shared}/${total}`);

function listsOf(
  rows: readonly { page_id: number; neighbor_id: number; shared: number; total: number }[],
  k: number,
): Map<number, string[]> {
  const lists = new Map<number, typeof rows>();
  for (const row of rows) lists.set(row.page_id, [...(lists.get(row.page_id) ?? []), row]);
  const nearest = (list: typeof rows) =>
    [...list].sort((x, y) => y.shared * x.total - x.shared * y.total || x.neighbor_id - y.neighbor_id);
  return new Map(
    Array.from(lists, ([page, list]) => [
      page,
      nearest(list)
        .slice(0, k)
        .map(({ neighbor_id, shared, total }) => `${neighbor_id} ${shared}/${total}`),
    ]),
  );
}

test('a bag is signed alike whatever bags are signed with it', async () => {
  const matrix = randomMatrix(2500, 300, 1);
  const together = await signed(matrix);
  const alone = await signed(matrix, [2400]);
  assert.deepEqual(together[2400], alone[0]);
  assert.equal(alone[0]!.row.length, 128);
  assert.equal(alone[0]!.minima.length, 4 * 16 * 2);
});

test('without a filter a group gives each page its nearest, exactly', async () => {
  const matrix = randomMatrix(400, 200, 2);
  const pages = (await signed(matrix)).map(({ page_id, row, entries }) => ({
    ...{ bucket: 'all', page_id, is_new: true, bound: FLOOR, known: '' },
    ...{ row, entries },
  }));
  const found = await runRows(compareStage, pages, { slack: 100, featureCount: 200 }, { neighborLimit: K });
  const lists = listsOf(found, K);
  for (let page = 0; page < 400; page++) {
    const expected = linesOf(bruteForce(bagOf(matrix, page), matrix, FLOOR, page).slice(0, K));
    assert.deepEqual(lists.get(FIRST_ID + page) ?? [], expected, `page ${page}`);
  }
});

test('pages that have met, or are known to each other, are not compared again', async () => {
  const matrix = randomMatrix(60, 80, 3);
  const all = await signed(matrix);
  const rowsOf = (change: (page: number) => { is_new?: boolean; known?: string; bound?: number }) =>
    all.map(({ page_id, row, entries }, page) => ({
      ...{ bucket: 'b', page_id, is_new: true, bound: FLOOR, known: '', ...change(page) },
      ...{ row, entries },
    }));
  const run = (rows: ReturnType<typeof rowsOf>) =>
    runRows(compareStage, rows, { slack: 100, featureCount: 80 });
  assert.deepEqual(await run(rowsOf(() => ({ is_new: false }))), []);
  const onlyOne = await run(rowsOf((page) => ({ is_new: page === 7 })));
  assert.ok(onlyOne.length > 0);
  assert.ok(onlyOne.every(({ page_id, neighbor_id }) => [page_id, neighbor_id].includes(FIRST_ID + 7)));
  const everybody = all.map(({ page_id }) => page_id).join(' ');
  const unknown = await run(rowsOf((page) => ({ known: page === 7 ? everybody : '' })));
  assert.ok(unknown.every(({ page_id, neighbor_id }) => ![page_id, neighbor_id].includes(FIRST_ID + 7)));
  const bounded = await run(rowsOf(() => ({ bound: 0.5 })));
  assert.ok(bounded.length > 0 && bounded.every(({ shared, total }) => shared / total >= 0.5));
});

test('the truth of a sample is that of brute force', async () => {
  const matrix = randomMatrix(300, 150, 4);
  const isSampled = (page: number) => page % 30 === 1;
  const all = (await signed(matrix)).map(({ page_id, entries }, page) => ({
    ...{ chunk: 0, is_sample: isSampled(page), page_id, entries },
  }));
  const rows = [...all.filter((row) => row.is_sample), ...all.filter((row) => !row.is_sample)];
  const found = await runRows(truthStage, rows, { recallAt: 10, featureCount: 150 }, { floor: FLOOR });
  const similarities = new Map<number, number[]>();
  for (const { page_id, shared, total } of found) {
    similarities.set(page_id, [...(similarities.get(page_id) ?? []), shared / total]);
  }
  for (let page = 0; page < 300; page++) {
    const near = isSampled(page) ? bruteForce(bagOf(matrix, page), matrix, FLOOR, page).slice(0, 10) : [];
    const got = (similarities.get(FIRST_ID + page) ?? []).sort((x, y) => y - x);
    // Ties at the end of a list may be kept either way.
    assert.deepEqual(
      got,
      near.map(({ shared, total }) => shared / total),
    );
  }
});

test('votes are those of the formula', async () => {
  const matrix = randomMatrix(120, 60, 5);
  const lists = Array.from({ length: 120 }, (_, page) =>
    bruteForce(bagOf(matrix, page), matrix, FLOOR, page).slice(0, 24),
  );
  const packed = (list: readonly Near[]) =>
    list.map(({ id, shared, total }) => `${FIRST_ID + id} ${shared} ${total}`).join(' ');
  const nearness = lists.map((list) => list.map(({ shared, total }) => (7 * shared * total) & 0xffff));
  const rows = lists.flatMap((list, page) => [
    {
      ...{ page_id: FIRST_ID + page, owner_id: FIRST_ID + page, list: packed(list) },
      nearness: nearness[page]!.join(' '),
    },
    ...list.map(({ id }) => ({
      ...{ page_id: FIRST_ID + page, owner_id: FIRST_ID + id, list: packed(lists[id]!.slice(0, 20)) },
      nearness: '',
    })),
  ]);
  const ranked = await runRows(votesStage, rows);
  const withSimilarity = lists.map((list, page) =>
    list.map((near, i) => {
      return { ...near, similarity: near.shared / near.total, nearness: nearness[page]![i]! / 65_535 };
    }),
  );
  const expected = withSimilarity.flatMap((list, page) =>
    slowVotes(list, page, (id) => withSimilarity[id]!).map(({ id, shared, total, nearness: near }, rank) => ({
      ...{ page_id: FIRST_ID + page, rank, neighbor_id: FIRST_ID + id, shared, total },
      nearness: Math.round(65_535 * near),
    })),
  );
  assert.deepEqual(
    ranked.map(({ score: _, ...row }) => row),
    expected,
  );
});

test('the recall of a sample is a ratio of sums, with the interval of its pages', async () => {
  const rows = [
    { wanted: 10, held: 10 },
    { wanted: 10, held: 8 },
    { wanted: 5, held: 5 },
    { wanted: 0, held: 0 },
  ];
  const [all] = await runRows(recallStage, rows, { pageCount: 4 });
  // Every page is in the sample: nothing is left to guess.
  assert.deepEqual(all, { recall: 23 / 25, low: 23 / 25, high: 23 / 25, sample_count: 4 });
  const [some] = await runRows(recallStage, rows, { pageCount: 400 });
  // Wilson's bounds, as the shares that are just so far from that of the sample, with Student's t of three degrees of freedom.
  const ratio = 23 / 25;
  const squares = (10 - 9.2) ** 2 + (8 - 9.2) ** 2 + (5 - 4.6) ** 2;
  const units = (ratio * (1 - ratio) * 3 * 25 ** 2) / (4 * squares) / 0.99;
  for (const share of [some!.low, some!.high])
    assert.ok(Math.abs((ratio - share) ** 2 - (3.182446 ** 2 * share * (1 - share)) / units) < 1e-9);
  assert.ok(some!.low < ratio && some!.high > ratio && some!.high < 1);
});
