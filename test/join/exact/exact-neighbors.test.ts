import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BagMatrix } from '../../../src/features/bag.ts';
import { exactNeighbors } from '../../../src/join/exact/exact-neighbors.ts';
import { buildPostings } from '../../../src/join/exact/postings.ts';
import { createNeighborTable, type NeighborTable } from '../../../src/join/pairs/neighbor-table.ts';
import { Random } from '../../../src/lib/random.ts';
import { bagOf, bruteForce, matrixOf, type Near, randomMatrix } from '../bags.ts';

function rowOf(table: NeighborTable, page: number): Near[] {
  return Array.from({ length: table.counts[page]! }, (_, i) => {
    const slot = page * table.k + i;
    return { id: table.ids[slot]!, shared: table.shared[slot]!, total: table.total[slot]! };
  });
}

function neighbors(matrix: BagMatrix, k: number, floor: number, blockPages: number): NeighborTable {
  const table = createNeighborTable(matrix.sums.length, k);
  exactNeighbors(matrix, buildPostings(matrix, blockPages), table, 0, matrix.sums.length, { floor });
  return table;
}

test('the neighbors of every page are those of the brute force, ties included', () => {
  const cases = fc.record({
    pages: fc.integer({ min: 1, max: 90 }),
    features: fc.integer({ min: 4, max: 160 }),
    k: fc.integer({ min: 1, max: 12 }),
    floor: fc.constantFrom(0, 0.03, 0.2, 0.7),
    blockPages: fc.constantFrom(7, 32, 1000),
    seed: fc.integer(),
  });
  fc.assert(
    fc.property(cases, ({ pages, features, k, floor, blockPages, seed }) => {
      const matrix = randomMatrix(pages, features, seed);
      const table = neighbors(matrix, k, floor, blockPages);
      for (let page = 0; page < pages; page++) {
        const truth = bruteForce(bagOf(matrix, page), matrix, floor, page).slice(0, k);
        assert.deepEqual(rowOf(table, page), truth);
      }
    }),
    { seed: 4, numRuns: 150 },
  );
});

test('with seeds and many pages the early stop loses nothing', () => {
  const matrix = randomMatrix(3000, 500, 11);
  for (const blockPages of [3000, 1250]) {
    const table = neighbors(matrix, 3, 0.03, blockPages);
    for (let page = 0; page < 3000; page += 211) {
      const truth = bruteForce(bagOf(matrix, page), matrix, 0.03, page).slice(0, 3);
      assert.deepEqual(rowOf(table, page), truth, `page ${page}`);
    }
  }
});

test('ranges filled one by one give the table of one run', () => {
  const matrix = randomMatrix(200, 90, 3);
  const whole = neighbors(matrix, 5, 0.03, 64);
  const shared = (bytes: number) => new SharedArrayBuffer(bytes);
  const parts = createNeighborTable(200, 5, shared);
  const postings = buildPostings(matrix, 64, shared);
  for (const [from, to] of [[150, 200] as const, [0, 77] as const, [77, 150] as const]) {
    exactNeighbors(matrix, postings, parts, from, to, { floor: 0.03 });
  }
  assert.deepEqual(Array.from(parts.counts), Array.from(whole.counts));
  assert.deepEqual(Array.from(parts.ids), Array.from(whole.ids));
  assert.deepEqual(Array.from(parts.shared), Array.from(whole.shared));
});

test('weights up to 255 and sums of thousands do not overflow', () => {
  const row = new Map(Array.from({ length: 60 }, (_, feature) => [feature, 255]));
  const matrix = matrixOf([row, new Map([[70, 1]]), row], 71);
  assert.deepEqual(rowOf(neighbors(matrix, 4, 0, 1000), 0), [{ id: 2, shared: 15_300, total: 15_300 }]);
});

test('what a row names beforehand leaves out the pages that are less near than these, and no others', () => {
  for (const [seed, k, blockPages] of [
    [5, 4, 1000],
    [6, 7, 64],
  ] as const) {
    const matrix = randomMatrix(300, 120, seed);
    const random = new Random(seed);
    const table = createNeighborTable(300, k);
    const slow = Array.from({ length: 300 }, (_, page) =>
      bruteForce(bagOf(matrix, page), matrix, 0.03, page),
    );
    const wanted = slow.map((row, page) => {
      // The nearest, parts of them beside others, and pages by chance; some rows name none.
      const some = Array.from({ length: 60 }, () => random.below(300));
      const near = row.slice(0, (page % 3) * k).map(({ id }) => id);
      const named = [...new Set([...near, ...some])].filter((id) => id !== page).slice(0, page % (k + 1));
      table.ids.set(named, page * k);
      table.counts[page] = named.length;
      const places = named.map((id) => row.findIndex((one) => one.id === id));
      const last = row[Math.max(...places)];
      const isLimited = last !== undefined && !places.includes(-1);
      return row
        .slice(0, k)
        .filter((one) => !isLimited || one.shared / one.total >= last.shared / last.total);
    });
    exactNeighbors(matrix, buildPostings(matrix, blockPages), table, 0, 300, { floor: 0.03 });
    for (let page = 0; page < 300; page++) assert.deepEqual(rowOf(table, page), wanted[page], `page ${page}`);
    assert.ok(wanted.filter((row, page) => row.length < Math.min(k, slow[page]!.length)).length > 20);
  }
});
