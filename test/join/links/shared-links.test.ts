import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonPages, rowOf } from '../../../src/join/links/link-graph.ts';
import { mostShared, type SharedLinks, SharedLinksSearch } from '../../../src/join/links/shared-links.ts';
import { graphFrom, graphOf, randomTargets } from './graphs.ts';

const figures = (found: SharedLinks) => {
  const { ids, shared, total } = mostShared(found, Number.POSITIVE_INFINITY, null);
  return Array.from(ids, (id, i) => `${id} ${shared[i]}/${total[i]}`);
};

// Pages 0, 1, 2 are cited; 3, 4, 5 cite.
const CITED = graphFrom(6, '3>0 4>0 5>0 3>1 4>1 5>2 4>2');

test('pages that the same pages cite, by the citers in common over all of both', () => {
  const search = new SharedLinksSearch(CITED);
  assert.deepEqual(figures(search.byCiters(rowOf(CITED.in, 0), 0)), ['1 2/3', '2 2/3']);
  assert.deepEqual(figures(search.byCiters(rowOf(CITED.in, 1), 1)), ['0 2/3', '2 1/3']);
  assert.deepEqual(figures(search.byCiters(rowOf(CITED.in, 3), 3)), [], 'nothing cites it');
});

test('pages that cite the same pages, by the targets in common over all of both', () => {
  const search = new SharedLinksSearch(CITED);
  assert.deepEqual(figures(search.byTargets(rowOf(CITED.out, 3), 3)), ['4 2/3', '5 1/3']);
  assert.deepEqual(figures(search.byTargets(Uint32Array.of(2), -1)), ['5 1/2', '4 1/3'], 'of a document');
});

test('figures are those of two sets, on random graphs', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const targets = randomTargets(40, 12, seed);
    const graph = graphOf(targets);
    const search = new SharedLinksSearch(graph);
    const citers = targets.map((_, page) =>
      targets.flatMap((row, from) => (row.includes(page) ? [from] : [])),
    );
    for (const [sets, found] of [
      [targets, (page: number) => search.byTargets(rowOf(graph.out, page), page)],
      [citers, (page: number) => search.byCiters(rowOf(graph.in, page), page)],
    ] as const) {
      for (const [page, own] of sets.entries()) {
        const slow = sets.flatMap((other, id) => {
          const shared = own.filter((one) => other.includes(one)).length;
          const total = new Set([...own, ...other]).size;
          return id === page || shared === 0 ? [] : [{ id, shared, total }];
        });
        slow.sort((a, b) => b.shared / b.total - a.shared / a.total || a.id - b.id);
        assert.deepEqual(
          figures(found(page)),
          slow.map(({ id, shared, total }) => `${id} ${shared}/${total}`),
        );
      }
    }
  }
});

test('a page with more links to follow than the bound is estimated from some of them', () => {
  const targets = randomTargets(400, 60, 5);
  const graph = graphOf(targets);
  const own = rowOf(graph.in, 3);
  const whole = new SharedLinksSearch(graph).byCiters(own, 3);
  const some = new SharedLinksSearch(graph, 500).byCiters(own, 3);
  assert.deepEqual([whole.isExact, some.isExact], [true, false]);
  const sum = ({ shared }: SharedLinks) => shared.reduce((total, one) => total + one, 0);
  assert.ok(Math.abs(sum(some) / sum(whole) - 1) < 0.2, `${sum(some)} of ${sum(whole)} links`);
  for (const [i, total] of some.total.entries()) assert.ok(some.shared[i]! <= total);
});

test('the best that pass, and pages in both of two rows', () => {
  const found = new SharedLinksSearch(CITED).byCiters(rowOf(CITED.in, 0), 0);
  assert.deepEqual([...mostShared(found, 1, null).ids], [1]);
  assert.deepEqual([...mostShared(found, 1, (page) => page !== 1).ids], [2]);
  assert.deepEqual(commonPages(Uint32Array.of(1, 3, 5), Uint32Array.of(0, 3, 4, 5, 9)), [3, 5]);
});
