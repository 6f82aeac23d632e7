/**
 * The graph around a page, in which Companion looks for authorities.
 *
 *     parents    that link to it: 500 at most, evenly spaced        siblings    their other children: of each the 8
 *                                                                               whose links stand next to that to it
 *     children   that it links to: the first 8                      mates       other parents of these: of each the
 *                                                                               8 with the most links to them
 *
 * A page that one page in a hundred and more than 50 link to says nothing of what it is linked beside, and stays out,
 * unless the page itself is one: the stop list of the paper, by a rule. Nodes of more than ten links that are alike by
 * 95 % are one.
 *
 * Links stand in a row by page id, which is the order of URLs, where the paper has the order on the page: with either,
 * as many of ten answers share a category on 2,295 articles (.16).
 *
 * Source  J. Dean and M. Henzinger (1999), who take 2,000 parents and find results as good with fewer, and do not tell how
 *         many children and mates they take. 2,000 take .19 s at worst among a million pages, which is too long for others.
 */
import { BoundedHeap } from '../../lib/bounded-heap.ts';
import { listIn } from '../../lib/kept.ts';
import { commonPages, type LinkGraph, rowLength, rowOf } from './link-graph.ts';

interface VicinityLimits {
  readonly parents: number;
  readonly siblingsAParent: number;
  readonly children: number;
  readonly matesAChild: number;
  /** In-links from which on a page stays out: more than this, and than one page in `stopShare`. */
  readonly stopInLinks: number;
  readonly stopShare: number;
}

export const VICINITY_LIMITS: VicinityLimits = {
  parents: 500,
  siblingsAParent: 8,
  children: 8,
  matesAChild: 8,
  stopInLinks: 50,
  stopShare: 100,
};

const LEAST_ALIKE_LINKS = 11;
const ALIKE = 0.95;

/** Page ids, `page` first. */
export function vicinity(graph: LinkGraph, page: number, limits = VICINITY_LIMITS): Uint32Array {
  const pageCount = graph.in.ends.length - 1;
  const stop = Math.max(limits.stopInLinks, pageCount / limits.stopShare);
  const isOut =
    rowLength(graph.in, page) > stop ? () => false : (other: number) => rowLength(graph.in, other) > stop;
  const nodes = new Set([page]);
  for (const parent of evenly(rowOf(graph.in, page), limits.parents)) {
    if (isOut(parent)) continue;
    nodes.add(parent);
    for (const sibling of around(rowOf(graph.out, parent), page, limits.siblingsAParent)) {
      if (!isOut(sibling)) nodes.add(sibling);
    }
  }
  const children = rowOf(graph.out, page).filter((child) => !isOut(child));
  for (const child of children.subarray(0, limits.children)) {
    nodes.add(child);
    const mates = new BoundedHeap(limits.matesAChild);
    for (const mate of evenly(rowOf(graph.in, child), limits.parents)) {
      if (mate !== page && !isOut(mate)) mates.offer(rowLength(graph.in, mate), mate, 0);
    }
    mates.sort();
    for (const mate of mates.ids.subarray(0, mates.size)) nodes.add(mate);
  }
  return Uint32Array.from(nodes);
}

/** At most `count` of a row, as far apart as can be. */
function* evenly(row: Uint32Array, count: number): IterableIterator<number> {
  const step = Math.max(1, row.length / count);
  for (let at = 0; at < row.length; at += step) yield row[Math.floor(at)]!;
}

/** The `count` that stand next to `page` in a row, half before and half after; all of a row of hardly more. */
function around(row: Uint32Array, page: number, count: number): Uint32Array {
  if (row.length <= count + 1) return row;
  const at = row.indexOf(page);
  return row.subarray(Math.max(0, at - count / 2), at + count / 2 + 1);
}

/**
 * Nodes that are nearly one: each to the place of the first that it is alike. Two are where both have more than ten links
 * and 95 % of the links of the longer row are in both.
 *
 * Rows so alike share one of their rarest targets, 5 % of each and one: only these are looked up.
 */
export function mergedNodes(graph: LinkGraph, nodes: Uint32Array): Uint32Array {
  const leaders = Uint32Array.from(nodes.keys());
  const byRarest = new Map<number, number[]>();
  for (const [place, page] of nodes.entries()) {
    const row = rowOf(graph.out, page);
    if (row.length < LEAST_ALIKE_LINKS) continue;
    const rarest = rarestOf(graph, row, row.length - Math.ceil(ALIKE * row.length) + 1);
    const leader = leaderOf(rarest, byRarest, (other) => isAlike(row, rowOf(graph.out, nodes[other]!)));
    if (leader >= 0) {
      leaders[place] = leader;
      continue;
    }
    for (const id of rarest) listIn(byRarest, id).push(place);
  }
  return leaders;
}

/** The first place that `isLeader` takes, each asked about once; -1 for none. */
function leaderOf(
  rarest: Uint32Array,
  byRarest: ReadonlyMap<number, readonly number[]>,
  isLeader: (place: number) => boolean,
): number {
  let first = Number.POSITIVE_INFINITY;
  const others = new Set<number>();
  for (const id of rarest) {
    for (const place of byRarest.get(id) ?? []) {
      // Places ascend.
      if (place >= first) break;
      if (others.has(place)) continue;
      if (isLeader(place)) first = place;
      else others.add(place);
    }
  }
  return first < Number.POSITIVE_INFINITY ? first : -1;
}

/** The `count` of a row that the fewest pages link to, ties by page id. */
function rarestOf({ in: { ends } }: LinkGraph, row: Uint32Array, count: number): Uint32Array {
  const heap = new BoundedHeap(count);
  for (let i = 0; i < row.length; i++) {
    const target = row[i]!;
    const length = ends[target + 1]! - ends[target]!;
    if (-length >= heap.bound(Number.NEGATIVE_INFINITY)) heap.offer(-length, target, 0);
  }
  return heap.ids;
}

function isAlike(a: Uint32Array, b: Uint32Array): boolean {
  const least = ALIKE * Math.max(a.length, b.length);
  if (Math.min(a.length, b.length) < least) return false;
  return commonPages(a, b).length >= least;
}
