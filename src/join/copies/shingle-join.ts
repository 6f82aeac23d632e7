/**
 * All pairs of pages that are copies of each other, by their shingle sketches: the second and third of
 * the four phases (sketch; sort <shingle, page>; count shared shingles by pair; cluster).
 *
 *   sketch keys --candidate keys--> <key, page> sorted, in parts by key --> lists of 2..1000 pages
 *     --> per page: how many lists it shares with each later page --> likely pairs --> both whole sketches
 *
 * Candidates come from the smallest `candidateKeys` keys of each page alone: a pair at the threshold
 * shares about threshold * candidateKeys of them, and goes on unless that count lies more than four
 * standard errors below. Then the sketches are compared, so the figures reported are those of `overlapOf`,
 * and the order of pages changes nothing. With Infinity every key is used, as printed, which a search by
 * containment needs: a small page and a large one share few of their smallest keys.
 *
 * With `by` super shingles the candidates are the pages that share one of those. Few pages do, but it is blind to
 * containment, to pages too short for one, and to most pairs of low resemblance: see `sketch/super-shingle.ts`.
 *
 * Shingles in more than `maxPagesPerShingle` pages find no candidates (in the comparison they count).
 *
 * Cost     53,293 pages of a crawl: 2.5 s at .9, 9 s at .5 (419,000 pairs), mod 25 as printed 1.7 s; made-up pages
 *          13-17 us each up to a million. Memory: 36 bytes a candidate key of one part, 8 bytes for each
 *          that is in two pages or more.
 * Quality  against all shingles, w = 5, 400 keys a page: precision .93 and recall .97 at .9, .96 and .99 at .5; no
 *          pair that differs lies more than three standard errors from the threshold, half of them within one half.
 *          By containment an excerpt is found where enough of its keys are sampled: of 100 tokens in a page of 500 to
 *          2,000 always, of 2,000 and more .76, of 8,000 and more .05; of 400 tokens always.
 * Source   Broder, Glassman, Manasse, Zweig, WWW6 1997, section 4.
 */
import { Uint32List } from '../../lib/uint32-list.ts';
import { countBelow, sharedCount } from '../../sketch/resemblance.ts';
import { type SketchTable, sketchAt, tableOf } from '../../sketch/sketch-table.ts';
import { superShingles } from '../../sketch/super-shingle.ts';
import { candidateLists, listsByPage } from './candidate-lists.ts';

export interface ShingleJoinOptions {
  /** What pages must share to be compared. Super shingles: measure resemblance, `candidateKeys` unused. */
  readonly by: 'shingles' | 'super-shingles';
  readonly measure: CopyMeasure;
  /** Least resemblance, or least containment of either page in the other. 0 < t <= 1. */
  readonly threshold: number;
  readonly maxPagesPerShingle: number;
  readonly candidateKeys: number;
  /** The <shingle, page> entries are sorted in this many parts, to bound memory. */
  readonly partCount: number;
  /** A containment is believed only of a page with this many keys compared, or all it has. */
  readonly minimumSample: number;
}

export type CopyMeasure = 'resemblance' | 'containment';

export const DEFAULT_SHINGLE_JOIN: ShingleJoinOptions = {
  by: 'shingles',
  measure: 'resemblance',
  threshold: 0.5,
  maxPagesPerShingle: 1000,
  candidateKeys: 64,
  partCount: 1,
  minimumSample: 10,
};

/** Pairs a < b in the order of (a, b); equal length throughout. */
export interface CopyPairs {
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
  readonly ignoredShingleCount: number;
  readonly ignoredEntryCount: number;
  /** Pairs with at least one candidate shingle in common, and those compared. */
  readonly candidateCount: number;
  readonly comparedCount: number;
}

