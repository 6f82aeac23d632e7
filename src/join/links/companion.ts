/**
 * Companion: pages that are authorities in the graph around a page, by the votes of its hubs.
 *
 *     vicinity -> near duplicates merged -> weights of links -> hubs and authorities
 *
 * A link within a site counts nothing. Of k links from one site to a page each is worth 1/k to the page, of l links
 * from a page to one site each is worth 1/l to the page that links. Where no link around the page leaves its site - an
 * index of one site - every page is taken for a site of its own, so that all links count 1.
 *
 * Source  J. Dean and M. Henzinger (1999); weights: K. Bharat and M. Henzinger (1998).
 */
import { type LinkGraph, rowOf } from './link-graph.ts';
import { mergedNodes, VICINITY_LIMITS, vicinity } from './vicinity.ts';

const MAX_ROUNDS = 100;
/** Largest change of a value in a round from which on nothing changes any more; the values are below 1. */
const SETTLED = 1e-7;

/** A link of the vicinity graph, by places of nodes. */
export interface WeightedLink {
  readonly from: number;
  readonly to: number;
  readonly authorityWeight: number;
  readonly hubWeight: number;
}

export interface Companions {
  /** Best first, ties by page id. */
  readonly ids: Uint32Array;
  /** Authority of each as a share of the greatest, above 0. */
  readonly scores: Float64Array;
  /** Pages of the graph that link to one of `ids`, the one whose vote counts most first. */
  votersOf(page: number): number[];
}

export function companions(
  graph: LinkGraph,
  page: number,
  siteOf: (page: number) => number,
  limits = VICINITY_LIMITS,
): Companions {
  const nodes = vicinity(graph, page, limits);
  const leaders = mergedNodes(graph, nodes);
  const links = weighLinks(linksBetween(graph, nodes, leaders), (node) => siteOf(nodes[node]!));
  const { authorities, hubs } = hubsAndAuthorities(nodes.length, links);
  // The first node is the page, and stands for all that are alike.
  const best = Array.from(nodes.keys())
    .filter((node) => node !== 0 && authorities[node]! > 0)
    .sort((a, b) => authorities[b]! - authorities[a]! || nodes[a]! - nodes[b]!);
  const greatest = authorities[best[0] ?? 0]!;
  return {
    ids: Uint32Array.from(best, (node) => nodes[node]!),
    scores: Float64Array.from(best, (node) => authorities[node]! / greatest),
    votersOf: (listed) => {
      const node = nodes.indexOf(listed);
      const vote = ({ from, authorityWeight }: WeightedLink) => hubs[from]! * authorityWeight;
      return links
        .filter((link) => link.to === node && vote(link) > 0)
        .sort((a, b) => vote(b) - vote(a) || nodes[a.from]! - nodes[b.from]!)
        .map(({ from }) => nodes[from]!);
    },
  };
}

/** Links between nodes, those of merged nodes as one's: from, to, from, to, ... */
function linksBetween(graph: LinkGraph, nodes: Uint32Array, leaders: Uint32Array): Uint32Array {
  const placeOf = new Map(Array.from(nodes, (page, place) => [page, place]));
  const keys: number[] = [];
  for (const [place, page] of nodes.entries()) {
    const from = leaders[place]!;
    for (const target of rowOf(graph.out, page)) {
      const at = placeOf.get(target);
      if (at !== undefined && leaders[at] !== from) keys.push(from * nodes.length + leaders[at]!);
    }
  }
  const links = new Uint32Array(2 * keys.length);
  let count = 0;
  let before = -1;
  for (const key of Float64Array.from(keys).sort()) {
    if (key === before) continue;
    before = key;
    links[count++] = Math.floor(key / nodes.length);
    links[count++] = key % nodes.length;
  }
  return links.subarray(0, count);
}

/** Links as `from, to` by turns; those within a site are left out. */
export function weighLinks(links: Uint32Array, siteOf: (node: number) => number): WeightedLink[] {
  const leavesSite = (at: number) => siteOf(links[at]!) !== siteOf(links[at + 1]!);
  const all = Array.from({ length: links.length / 2 }, (_, i) => 2 * i);
  const across = all.filter(leavesSite);
  const [kept, groupOf] = across.length > 0 ? [across, siteOf] : [all, (node: number) => node];
  const fromSite = new Map<string, number>();
  const toSite = new Map<string, number>();
  const keys = kept.map((at) => {
    const [from, to] = [links[at]!, links[at + 1]!];
    const [into, outOf] = [`${groupOf(from)} ${to}`, `${from} ${groupOf(to)}`];
    fromSite.set(into, (fromSite.get(into) ?? 0) + 1);
    toSite.set(outOf, (toSite.get(outOf) ?? 0) + 1);
    return { from, to, into, outOf };
  });
  return keys.map(({ from, to, into, outOf }) => {
    return { from, to, authorityWeight: 1 / fromSite.get(into)!, hubWeight: 1 / toSite.get(outOf)! };
  });
}

/** Algorithm imp: of each node its values, of which each kind has length 1 as a vector; 0 where there are no links. */
export function hubsAndAuthorities(
  nodeCount: number,
  links: readonly WeightedLink[],
): { readonly authorities: Float64Array; readonly hubs: Float64Array } {
  let hubs = new Float64Array(nodeCount).fill(1);
  let authorities = new Float64Array(nodeCount);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const nextAuthorities = new Float64Array(nodeCount);
    for (const { from, to, authorityWeight } of links) nextAuthorities[to]! += hubs[from]! * authorityWeight;
    scaleToOne(nextAuthorities);
    const nextHubs = new Float64Array(nodeCount);
    for (const { from, to, hubWeight } of links) nextHubs[from]! += nextAuthorities[to]! * hubWeight;
    scaleToOne(nextHubs);
    const change = Math.max(greatestChange(authorities, nextAuthorities), greatestChange(hubs, nextHubs));
    authorities = nextAuthorities;
    hubs = nextHubs;
    if (change < SETTLED) break;
  }
  return { authorities, hubs };
}

function scaleToOne(values: Float64Array): void {
  let squares = 0;
  for (const value of values) squares += value * value;
  if (squares === 0) return;
  const length = Math.sqrt(squares);
  for (let i = 0; i < values.length; i++) values[i]! /= length;
}

function greatestChange(before: Float64Array, after: Float64Array): number {
  let change = 0;
  for (let i = 0; i < after.length; i++) change = Math.max(change, Math.abs(after[i]! - before[i]!));
  return change;
}
