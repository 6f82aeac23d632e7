import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BagMatrix } from '../../../src/features/bag.ts';
import { rangesOf } from '../../../src/join/bags/collapse-equal-bags.ts';
import { EntriesInMemory } from '../../../src/join/bags/entry-source.ts';
import { countWork } from '../../../src/join/buckets/space/join-cost.ts';
import { exactKernelBytes } from '../../../src/join/buckets/space/join-memory.ts';
import { exactNeighbors, neighborRows } from '../../../src/join/exact/exact-neighbors.ts';
import { createNeighborSpace } from '../../../src/join/exact/neighbor-space.ts';
import { JaccardNearness, WHOLE } from '../../../src/join/pairs/nearness.ts';
import type { NeighborTable } from '../../../src/join/pairs/neighbor-table.ts';
import { Random } from '../../../src/lib/random.ts';
import { generateBags } from '../../generated-bags.ts';
import { slowNearness } from '../../slow-votes.ts';
import { bagOf, bruteForce, matrixOf, type Near, randomMatrix } from '../bags.ts';

function rowOf(table: NeighborTable, page: number): Near[] {
  return Array.from({ length: table.counts[page]! }, (_, i) => {
    const slot = page * table.k + i;
    return { id: table.ids[slot]!, shared: table.shared[slot]!, total: table.total[slot]! };
  });
}

function neighbors(matrix: BagMatrix, k: number, floor: number, blockPages: number): NeighborTable {
  return exactNeighbors(matrix, { k, floor, blockPages });
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

test('with many pages what is passed over loses nothing', () => {
  const matrix = randomMatrix(3000, 500, 11);
  for (const blockPages of [3000, 1250]) {
    const table = neighbors(matrix, 3, 0.03, blockPages);
    for (let page = 0; page < 3000; page += 211) {
      const truth = bruteForce(bagOf(matrix, page), matrix, 0.03, page).slice(0, 3);
      assert.deepEqual(rowOf(table, page), truth, `page ${page}`);
    }
  }
});

test('ranges filled one by one, by two threads, give the table of one run', () => {
  const matrix = randomMatrix(200, 90, 3);
  const whole = neighbors(matrix, 5, 0.03, 64);
  const space = createNeighborSpace(matrix, { k: 5, floor: 0.03, blockPages: 64, threadCount: 2 });
  const fills = [neighborRows(space), neighborRows(space)];
  for (const [i, [from, to]] of [[150, 200] as const, [0, 77] as const, [77, 150] as const].entries()) {
    fills[i % 2]!(from, to);
  }
  for (const column of ['counts', 'ids', 'shared', 'total', 'nearness'] as const) {
    assert.deepEqual(Array.from(space.table[column]), Array.from(whole[column]!), column);
  }
  assert.throws(() => neighborRows(space), RangeError);
});

test('rows that only ask find pages and are found by none', () => {
  const matrix = randomMatrix(150, 90, 8);
  for (const blockPages of [40, 1000]) {
    const table = exactNeighbors(matrix, { k: 6, floor: 0.03, pageCount: 100, blockPages });
    const sums = matrix.sums.subarray(0, 100);
    for (let row = 0; row < 150; row++) {
      const truth = bruteForce(bagOf(matrix, row), { ...matrix, sums }, 0.03, row).slice(0, 6);
      assert.deepEqual(rowOf(table, row), truth, `row ${row}`);
    }
  }
  assert.deepEqual(
    Array.from(exactNeighbors(matrix, { k: 3, floor: 0, pageCount: 0 }).counts),
    Array(150).fill(0),
  );
});

test('each neighbor has the nearness that it has to its page alone', () => {
  const matrix = randomMatrix(300, 120, 9);
  const { k, counts, ids, shared, total, nearness } = exactNeighbors(matrix, { k: 9, floor: 0.03 });
  const pair = new JaccardNearness();
  for (let page = 0; page < 300; page++) {
    const own = bagOf(matrix, page);
    pair.take(own);
    for (let slot = page * k; slot < page * k + counts[page]!; slot++) {
      const other = bagOf(matrix, ids[slot]!);
      assert.equal(nearness[slot], pair.of(other, shared[slot]! / total[slot]!), `page ${page}`);
      assert.ok(Math.abs(nearness[slot]! - WHOLE * slowNearness(own, other).nearness) <= 1);
    }
  }
});

test('the memory of a search is what is counted beforehand', () => {
  for (const matrix of [randomMatrix(3000, 500, 11), generateBags({ pageCount: 4000 })]) {
    const work = countWork(rangesOf(matrix), new EntriesInMemory(matrix));
    for (const threadCount of [1, 4]) {
      const { memory } = createNeighborSpace(matrix, { k: 12, floor: 0.03, threadCount });
      const counted = exactKernelBytes(work, { featureCount: matrix.featureCount, k: 12, threadCount });
      const over = counted - memory.buffer.byteLength + 65_536;
      assert.ok(
        over >= 0 && over < 0.05 * counted + 2 * 65_536,
        `${counted} for ${memory.buffer.byteLength}`,
      );
    }
  }
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
    const space = createNeighborSpace(matrix, { k, floor: 0.03, blockPages });
    const { table } = space;
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
    neighborRows(space)(0, 300);
    for (let page = 0; page < 300; page++) assert.deepEqual(rowOf(table, page), wanted[page], `page ${page}`);
    assert.ok(wanted.filter((row, page) => row.length < Math.min(k, slow[page]!.length)).length > 20);
  }
});
