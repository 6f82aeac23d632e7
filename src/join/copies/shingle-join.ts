/**
 * All pairs of pages that are copies of each other, by their shingle sketches: the second and third of
 * the four phases (sketch; sort <shingle, page>; count shared shingles by pair; cluster).
 *
 *   sketch keys --> <key, page> sorted, in parts by key --> lists of 2..1000 pages
 *     --> per page: how many lists it shares with each later page --> likely pairs --> both whole sketches
 *
 * Two pages meet where a key that one of them is listed by (`sketch/lookup-keys.ts`) is a key of the other. How many such
 * keys they share shows, within four standard errors, whether they can reach the threshold; then the sketches are
 * compared, so the figures reported are those of `overlapOf`, and the order of pages changes nothing.
 *
 * With `by` super shingles the candidates are the pages that share one of those. Few pages do, but it is blind to
 * containment, to pages too short for one, and to most pairs of low resemblance: see `sketch/super-shingle.ts`.
 *
 * A shingle in more than `maxPagesPerShingle` pages is crowded: its pages, those of equal super shingles next to each
 * other, meet some 190 on either side (`candidate-lists.ts`). The holders of a text with many variants are one component
 * so, and each has more neighbours than its list can hold; which are its nearest of all, the list does not say.
 *
 * Memory   36 bytes a key of one part, 4 bytes for each that brings two pages or more together, 16 a crowded one.
 * Quality  against all shingles, w = 5, 400 keys a page: precision .93 and recall .97 at .9, .96 and .99 at .5; no
 *          pair that differs lies more than three standard errors from the threshold, half of them within one half.
 *          By containment an excerpt is found where enough of its keys are sampled: see `reachesThreshold`.
 * Source   Broder, Glassman, Manasse, Zweig, WWW6 1997, section 4.
 */
import { Uint32List } from '../../lib/uint32-list.ts';
import { lookupCount } from '../../sketch/lookup-keys.ts';
import { agreedSample, SLOT_LIMIT } from '../../sketch/permutations.ts';
import { countBelow, sharedCount } from '../../sketch/resemblance.ts';
import { type SketchTable, sketchAt, tableOf } from '../../sketch/sketch-table.ts';
import { superShingles } from '../../sketch/super-shingle.ts';
import { type CandidateLists, candidateLists, listsByPage } from './candidate-lists.ts';

export interface ShingleJoinOptions {
  /** What pages must share to be compared. Super shingles: measure resemblance. */
  readonly by: 'shingles' | 'super-shingles';
  readonly measure: CopyMeasure;
  /** Least resemblance, or least containment of either page in the other. 0 < t <= 1. */
  readonly threshold: number;
  readonly maxPagesPerShingle: number;
  /** The <shingle, page> entries are sorted in this many parts, to bound memory. */
  readonly partCount: number;
  /** A containment of fewer keys compared, where the page has more, must be two standard errors above the threshold. */
  readonly minimumSample: number;
}

export type CopyMeasure = 'resemblance' | 'containment';

export const DEFAULT_SHINGLE_JOIN: ShingleJoinOptions = {
  by: 'shingles',
  measure: 'resemblance',
  threshold: 0.5,
  maxPagesPerShingle: 1000,
  partCount: 1,
  minimumSample: 10,
};

/** Pairs a < b in the order of (a, b); equal length throughout. */
export interface SharedPairs {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  /** Keys shared, and keys of either page, below the common limit: resemblance = shared / (ofA + ofB - shared). */
  readonly shared: Uint32Array;
  readonly ofA: Uint32Array;
  readonly ofB: Uint32Array;
}

export interface ShingleJoinReport {
  /** <shingle, page> entries sorted. */
  readonly entryCount: number;
  /** Shingles in more than `maxPagesPerShingle` pages, and their entries. */
  readonly crowdedShingleCount: number;
  readonly crowdedEntryCount: number;
  /** Pages most of whose shingles are crowded in such a way that they did not meet all the pages that share them. */
  readonly crowdedPageCount: number;
  /** Pairs with at least one candidate shingle in common, and those compared. */
  readonly candidateCount: number;
  readonly comparedCount: number;
}

/**
 * Shape  isSilent Uint8Array(keys): 1 for an entry of `table.keys` that brings no pages together (in the comparison it
 *        counts); wanted Uint8Array(n): where it is given, only pairs with a page that is 1 there.
 */
