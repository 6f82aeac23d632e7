import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assignCenters, centersOfPairs, centersOfTwins } from '../../src/cluster/center.ts';
import { graphFromPairs, type SymmetricGraph } from '../../src/cluster/symmetric-graph.ts';
import type { SimilarPairs } from '../../src/join/pairs/similar-pairs.ts';
import { Random } from '../../src/lib/random.ts';
import { expandTwins } from '../join/expand-twins.ts';

function randomPairs(pageCount: number, density: number, seed: number): SimilarPairs {
  const random = new Random(seed);
  const representative = Uint32Array.from({ length: pageCount }, (_, page) => page);
  for (let page = 1; page < pageCount; page++) {
    if (random.below(5) === 0) representative[page] = representative[random.below(page)]!;
  }
  const rows: [number, number][] = [];
  for (let a = 0; a < pageCount; a++) {
    for (let b = a + 1; b < pageCount; b++) {
      if (representative[a] !== a || representative[b] !== b) continue;
      if (random.below(100) < density) rows.push([a, b]);
    }
  }
  return {
    a: Uint32Array.from(rows, (row) => row[0]),
    b: Uint32Array.from(rows, (row) => row[1]),
    agreement: new Uint16Array(rows.length).fill(20),
    total: 80,
    representative,
  };
}

/** The paper's scan as written: over all pairs both ways, sorted by their first page. */
function scanPairs(pageCount: number, pairs: Pick<SimilarPairs, 'a' | 'b'>): number[] {
  const both = Array.from(pairs.a, (a, i): [number, number] => [a, pairs.b[i]!]);
  both.push(...both.map(([a, b]): [number, number] => [b, a]));
  both.sort((x, y) => x[0] - y[0] || x[1] - y[1]);
  const center: number[] = new Array(pageCount).fill(-1);
  for (const [page, other] of both) {
    if (center[page] === -1) center[page] = page;
    if (center[page] === page && center[other] === -1) center[other] = page;
  }
  return center.map((owner, page) => (owner === -1 ? page : owner));
}

/** Rounds: a page with no undecided lower neighbor is a center, and its neighbors are decided. */
function inRounds(graph: SymmetricGraph): { center: number[]; rounds: number } {
  const pageCount = graph.offsets.length - 1;
  const of = (page: number) => graph.neighbors.subarray(graph.offsets[page]!, graph.offsets[page + 1]!);
  const decided = new Array<boolean>(pageCount).fill(false);
  const isCenter = new Array<boolean>(pageCount).fill(false);
  let rounds = 0;
  while (decided.includes(false)) {
    rounds++;
    const undecided = decided.flatMap((done, page) => (done ? [] : [page]));
    const chosen = undecided.filter((page) => of(page).every((other) => other > page || decided[other]));
    for (const page of chosen) {
      isCenter[page] = decided[page] = true;
      for (const other of of(page)) decided[other] = true;
    }
  }
  const center = Array.from({ length: pageCount }, (_, page) =>
    isCenter[page] ? page : of(page).find((other) => isCenter[other])!,
  );
  return { center, rounds };
}

const cases = fc.record({
  pages: fc.integer({ min: 1, max: 70 }),
  density: fc.integer({ min: 0, max: 40 }),
  seed: fc.integer(),
});

test('CENTER over a graph or over blocks of pairs gives what the scan over all pairs and the rounds give', () => {
  fc.assert(
    fc.property(cases, ({ pages, density, seed }) => {
      const pairs = randomPairs(pages, density, seed);
      const graph = graphFromPairs(pairs);
      const center = assignCenters(graph);
      assert.deepEqual(Array.from(center), scanPairs(pages, pairs));
      assert.deepEqual(Array.from(center), inRounds(graph).center);
      const half = pairs.a.length >> 1;
      const blocks = [
        { a: pairs.a.subarray(0, half), b: pairs.b.subarray(0, half) },
        { a: pairs.a.subarray(half), b: pairs.b.subarray(half) },
      ];
      assert.deepEqual(centersOfPairs(pages, blocks), center);
    }),
    { seed: 41, numRuns: 200 },
  );
});

test('every member has a similar pair with its center, and no two centers have one', () => {
  fc.assert(
    fc.property(cases, ({ pages, density, seed }) => {
      const graph = graphFromPairs(randomPairs(pages, density, seed));
      const center = assignCenters(graph);
      for (let page = 0; page < pages; page++) {
        const similar = graph.neighbors.subarray(graph.offsets[page]!, graph.offsets[page + 1]!);
        if (center[page] !== page) assert.ok(similar.includes(center[page]!));
        else assert.ok(similar.every((other) => center[other] !== other));
      }
    }),
    { seed: 42, numRuns: 200 },
  );
});

test('twins land where a scan over all their pairs would put them', () => {
  fc.assert(
    fc.property(cases, ({ pages, density, seed }) => {
      const pairs = randomPairs(pages, density, seed);
      const center = centersOfTwins(assignCenters(graphFromPairs(pairs)), pairs.representative);
      assert.deepEqual(Array.from(center), scanPairs(pages, expandTwins(pairs)));
    }),
    { seed: 43, numRuns: 200 },
  );
});
