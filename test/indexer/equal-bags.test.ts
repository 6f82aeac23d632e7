/** Pages with equal bags: they stand as one in the search, and each has its own list of neighbors. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BagMatrix } from '../../src/features/bag.ts';
import { findNeighbors, loadNeighbors } from '../../src/indexer/relate/lists/neighbors.ts';
import { Random } from '../../src/lib/random.ts';
import { bagOf, bruteForce, matrixOf, randomMatrix } from '../join/bags.ts';
import { longTest } from '../long-test.ts';
import { folderOfBags } from './bag-folder.ts';
import { DEFAULTS } from './build.ts';

const K = 8;

function assertExact(matrix: BagMatrix, table: ReturnType<typeof loadNeighbors>, pages: Iterable<number>) {
  for (const page of pages) {
    const truth = bruteForce(bagOf(matrix, page), matrix, DEFAULTS.floor, page).slice(0, K);
    const row = Array.from({ length: table.counts[page]! }, (_, i) => {
      const slot = page * K + i;
      return { id: table.ids[slot]!, shared: table.shared[slot]!, total: table.total[slot]! };
    });
    assert.deepEqual(row, truth, `page ${page}`);
  }
}

for (const pageCount of [150, 500]) {
  longTest(
    `the neighbors of ${pageCount} pages, some with equal bags, are those of the brute force`,
    async (t) => {
      // Few words of few weights: ties are many.
      const random = new Random(pageCount);
      const rows: Map<number, number>[] = [];
      for (let page = 0; page < pageCount; page++) {
        const isCopy = random.below(3) === 0 && page > 0;
        const words = () => [random.below(24), 1 + random.below(3)] as const;
        rows.push(
          isCopy
            ? rows[random.below(Math.min(page, 20))]!
            : new Map(Array.from({ length: random.below(6) }, words)),
        );
      }
      for (const matrix of [matrixOf(rows, 24), randomMatrix(pageCount, 90, 7)]) {
        const folder = folderOfBags(t, matrix);
        const done: number[] = [];
        const options = { ...DEFAULTS, neighborLimit: K, workerCount: 2, targetRecall: 1 };
        const { method, pairCount } = await findNeighbors(folder, options, options, (pages) =>
          done.push(pages),
        );
        const table = loadNeighbors(folder);
        assert.equal(method, 'exact');
        assert.equal(
          pairCount,
          table.counts.reduce((sum, count) => sum + count, 0),
        );
        assertExact(matrix, table, matrix.sums.keys());
        if (pageCount > 256) assert.equal(done.at(-1), pageCount);
      }
    },
  );
}

test('mirrors do not make the search approximate', async (t) => {
  const mirror = new Map(Array.from({ length: 16 }, (_, word) => [word, 4]));
  const random = new Random(2);
  const own = Array.from(
    { length: 2000 },
    (_, page) => new Map(Array.from({ length: 12 }, () => [random.below(page % 2 === 0 ? 40 : 500), 5])),
  );
  const find = async (mirrors: number) => {
    const matrix = matrixOf([...own, ...Array.from({ length: mirrors }, () => mirror)], 500);
    const folder = folderOfBags(t, matrix);
    const { method } = await findNeighbors(folder, { ...DEFAULTS, neighborLimit: K }, DEFAULTS, () => {});
    assertExact(matrix, loadNeighbors(folder), [0, 1, 2, 3, 1999, 2000, matrix.sums.length - 1]);
    return method;
  };
  assert.deepEqual([await find(1), await find(6000)], ['exact', 'exact']);
});