export function joinShingles(
  table: SketchTable,
  options: ShingleJoinOptions = DEFAULT_SHINGLE_JOIN,
  isSilent?: Uint8Array,
  wanted?: Uint8Array,
): { pairs: SharedPairs; report: ShingleJoinReport } {
  const { pageCount, offsets, keys, limits } = table;
  const listedEnds = new Float64Array(pageCount);
  /** Below these a page is listed by all its keys. */
  const listedLimits = new Float64Array(pageCount);
  for (let page = 0; page < pageCount; page++) {
    const end = offsets[page]! + lookupCount(keys, offsets[page]!, offsets[page + 1]!);
    listedEnds[page] = end;
    listedLimits[page] = end === offsets[page + 1] ? limits[page]! : keys[end]!;
  }
  const silentOfPage = isSilent && countByPage(isSilent, offsets, pageCount);
  const supers = options.by === 'super-shingles' ? superShingleTable(table) : null;
  const crowdOrder = (page: number) => superShingles(sketchAt(table, page))[0] ?? 0;
  const { partCount, maxPagesPerShingle } = options;
  const limitsOfLists = { partCount, maxPagesPerShingle, crowdOrder };
  const lists =
    supers === null
      ? candidateLists(table, listedEnds, { ...limitsOfLists, ...(isSilent && { isSilent }) })
      : candidateLists(supers, supers.offsets.subarray(1), limitsOfLists);
  const listsOf = listsByPage(lists, pageCount);
  const found = {
    a: new Uint32List(),
    b: new Uint32List(),
    shared: new Uint32List(),
    ofA: new Uint32List(),
    ofB: new Uint32List(),
  };
  const counts = new Uint32Array(pageCount);
  const touched: number[] = [];
  // cursors[list]: first page of the list that is not yet visited.
  const cursors = lists.starts.slice();
  let candidateCount = 0;
  let comparedCount = 0;
  for (let a = 0; a < pageCount; a++) {
    for (let i = listsOf.starts[a]!; i < listsOf.starts[a + 1]!; i++) {
      const list = listsOf.members[i]!;
      const end = lists.starts[list + 1]!;
      for (let j = ++cursors[list]!; j < end; j++) {
        const b = lists.pages[j]!;
        if (wanted !== undefined && wanted[a] === 0 && wanted[b] === 0) continue;
        if (counts[b]!++ === 0) touched.push(b);
      }
    }
    candidateCount += touched.length;
    touched.sort(ascending);
    for (const b of touched) {
      const count = counts[b]!;
      counts[b] = 0;
      compare(a, b, count);
    }
    touched.length = 0;
  }

  /** Of slots, so many are shared at least where pages agree as often as the threshold says; by containment, any. */
  function compareSlots(a: number, b: number): void {
    comparedCount++;
    const [fromA, toA, fromB, toB] = [offsets[a]!, offsets[a + 1]!, offsets[b]!, offsets[b + 1]!];
    const least = options.measure === 'resemblance' ? options.threshold * (toA - fromA) - 1e-6 : 0;
    const shared = sharedCount(keys, fromA, toA, keys, fromB, toB, least);
    if (shared < 0) return;
    const { ofA, ofB } = agreedSample(shared, toA - fromA, table.shingleCounts[a]!, table.shingleCounts[b]!);
    keep(a, b, { shared, ofA, ofB });
  }

  /** Compares a pair, unless the `count` shared keys by which it met leave no chance that it reaches the threshold. */
  function compare(a: number, b: number, count: number): void {
    if (limits[a] === SLOT_LIMIT) {
      compareSlots(a, b);
      return;
    }
    const common = Math.min(limits[a]!, limits[b]!);
    const [fromA, fromB] = [offsets[a]!, offsets[b]!];
    const t = options.threshold;
    if (supers === null) {
      const limit = Math.min(Math.max(listedLimits[a]!, listedLimits[b]!), common);
      const metA = countBelow(keys, limit, fromA, offsets[a + 1]!);
      const metB = countBelow(keys, limit, fromB, offsets[b + 1]!);
      const smaller = Math.min(metA, metB);
      const most = Math.min(count + hiddenOf(a, b), smaller);
      const sampled = options.measure === 'containment' ? smaller : metA + metB - most;
      if (most < sampled * t - 4 * Math.sqrt(sampled * t * (1 - t)) - 1) return;
    }
    comparedCount++;
    const ofA = countBelow(keys, common, fromA, offsets[a + 1]!);
    const ofB = countBelow(keys, common, fromB, offsets[b + 1]!);
    // Rounded down by a hair, as reachesThreshold() has the last word.
    const least = options.measure === 'resemblance' ? (t / (1 + t)) * (ofA + ofB) : t * Math.min(ofA, ofB);
    const shared = sharedCount(keys, fromA, fromA + ofA, keys, fromB, fromB + ofB, least - 1e-6);
    if (shared < 0) return;
    keep(a, b, { shared, ofA, ofB });
  }

  function keep(a: number, b: number, { shared, ofA, ofB }: Record<'shared' | 'ofA' | 'ofB', number>): void {
    if (!reachesThreshold({ shared, ofA, ofB, limitOfA: limits[a]!, limitOfB: limits[b]! }, options)) return;
    found.a.push(a);
    found.b.push(b);
    found.shared.push(shared);
    found.ofA.push(ofA);
    found.ofB.push(ofB);
  }

  /** Keys that two pages may share without having met by them, at most. */
  function hiddenOf(a: number, b: number): number {
    const crowded = Math.min(lists.crowdedOfPage[a]!, lists.crowdedOfPage[b]!);
    return silentOfPage === undefined ? crowded : crowded + silentOfPage[a]! + silentOfPage[b]!;
  }

  return {
    pairs: {
      a: found.a.toArray(),
      b: found.b.toArray(),
      shared: found.shared.toArray(),
      ofA: found.ofA.toArray(),
      ofB: found.ofB.toArray(),
    },
    report: {
      entryCount: lists.entryCount,
      crowdedShingleCount: lists.crowdedShingleCount,
      crowdedEntryCount: lists.crowdedEntryCount,
      crowdedPageCount: crowdedPages(lists, offsets),
      candidateCount,
      comparedCount,
    },
  };
}

