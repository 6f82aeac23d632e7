/** Stored neighbors against all bags, in the order of votes, and all signatures, compared two by two. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { formatParts } from '../../src/features/parts.ts';
import type { BuildOptions } from '../../src/indexer/options/build-options.ts';
import type { IndexReader } from '../../src/store/read/reader.ts';
import { type Near, slowNearness, slowVotes } from '../slow-votes.ts';
import { buildPages, PRINTED } from './build.ts';
import { document, prose, villagePages } from './pages.ts';

export const TOPIC = 1;
export const PAGES = villagePages(10, 11);

/** Pages of a few words of each topic: near to some, and nearly equal to none, so that votes order their lists. */
const MIXED = Array.from({ length: 40 }, (_, i) => ({
  url: `https://mixed.example/${i}`,
  html: document(
    `mixed ${i}`,
    [0, 1, 2, 3].map((topic) => `<p>${prose(9 * i + topic, 5, topic)}</p>`).join(''),
  ),
}));

type Bag = ReturnType<IndexReader['bag']>;

/** Weighted Jaccard of two stored bags, by way of a map. */
function similarity(bagA: Bag, bagB: Bag): { shared: number; total: number } {
  const weights = new Map(Array.from(bagA.features, (feature, i) => [feature, bagA.weights[i]!]));
  let shared = 0;
  for (const [i, feature] of bagB.features.entries()) {
    shared += Math.min(weights.get(feature) ?? 0, bagB.weights[i]!);
  }
  return { shared, total: bagA.sum + bagB.sum - shared };
}

export function testNearest(parts: BuildOptions['parts']): void {
  test(`with --parts ${formatParts(parts)} the stored neighbors are the nearest of all pages, exactly`, async (t) => {
    const { reader } = await buildPages(t, [...PAGES, ...MIXED], { parts });
    const { floor, neighborLimit } = reader.relation('topic')!;
    const bags = Array.from({ length: reader.pageCount }, (_, page) => reader.bag(TOPIC, page));
    const lists: (Near & { shared: number; total: number })[][] = [];
    for (const [page, bag] of bags.entries()) {
      const near: (typeof lists)[number] = [];
      for (const [other, otherBag] of bags.entries()) {
        const { shared, total } = similarity(bag, otherBag);
        if (other !== page && shared > 0 && shared / total >= floor)
          near.push({ id: other, ...slowNearness(bag, otherBag), shared, total });
      }
      near.sort((a, b) => b.similarity - a.similarity || a.id - b.id);
      lists.push(near.slice(0, neighborLimit));
    }
    let moved = 0;
    for (const [page, list] of lists.entries()) {
      const { ids, shared, total } = reader.neighbors(TOPIC, page);
      const stored = Array.from(ids, (id, i) => ({ id, shared: shared[i]!, total: total[i]! }));
      const expected = slowVotes(list, page, (id) => lists[id]!);
      assert.deepEqual(
        stored,
        expected.map(({ id, shared, total }) => ({ id, shared, total })),
        `page ${page}`,
      );
      if (expected.some(({ id }, i) => id !== list[i]!.id)) moved++;
    }
    assert.ok(moved > lists.length / 4, `votes change the order of ${moved} lists`);
  });
}

export function testAgreement(parts: BuildOptions['parts']): void {
  test(`with --parts ${formatParts(parts)} the printed profile stores the agreement of the stored signatures`, async (t) => {
    const { reader, target } = await buildPages(t, PAGES, { ...PRINTED, parts });
    const db = new Database(target, { readonly: true });
    t.after(() => db.close());
    const minima = db.prepare('SELECT minima FROM signature ORDER BY page_id').pluck().all() as Buffer[];
    assert.equal(minima.length, reader.pageCount);
    let pairs = 0;
    for (const { pageId, list } of reader.allNeighbors(TOPIC)) {
      for (const [i, other] of list.ids.entries()) {
        let agreement = 0;
        for (let at = 0; at < 240; at += 3) {
          if (minima[pageId]!.compare(minima[other]!, at, at + 3, at, at + 3) === 0) agreement++;
        }
        assert.deepEqual([list.shared[i], list.total[i]], [agreement, 80]);
        assert.ok(agreement >= 16);
        pairs++;
      }
    }
    assert.ok(pairs > 20, `${pairs} pairs`);
  });
}
