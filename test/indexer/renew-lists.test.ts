import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateBags } from '../../bench/generate.ts';
import type { BagMatrix } from '../../src/features/bag.ts';
import { type Completeness, renewLists } from '../../src/indexer/renew-lists.ts';
import { exactNeighbours } from '../../src/join/exact/exact-neighbours.ts';
import { buildPostings } from '../../src/join/exact/postings.ts';
import { createNeighbourTable } from '../../src/join/pairs/neighbour-table.ts';
import type { NearestList } from '../../src/join/update-neighbours.ts';
import { Random } from '../../src/lib/random.ts';
import { matrixOf } from '../join/bags.ts';

const OPTIONS = { neighbourLimit: 8, floor: 0.03, seed: 1 };
const EXACT: Completeness = { method: 'exact', recall: 1, sample_count: 0 };

function exactLists(matrix: BagMatrix): NearestList[] {
  const k = OPTIONS.neighbourLimit;
  const pageCount = matrix.sums.length;
  const table = createNeighbourTable(pageCount, k);
  exactNeighbours(matrix, buildPostings(matrix), table, 0, pageCount, OPTIONS);
  return Array.from(table.counts, (count, page) => {
    const [from, to] = [page * k, page * k + count];
    const { ids, shared, total } = table;
    return { ids: ids.slice(from, to), shared: shared.slice(from, to), total: total.slice(from, to) };
  });
}

/** The bags of `pages` with those of another collection in the place of the first `changedCount`. */
function withChanged(pages: BagMatrix, others: BagMatrix, changedCount: number): BagMatrix {
  const bags = Array.from(pages.sums, (_, page) => {
    const { offsets, features, weights } = page < changedCount ? others : pages;
    const entries = new Map<number, number>();
    for (let i = offsets[page]!; i < offsets[page + 1]!; i++) entries.set(features[i]!, weights[i]!);
    return entries;
  });
  return matrixOf(bags, Math.max(pages.featureCount, others.featureCount));
}

const changed = (count: number) => new Set(Array.from({ length: count }, (_, page) => page));

test('lists are exact after a few changes and after many, and all are searched where most change', async () => {
  const pages = generateBags({ pageCount: 2000 });
  const others = generateBags({ pageCount: 2000, seed: 9 });
  for (const [count, isWhole] of [
    [20, false],
    [1800, true],
  ] as const) {
    const matrix = withChanged(pages, others, count);
    const lists = exactLists(pages);
    const before = lists.slice();
    const wanted = exactLists(matrix);
    const report = await renewLists(matrix, buildPostings(matrix), lists, changed(count), OPTIONS, EXACT);
    assert.deepEqual(lists, wanted);
    assert.deepEqual(report.completeness, EXACT);
    assert.equal(report.searchedCount === 2000, isWhole, `${report.searchedCount} searched`);
    const other = before.flatMap((list, page) =>
      JSON.stringify(list) === JSON.stringify(wanted[page]) ? [] : [page],
    );
    const told = new Set(report.touched);
    assert.ok(other.length > 0 && other.every((page) => told.has(page)));
  }
});

test('lists of a graph are renewed by the graph where that is far cheaper, to the recall they had', async () => {
  const random = new Random(3);
  const bags = Array.from(
    { length: 8000 },
    () => new Map(Array.from({ length: 14 }, (_, word) => [word, 1 + random.below(40)])),
  );
  const matrix = matrixOf(bags, 14);
  const lists = exactLists(matrix);
  const wanted = lists.slice();
  const stored: Completeness = { method: 'graph', recall: 0.9, sample_count: 256 };
  const report = await renewLists(matrix, buildPostings(matrix), lists, changed(7000), OPTIONS, stored);
  assert.equal(report.completeness.method, 'graph');
  assert.ok(report.completeness.recall >= 0.9 && report.completeness.sample_count > 0);
  let found = 0;
  for (const [page, { ids }] of wanted.entries())
    found += ids.filter((id) => lists[page]!.ids.includes(id)).length;
  assert.ok(found >= 0.85 * 8 * wanted.length, `${found} of ${8 * wanted.length}`);
});