/** Shape  wanted Uint8Array(n): where it is given, only pairs with a page that is 1 there. */
export function joinShingles(
  table: SketchTable,
  options: ShingleJoinOptions = DEFAULT_SHINGLE_JOIN,
  wanted?: Uint8Array,
): { pairs: CopyPairs; report: ShingleJoinReport } {
  const { pageCount, offsets, keys, limits } = table;
  const candidateEnds = new Float64Array(pageCount);
  for (let page = 0; page < pageCount; page++) {
    candidateEnds[page] = Math.min(offsets[page + 1]!, offsets[page]! + options.candidateKeys);
  }
  const candidateLimits = new Float64Array(pageCount);
  for (let page = 0; page < pageCount; page++) {
    const end = candidateEnds[page]!;
    candidateLimits[page] = end === offsets[page + 1] ? limits[page]! : keys[end]!;
  }
  const supers = options.by === 'super-shingles' ? superShingleTable(table) : null;
  const lists =
    supers === null
      ? candidateLists(table, candidateEnds, options)
      : candidateLists(supers, supers.offsets.subarray(1), options);
  const { listsOfPage, pageStarts } = listsByPage(lists, pageCount);
  const found = {
    a: new Uint32List(),
    b: new Uint32List(),
    shared: new Uint32List(),
    ofA: new Uint32List(),
    ofB: new Uint32List(),
  };
  const counts = new Uint32Array(pageCount);
  const touched: number[] = [];
  // A page's lists are walked from here on: pages up to the one in turn have been seen to.
  const cursors = lists.starts.slice();
  let candidateCount = 0;
  let comparedCount = 0;
  for (let a = 0; a < pageCount; a++) {
    for (let i = pageStarts[a]!; i < pageStarts[a + 1]!; i++) {
      const list = listsOfPage[i]!;
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
      if (!likely(a, b, count)) continue;
      comparedCount++;
      compare(a, b);
    }
    touched.length = 0;
  }

  /** Whether `count` shared candidate keys leave a chance that the pair reaches the threshold. */
  function likely(a: number, b: number, count: number): boolean {
    if (supers !== null) return true;
    const most = count + Math.min(lists.ignoredOfPage[a]!, lists.ignoredOfPage[b]!);
    const t = options.threshold;
    if (options.measure === 'containment') {
      if (options.candidateKeys !== Number.POSITIVE_INFINITY) return true;
      const common = Math.min(limits[a]!, limits[b]!);
      const smaller = Math.min(
        countBelow(keys, common, offsets[a]!, offsets[a + 1]!),
        countBelow(keys, common, offsets[b]!, offsets[b + 1]!),
      );
      return most >= t * smaller;
    }
    const limit = Math.min(candidateLimits[a]!, candidateLimits[b]!);
    const ofA = countBelow(keys, limit, offsets[a]!, candidateEnds[a]!);
    const ofB = countBelow(keys, limit, offsets[b]!, candidateEnds[b]!);
    const sampled = ofA + ofB - most;
    return most >= sampled * t - 4 * Math.sqrt(sampled * t * (1 - t)) - 1;
  }

  function compare(a: number, b: number): void {
    const limit = Math.min(limits[a]!, limits[b]!);
    const fromA = offsets[a]!;
    const fromB = offsets[b]!;
    const ofA = countBelow(keys, limit, fromA, offsets[a + 1]!);
    const ofB = countBelow(keys, limit, fromB, offsets[b + 1]!);
    const t = options.threshold;
    // Rounded down by a hair, as reachesThreshold() has the last word.
    const least = options.measure === 'resemblance' ? (t / (1 + t)) * (ofA + ofB) : t * Math.min(ofA, ofB);
    const shared = sharedCount(keys, fromA, fromA + ofA, keys, fromB, fromB + ofB, least - 1e-6);
    if (shared < 0) return;
    if (!reachesThreshold({ shared, ofA, ofB, limitOfA: limits[a]!, limitOfB: limits[b]! }, options)) return;
    found.a.push(a);
    found.b.push(b);
    found.shared.push(shared);
    found.ofA.push(ofA);
    found.ofB.push(ofB);
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
      ignoredShingleCount: lists.ignoredShingleCount,
      ignoredEntryCount: lists.ignoredEntryCount,
      candidateCount,
      comparedCount,
    },
  };
}

/** Whether a pair is one of copies: by its keys below the common limit, and the limits of both sketches. */
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
  const { measure, threshold, minimumSample } = options;
  if (measure === 'resemblance') return shared > 0 && shared >= threshold * (ofA + ofB - shared);
  return (
    (shared >= threshold * ofA && (limitOfA <= limitOfB || ofA >= minimumSample)) ||
    (shared >= threshold * ofB && (limitOfB <= limitOfA || ofB >= minimumSample))
  );
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