/**
 * Whether a pair is one of copies: by its keys below the common limit, and the limits of both sketches.
 *
 * Of a small sample a containment must be two standard errors above the threshold: at .5 four keys of four, eight of
 * nine. A verbatim excerpt of n words in a page of 7,500 and more has n / 25 keys to compare.
 */
export function reachesThreshold(
  pair: {
    readonly shared: number;
    readonly ofA: number;
    readonly ofB: number;
    readonly limitOfA: number;
    readonly limitOfB: number;
  },
  options: Pick<ShingleJoinOptions, 'measure' | 'threshold' | 'minimumSample'>,
): boolean {
  const { shared, ofA, ofB, limitOfA, limitOfB } = pair;
  const { measure, threshold: t, minimumSample } = options;
  if (shared === 0) return false;
  if (measure === 'resemblance') return shared >= t * (ofA + ofB - shared);
  const isIn = (of: number, isAll: boolean) => {
    const margin = isAll || of >= minimumSample ? 0 : 2 * Math.sqrt(of * t * (1 - t));
    return shared >= t * of + margin;
  };
  return isIn(ofA, limitOfA <= limitOfB) || isIn(ofB, limitOfB <= limitOfA);
}

function countByPage(marks: Uint8Array, offsets: Float64Array, pageCount: number): Uint32Array {
  const counts = new Uint32Array(pageCount);
  for (let page = 0; page < pageCount; page++) {
    for (let i = offsets[page]!; i < offsets[page + 1]!; i++) counts[page]! += marks[i]!;
  }
  return counts;
}

function crowdedPages({ crowdedOfPage, unmetOfPage }: CandidateLists, offsets: Float64Array): number {
  let count = 0;
  for (const [page, crowded] of crowdedOfPage.entries()) {
    if (unmetOfPage[page]! > 0 && 2 * crowded >= offsets[page + 1]! - offsets[page]!) count++;
  }
  return count;
}

/** The super shingles of each page, in place of its keys. */
function superShingleTable(table: SketchTable): SketchTable {
  const sketches = Array.from({ length: table.pageCount }, (_, page) => {
    const keys = superShingles(sketchAt(table, page));
    return { keys, limit: Number.POSITIVE_INFINITY, shingleCount: keys.length };
  });
  return tableOf(sketches);
}

function ascending(a: number, b: number): number {
  return a - b;
}
