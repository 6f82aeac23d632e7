import assert from 'node:assert/strict';
import { test } from 'node:test';
import { companions } from '../../../src/join/links/companion.ts';
import { mergedNodes, VICINITY_LIMITS, vicinity } from '../../../src/join/links/vicinity.ts';
import { processorMs } from '../../processor-time.ts';
import { graphFrom, graphOf, randomTargets } from './graphs.ts';

const ALL = {
  parents: 1000,
  siblingsAParent: 1000,
  children: 1000,
  matesAChild: 1000,
  stopInLinks: 1000,
  stopShare: 1,
};
const close = (a: number, b: number) => Math.abs(a - b) < 1e-5;

test('links within a site count nothing, k from a site to a page 1/k, l from a page to a site 1/l', () => {
  const listed = (links: string, sites: readonly number[]) => {
    const { ids, scores } = companions(graphFrom(sites.length, links), 0, (page) => sites[page]!, ALL);
    return Array.from(ids, (id, i) => `${id}: ${scores[i]!.toFixed(5)}`);
  };
  // Hub 1 links to 2, of its own site.
  assert.deepEqual(listed('1>0 1>2 1>3', [1, 2, 2, 3]), ['3: 1.00000']);
  // Hubs 1 and 2 are of one site and link to 4: a vote each half, as much as that of hub 3 for 5.
  assert.deepEqual(listed('1>0 2>0 3>0 1>4 2>4 3>5', [1, 2, 2, 3, 4, 5]), ['4: 1.00000', '5: 1.00000']);
  // Hub 1 links to two pages of one site: they make it as good as 5 makes hub 2.
  const two = listed('1>0 2>0 1>3 1>4 2>5', [1, 2, 3, 4, 4, 5]);
  assert.deepEqual(two, ['3: 1.00000', '4: 1.00000', '5: 1.00000']);
  // All of one site: each page counts as one.
  const links = '1>0 2>0 1>3 2>3 2>4';
  assert.deepEqual(listed(links, [7, 7, 7, 7, 7]), listed(links, [0, 1, 2, 3, 4]));
  assert.equal(listed(links, [7, 7, 7, 7, 7]).length, 2);
});

test('authorities of a graph worked by hand', () => {
  // Hubs 3 and 4 are of one site: 3 links to 0, 1, 2 and to 4, 4 links to 1. With x, y, z for 0, 1, 2, a round makes
  // x + y + z of x and of z and (x + y + z) / 2 + y / 2 of y, so that y / x becomes the golden ratio less 1.
  const graph = graphFrom(5, '3>0 3>1 3>2 3>4 4>1');
  const { ids, scores, votersOf } = companions(graph, 0, (page) => [1, 2, 3, 4, 4][page]!);
  assert.deepEqual([...ids], [2, 1]);
  assert.equal(scores[0], 1);
  assert.ok(close(scores[1]!, (Math.sqrt(5) - 1) / 2), `${scores[1]}`);
  assert.deepEqual([votersOf(1), votersOf(2)], [[3, 4], [3]]);
  assert.equal(companions(graphOf([[], []]), 0, (page) => page).ids.length, 0, 'no links');
});

test('what only the number of rounds gives a value is not listed', () => {
  // Parents 1 to 5 of page 0 link to 6, 7 and 8 too. Its child 9 has another parent, 10: the authority of 9 gets smaller in
  // each round by the ratio of the greatest values of both parts, 4 to 20.
  const parents = [1, 2, 3, 4, 5].map((parent) => `${parent}>0 ${parent}>6 ${parent}>7 ${parent}>8`);
  const { ids, scores } = companions(graphFrom(11, `${parents.join(' ')} 0>9 10>9`), 0, (page) => page);
  assert.deepEqual([...ids], [6, 7, 8]);
  assert.deepEqual([...scores], [1, 1, 1]);
});

test('authorities by matrices, on random graphs', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const targets = randomTargets(25, 6, seed);
    const site = (page: number) => page % 7;
    const page = seed;
    const hasLink = (a: number, b: number) => targets[a]!.includes(b);
    const all = [...targets.keys()];
    const parents = all.filter((p) => hasLink(p, page));
    const children = targets[page]!;
    const nodes = all.filter(
      (n) =>
        n === page ||
        parents.includes(n) ||
        children.includes(n) ||
        parents.some((p) => hasLink(p, n)) ||
        children.some((c) => hasLink(n, c)),
    );
    const leaves = (a: number, b: number) => hasLink(a, b) && site(a) !== site(b);
    if (!nodes.some((a) => nodes.some((b) => leaves(a, b)))) continue;
    const k = (a: number, b: number) => nodes.filter((o) => site(o) === site(a) && leaves(o, b)).length;
    const l = (a: number, b: number) => nodes.filter((o) => site(o) === site(b) && leaves(a, o)).length;
    let hub = new Map(nodes.map((n) => [n, 1]));
    let authority = hub;
    const scaled = (of: (n: number) => number) => {
      const values = nodes.map(of);
      const length = Math.hypot(...values);
      return new Map(nodes.map((n, i) => [n, values[i]! / length]));
    };
    const links = nodes.flatMap((a) =>
      nodes.filter((b) => leaves(a, b)).map((b) => ({ a, b, k: k(a, b), l: l(a, b) })),
    );
    const [into, from] = [Map.groupBy(links, ({ b }) => b), Map.groupBy(links, ({ a }) => a)];
    for (let round = 0; round < 1000; round++) {
      authority = scaled((n) => (into.get(n) ?? []).reduce((sum, { a, k }) => sum + hub.get(a)! / k, 0));
      hub = scaled((n) => (from.get(n) ?? []).reduce((sum, { b, l }) => sum + authority.get(b)! / l, 0));
    }
    const greatest = Math.max(...nodes.filter((n) => n !== page).map((n) => authority.get(n)!));
    const found = companions(graphOf(targets), page, site, ALL);
    const score = new Map(Array.from(found.ids, (id, i) => [id, found.scores[i]!]));
    for (const n of nodes.filter((n) => n !== page)) {
      // Rounds end where hardly anything changes: a value that fades away may be a little off.
      assert.ok(Math.abs((score.get(n) ?? 0) - authority.get(n)! / greatest) < 1e-3, `${seed}: ${n}`);
    }
  }
});

