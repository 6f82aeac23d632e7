/**
 * Which pages share a shingle: the <shingle, page> entries by shingle, as lists of pages.
 *
 * A shingle in many pages would ask each to meet all others. Its pages are put in an order that brings like ones
 * together (`crowdOrder`) and cut into runs that overlap by half, so that each meets those that stand near it:
 *
 *   pages of a crowded shingle, in order   . . . . . . . . . . . . . . . . .
 *   runs                                   [     1st     ]     [  3rd ...
 *                                                 [     2nd     ]
 */
import { ALONE, type NumberedKeys } from '../../sketch/marked-keys.ts';
import { countBelow } from '../../sketch/resemblance.ts';
import type { SketchTable } from '../../sketch/sketch-table.ts';
import type { PageLists } from './space/met-lists.ts';

/** What is known of the lists of all keys, part by part. */
export class ListCounts {
  /** Uint32Array(n): shingles of a page that are crowded. */
  readonly crowdedOfPage: Uint32Array;
  /** Uint32Array(n): of the pages that share one crowded shingle with it, how many it did not meet by it, at most. */
  readonly unmetOfPage: Uint32Array;
  entryCount = 0;
  crowdedShingleCount = 0;
  crowdedEntryCount = 0;

  constructor(pageCount: number) {
    this.crowdedOfPage = new Uint32Array(pageCount);
    this.unmetOfPage = new Uint32Array(pageCount);
  }

  addCrowd(pages: Uint32Array): void {
    this.crowdedShingleCount++;
    this.crowdedEntryCount += pages.length;
    const unmet = unmetAtMost(pages.length);
    for (const page of pages) {
      this.crowdedOfPage[page]!++;
      this.unmetOfPage[page] = Math.max(this.unmetOfPage[page]!, unmet);
    }
  }
}

interface CandidateOptions {
  /** A shingle in more pages is crowded. */
  readonly maxPagesPerShingle: number;
  /** Uint8Array(keys): 1 for an entry that finds no candidates. */
  readonly isSilent?: Uint8Array;
  /** Whatever brings like pages together; asked of the pages of crowded shingles. */
  crowdOrder(page: number): number;
}

/** Pages a run of a crowded shingle: a page meets half as many, more than its list can hold, on one side at least. */
const RUN_PAGES = 256;
const HALF_RUN = RUN_PAGES / 2;

/**
 * The lists of the keys of a table, which may be a part of all; what is said of them is added to `counts`.
 *
 * Shape  listedLimits Float64Array(n), or null where it is by all: a page is listed by its keys below here, and meets the pages
 *        that are listed by any of its keys. `numbered`: the keys of the table.
 * Cost   two passes over the keys; 13 bytes for each that comes more than once, 4 an entry of the lists.
 */
export function candidateLists(
  table: SketchTable,
  numbered: NumberedKeys,
  listedLimits: Float64Array | null,
  options: CandidateOptions,
  counts: ListCounts,
): PageLists {
  const shared = sharedKeys(table, numbered, listedLimits, options.isSilent);
  counts.entryCount += shared.entryCount;
  const { pages, starts, crowds } = pagesOfKeys(table, numbered, shared.pageCounts, options);
  const runs: Uint32Array[] = [];
  for (const crowd of crowds) {
    counts.addCrowd(crowd);
    runs.push(...crowdedRuns(crowd, options.crowdOrder));
  }
  return withRuns(pages, starts, runs);
}

