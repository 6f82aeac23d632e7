/**
 * CENTER: one scan over the similar pairs in page order. A page met while it is in no cluster becomes a center
 * and takes every similar page that is in no cluster yet.
 *
 *   pairs  0-2  1-2  1-3  3-4      ->   {0, 2}  {1, 3}  {4}
 *
 * Every member has a similar pair with its center, so clusters do not chain; two centers never do. The set of
 * centers is the lexicographic-first maximal independent set of the graph, so it can also be found in rounds
 * (Blelloch, Fineman, Shun, SPAA 2012), with the same result; four or five rounds are usual.
 *
 * Assumes a symmetric graph. The result depends on the order of pages: here that of their URLs, as printed.
 * Cost    one look at each edge of a center, 15 to 40 ns.
 * Source  Haveliwala, Gionis, Indyk, WebDB 2000, section 4.1.
 */
import { NONE } from '../lib/columns/indexes.ts';
import type { SymmetricGraph } from './symmetric-graph.ts';

/** Pairs a < b. */
interface PairEnds {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
}

/** Uint32Array(n): the center of each page, the page itself where it is one. A page without pairs is alone. */
export function assignCenters(graph: SymmetricGraph): Uint32Array {
  const { offsets, neighbors } = graph;
  const center = new Uint32Array(offsets.length - 1).fill(NONE);
  for (let page = 0; page < center.length; page++) {
    if (center[page] !== NONE) continue;
    center[page] = page;
    for (let edge = offsets[page]!; edge < offsets[page + 1]!; edge++) {
      const other = neighbors[edge]!;
      if (center[other] === NONE) center[other] = page;
    }
  }
  return center;
}

/**
 * The same from the pairs themselves, block by block, sorted by (a, b) over all blocks: one look at each, and no graph.
 * Pairs one way are enough, as a lower page has done its taking when a page's turn comes.
 */
export function centersOfPairs(pageCount: number, blocks: Iterable<PairEnds>): Uint32Array {
  const center = new Uint32Array(pageCount).fill(NONE);
  for (const { a, b } of blocks) {
    for (let i = 0; i < a.length; i++) {
      const page = a[i]!;
      if (center[page] === NONE) center[page] = page;
      if (center[page] === page && center[b[i]!] === NONE) center[b[i]!] = page;
    }
  }
  for (let page = 0; page < pageCount; page++) if (center[page] === NONE) center[page] = page;
  return center;
}

/**
 * Puts twins where their representatives are. A twin comes after its representative and is similar to the same
 * pages, so this is what a scan over the written-out pairs would give.
 */
export function centersOfTwins(center: Uint32Array, representative: Uint32Array): Uint32Array {
  return representative.map((owner) => center[owner]!);
}