test('the graph around a page: parents, siblings, children, mates, and no others', () => {
  const graph = graphFrom(9, '1>0 1>2 1>3 0>4 5>4 6>5 4>7 3>8');
  assert.deepEqual([...vicinity(graph, 0)], [0, 1, 2, 3, 4, 5]);
  assert.deepEqual([...vicinity(graph, 0, { ...VICINITY_LIMITS, matesAChild: 0 })], [0, 1, 2, 3, 4]);
  assert.deepEqual([...vicinity(graph, 0, { ...VICINITY_LIMITS, children: 0 })], [0, 1, 2, 3]);
});

test('of a long row the links next to that to the page, of many parents some from end to end', () => {
  const row = Array.from({ length: 30 }, (_, i) => i);
  const graph = graphOf([...row.map(() => []), row]);
  assert.deepEqual(
    [...vicinity(graph, 15)].sort((a, b) => a - b),
    [11, 12, 13, 14, 15, 16, 17, 18, 19, 30],
  );
  assert.deepEqual(
    [...vicinity(graph, 1)].sort((a, b) => a - b),
    [0, 1, 2, 3, 4, 5, 30],
  );
  const popular = graphOf([[], ...Array.from({ length: 40 }, () => [0])]);
  const some = [...vicinity(popular, 0, { ...VICINITY_LIMITS, parents: 4 })];
  assert.deepEqual(some, [0, 1, 11, 21, 31]);
});

test('what very many pages link to stays out, unless it is the page itself', () => {
  // 60 pages link to page 0; page 1 is linked to beside it and beside page 2.
  const graph = graphOf([[], [], [], ...Array.from({ length: 60 }, (_, i) => (i < 3 ? [0, 1, 2] : [0]))]);
  assert.ok(!vicinity(graph, 1).includes(0));
  assert.ok(vicinity(graph, 1).includes(2));
  assert.ok(vicinity(graph, 0).includes(1), 'of the page itself');
});

test('nodes of more than ten links of which 95 % are in both become one', () => {
  const links = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => 10 + from + i);
  const targets = [
    links(0, 40),
    links(1, 40),
    links(3, 40),
    links(0, 10),
    links(0, 10),
    links(0, 11),
    links(0, 11),
    ...Array.from({ length: 50 }, () => [] as number[]),
  ];
  const leaders = mergedNodes(
    graphOf(targets),
    Uint32Array.from({ length: 8 }, (_, i) => i),
  );
  // 39 of 40 are in both 0 and 1, 37 of 40 in 0 and 2; rows of ten never merge, equal rows of eleven do.
  assert.deepEqual([...leaders], [0, 0, 2, 3, 4, 5, 5, 7]);
});

test('a node that is alike to two goes to the first of them', () => {
  const links = (from: number) => Array.from({ length: 40 }, (_, i) => 3 + from + i);
  const pages = Array.from({ length: 44 }, () => [] as number[]);
  // 38 of 40 are in both of the last and each other row, 36 in the two others.
  for (const [one, other] of [
    [0, 4],
    [4, 0],
  ] as const) {
    const graph = graphOf([links(one), links(other), links(2), ...pages]);
    assert.deepEqual([...mergedNodes(graph, Uint32Array.of(0, 1, 2))], [0, 1, 0]);
  }
});

test('two nodes with a great many links are compared once', () => {
  // Of 40,000 links each 90 % are in both; two more pages link to the others, so that the rarest are all in both.
  const links = (from: number, count = 40_000) => Array.from({ length: count }, (_, i) => 4 + from + i);
  const others = [...links(0, 4000), ...links(40_000, 4000)];
  const pages = Array.from({ length: 44_000 }, () => [] as number[]);
  const graph = graphOf([links(0), links(4000), others, others, ...pages]);
  mergedNodes(graph, Uint32Array.of(0, 1));
  const usedMs = processorMs(() => mergedNodes(graph, Uint32Array.of(0, 1)));
  assert.ok(usedMs < 60, `${usedMs} ms`);
});

test('near copies of a hub have one vote together', () => {
  const menu = Array.from({ length: 12 }, (_, i) => 10 + i);
  // Pages 0 and 1 are cited by hub 2 and its copies 3 and 4, pages 0 and 5 by hubs 6 and 7; every page is a site.
  const targets = Array.from({ length: 22 }, (): number[] => []);
  for (const hub of [2, 3, 4]) targets[hub] = [0, 1, ...menu];
  for (const hub of [6, 7]) targets[hub] = [0, 5];
  const graph = graphOf(targets);
  const found = companions(graph, 0, (page) => page, { ...ALL, siblingsAParent: 2 });
  assert.equal(found.ids[0], 5, 'two hubs against one');
});
