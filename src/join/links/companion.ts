/**
 * Companion: pages that are authorities in the graph around a page, by the votes of its hubs.
 *
 *     vicinity -> near duplicates merged -> weights of links -> hubs and authorities
 *
 * A link within a site counts nothing. Of k links from one site to a page each is worth 1/k to the page, of l links
 * from a page to one site each is worth 1/l to the page that links. Where no link around the page leaves its site - an
 * index of one site - every page counts as a site of its own, so that all links count 1.
 *
 * Source  J. Dean and M. Henzinger (1999); weights: K. Bharat and M. Henzinger (1998).
 */
import type { LinkGraph } from './link-graph.ts';
import { mergedNodes, VICINITY_LIMITS, vicinity } from './vicinity.ts';

/** Share of the greatest authority below which a page is not listed: such values only tell how many rounds were made. */
const LEAST_SHARE = 1e-6;
const MAX_ROUNDS = 100;
/** Largest change of a value in a round from which on nothing changes any more; the values are below 1. */
const STILL = 1e-6;

/** Links of the vicinity graph, by places of nodes; link i is entry i of each column. */
interface WeightedLinks {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly authorityWeights: Float64Array;
  readonly hubWeights: Float64Array;
}

interface Companions {
  /** Best first, ties by page id. */
  readonly ids: Uint32Array;
  /** Authority of each as a share of the greatest, 1e-6 or more. */
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
  const links = weighLinks(linksBetween(graph, nodes, leaders), nodes.map(siteOf));
  const { authorities, hubs } = hubsAndAuthorities(nodes.length, links);
  // The first node is the page, and stands for all that are alike.
  const others = Array.from(nodes.keys()).filter((node) => node !== 0 && authorities[node]! > 0);
  const greatest = others.reduce((most, node) => Math.max(most, authorities[node]!), 0);
  const best = others
    .filter((node) => authorities[node]! >= LEAST_SHARE * greatest)
    .sort((a, b) => authorities[b]! - authorities[a]! || nodes[a]! - nodes[b]!);
  return {
    ids: Uint32Array.from(best, (node) => nodes[node]!),
    scores: Float64Array.from(best, (node) => authorities[node]! / greatest),
    votersOf: (listed) => votersOf(nodes.indexOf(listed), links, hubs).map((node) => nodes[node]!),
  };
}

/** Nodes that link to one, the one whose vote counts most first. */
function votersOf(node: number, links: WeightedLinks, hubs: Float64Array): number[] {
  const { from, to, authorityWeights } = links;
  const vote = (link: number) => hubs[from[link]!]! * authorityWeights[link]!;
  return Array.from(to.keys())
    .filter((link) => to[link] === node && vote(link) > 0)
    .sort((a, b) => vote(b) - vote(a) || from[a]! - from[b]!)
    .map((link) => from[link]!);
}

/** Links between nodes, those of merged nodes as one's: from, to, from, to, ... */
function linksBetween(graph: LinkGraph, nodes: Uint32Array, leaders: Uint32Array): Uint32Array {
  const placeOf = new Map(Array.from(nodes, (page, place) => [page, place]));
  const keys: number[] = [];
  const { ends, ids } = graph.out;
  for (const [place, page] of nodes.entries()) {
    const from = leaders[place]!;
    for (let i = ends[page]!; i < ends[page + 1]!; i++) {
      const at = placeOf.get(ids[i]!);
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

/** Links as `from, to` by turns, and the site of each node; links within a site are left out. */
function weighLinks(links: Uint32Array, sites: Uint32Array): WeightedLinks {
  const all = Array.from({ length: links.length / 2 }, (_, i) => 2 * i);
  const across = all.filter((at) => sites[links[at]!] !== sites[links[at + 1]!]);
  const kept = across.length > 0 ? across : all;
  const groups = across.length > 0 ? numbered(sites) : Uint32Array.from(sites.keys());
  const from = Uint32Array.from(kept, (at) => links[at]!);
  const to = Uint32Array.from(kept, (at) => links[at + 1]!);
  return { from, to, authorityWeights: shares(to, from, groups), hubWeights: shares(from, to, groups) };
}

/** Of k links that a page has with one group each gets 1/k. */
function shares(pages: Uint32Array, others: Uint32Array, groups: Uint32Array): Float64Array {
  const counts = new Map<number, number>();
  const keys = pages.map((page, link) => page * groups.length + groups[others[link]!]!);
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const weights = new Float64Array(keys.length);
  for (let link = 0; link < keys.length; link++) weights[link] = 1 / counts.get(keys[link]!)!;
  return weights;
}

/** Distinct values as 0, 1, 2, ... in the order they come. */
function numbered(values: Uint32Array): Uint32Array {
  const numbers = new Map<number, number>();
  return values.map((value) => {
    if (!numbers.has(value)) numbers.set(value, numbers.size);
    return numbers.get(value)!;
  });
}

/** Algorithm imp: of each node its values, of which each kind has length 1 as a vector; 0 where there are no links. */
function hubsAndAuthorities(
  nodeCount: number,
  { from, to, authorityWeights, hubWeights }: WeightedLinks,
): { readonly authorities: Float64Array; readonly hubs: Float64Array } {
  let hubs = new Float64Array(nodeCount).fill(1);
  let authorities = new Float64Array(nodeCount);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const nextAuthorities = new Float64Array(nodeCount);
    for (let i = 0; i < to.length; i++) nextAuthorities[to[i]!]! += hubs[from[i]!]! * authorityWeights[i]!;
    scaleToOne(nextAuthorities);
    const nextHubs = new Float64Array(nodeCount);
    for (let i = 0; i < to.length; i++) nextHubs[from[i]!]! += nextAuthorities[to[i]!]! * hubWeights[i]!;
    scaleToOne(nextHubs);
    const change = Math.max(greatestChange(authorities, nextAuthorities), greatestChange(hubs, nextHubs));
    authorities = nextAuthorities;
    hubs = nextHubs;
    if (change < STILL) break;
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
