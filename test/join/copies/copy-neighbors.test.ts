import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CopyNeighbors } from '../../../src/join/copies/copy-neighbors.ts';
import { storedFraction } from '../../../src/join/copies/copy-relation.ts';
import { NONE } from '../../../src/lib/columns/indexes.ts';
import { groupBy } from '../../../src/lib/groups.ts';
import { Random } from '../../../src/lib/random.ts';

const random = new Random(8);
const FOLDED = 40;
/** 200 pages, some of them unfetched, over 40 groups of equals. */
const foldedOfPage = Uint32Array.from({ length: 200 }, (_, i) =>
  i < FOLDED ? i : random.below(6) === 0 ? NONE : random.below(FOLDED),
);
const chosen = Array.from(
  { length: FOLDED * FOLDED },
  (_, i) => [Math.floor(i / FOLDED), i % FOLDED] as const,
).filter(([a, b]) => a < b && random.below(4) === 0);
const pairs = {
  a: Uint32Array.from(chosen, ([a]) => a),
  b: Uint32Array.from(chosen, ([, b]) => b),
  // Few values, so that there are ties; some pairs of different pages resemble each other wholly.
  shared: Uint32Array.from(chosen, () => 5 + random.below(4)),
  ofA: new Uint32Array(chosen.length).fill(8),
  ofB: new Uint32Array(chosen.length).fill(8),
};
const keyCounts = Uint32Array.from({ length: FOLDED }, (_, i) => i % 9);

function slowly(page: number, limit: number) {
  const own = foldedOfPage[page]!;
  const near: { id: number; shared: number; total: number }[] = [];
  for (const [id, folded] of foldedOfPage.entries()) {
    if (id === page || folded === NONE) continue;
    const count = Math.max(1, keyCounts[own]!);
    if (folded === own) near.push({ id, shared: count, total: count });
    const pair = chosen.findIndex(([a, b]) => (a === own && b === folded) || (b === own && a === folded));
    if (pair >= 0) near.push({ id, shared: pairs.shared[pair]!, total: 16 - pairs.shared[pair]! });
  }
  return near.sort((x, y) => y.shared / y.total - x.shared / x.total || x.id - y.id).slice(0, limit);
}

for (const limit of [3, 20, 1000]) {
  test(`lists of ${limit} are those of comparing every page with every other`, () => {
    const groups = groupBy(foldedOfPage, FOLDED);
    const neighbors = new CopyNeighbors(pairs, groups, keyCounts, limit);
    for (const [page, folded] of foldedOfPage.entries()) {
      if (folded === NONE) continue;
      const { ids, shared, total } = neighbors.of(page, folded);
      const list = Array.from(ids, (id, i) => ({ id, shared: shared[i], total: total[i] }));
      assert.deepEqual(list, slowly(page, limit), `page ${page}`);
    }
  });
}

test('a stored fraction fits 16 bits and keeps its value', () => {
  assert.deepEqual(storedFraction(3, 4), { shared: 3, total: 4 });
  assert.deepEqual(storedFraction(70_000, 70_000), { shared: 35_000, total: 35_000 });
  const { shared, total } = storedFraction(123_456, 654_321);
  assert.ok(total <= 0xffff && Math.abs(shared / total - 123_456 / 654_321) < 1e-4);
});