/** By number of a key its pages, 0 where they do not meet: where it is one page alone, or none is listed by the key. */
function sharedKeys(
  { pageCount, offsets, keys }: SketchTable,
  { numbers, count }: NumberedKeys,
  listedLimits: Float64Array | null,
  isSilent: Uint8Array | undefined,
): { readonly pageCounts: Uint32Array; readonly entryCount: number } {
  const pageCounts = new Uint32Array(count + 1);
  const isListed = new Uint8Array(count + 1);
  let entryCount = 0;
  for (let page = 0; page < pageCount; page++) {
    const [from, to] = [offsets[page]!, offsets[page + 1]!];
    const listedEnd = listedLimits === null ? to : from + countBelow(keys, listedLimits[page]!, from, to);
    for (let i = from; i < to; i++) {
      if (isSilent !== undefined && isSilent[i] === 1) continue;
      entryCount++;
      pageCounts[numbers[i]!]!++;
      if (i < listedEnd) isListed[numbers[i]!] = 1;
    }
  }
  pageCounts[ALONE] = 0;
  for (let key = 0; key <= count; key++)
    if (pageCounts[key] === 1 || isListed[key] === 0) pageCounts[key] = 0;
  return { pageCounts, entryCount };
}

/** The lists of the keys that have some pages, each ascending; those of crowded keys apart. */
function pagesOfKeys(
  { pageCount, offsets }: SketchTable,
  { numbers }: NumberedKeys,
  pageCounts: Uint32Array,
  { maxPagesPerShingle, isSilent }: CandidateOptions,
): { readonly pages: Uint32Array; readonly starts: Uint32Array; readonly crowds: readonly Uint32Array[] } {
  const next = new Uint32Array(pageCounts.length);
  const starts = new Uint32Array(1 + pageCounts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0));
  let end = 0;
  let placed = 0;
  const place = (areCrowded: boolean) => {
    for (let key = 0; key < pageCounts.length; key++) {
      const count = pageCounts[key]!;
      if (count === 0 || count > maxPagesPerShingle !== areCrowded) continue;
      next[key] = end;
      starts[++placed] = end += count;
    }
    return placed + 1;
  };
  const listEnd = place(false);
  place(true);
  const all = new Uint32Array(end);
  for (let page = 0; page < pageCount; page++) {
    for (let i = offsets[page]!; i < offsets[page + 1]!; i++) {
      const key = numbers[i]!;
      if (pageCounts[key] === 0 || (isSilent !== undefined && isSilent[i] === 1)) continue;
      all[next[key]!++] = page;
    }
  }
  const crowdEnds = starts.subarray(listEnd);
  const crowds = Array.from(crowdEnds, (to, crowd) => all.subarray(starts[listEnd - 1 + crowd], to));
  return { pages: all.subarray(0, starts[listEnd - 1]), starts: starts.subarray(0, listEnd), crowds };
}

/** The runs of a crowded shingle, each ascending: positions or ids of its pages, ascending, in the order of their places. */
export function crowdedRuns(pages: Uint32Array, orderOf: (page: number) => number): Uint32Array[] {
  const places = Float64Array.from(pages, orderOf);
  const near = Uint32Array.from(pages.keys()).sort((x, y) => places[x]! - places[y]! || x - y);
  const runs: Uint32Array[] = [];
  for (let from = 0; from === 0 || from + HALF_RUN < pages.length; from += HALF_RUN) {
    const run = near.slice(from, from + RUN_PAGES).map((i) => pages[i]!);
    runs.push(run.sort());
  }
  return runs;
}

/** Of the pages of a crowded shingle, how many one of them does not meet by it, at most: the last, those before the last run. */
export function unmetAtMost(pageCount: number): number {
  return Math.max(0, HALF_RUN * (Math.ceil(pageCount / HALF_RUN) - 2));
}

/** Lists with runs as more of them. */
function withRuns(pages: Uint32Array, starts: Uint32Array, runs: readonly Uint32Array[]) {
  if (runs.length === 0) return { pages, starts };
  const all = new Uint32Array(runs.reduce((sum, run) => sum + run.length, pages.length));
  all.set(pages);
  const allStarts = new Uint32Array(starts.length + runs.length);
  allStarts.set(starts);
  for (const [i, run] of runs.entries()) {
    const at = allStarts[starts.length - 1 + i]!;
    all.set(run, at);
    allStarts[starts.length + i] = at + run.length;
  }
  return { pages: all, starts: allStarts };
}
