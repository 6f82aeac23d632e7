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
import type { Groups } from '../../lib/groups.ts';
import { ALONE, type NumberedKeys } from '../../sketch/marked-keys.ts';
import type { SketchTable } from '../../sketch/sketch-table.ts';

export interface CandidateLists {
  /** Pages of list l: pages[starts[l]] .. pages[starts[l + 1] - 1], ascending, two at least. */
  readonly pages: Uint32Array;
  readonly starts: Uint32Array;
  /** Uint32Array(n): shingles of a page that are crowded. */
  readonly crowdedOfPage: Uint32Array;
  /** Uint32Array(n): of the pages that share one crowded shingle with it, how many it did not meet by it, at most. */
  readonly unmetOfPage: Uint32Array;
  readonly entryCount: number;
  readonly crowdedShingleCount: number;
  readonly crowdedEntryCount: number;
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
 * Shape  listedEnds Float64Array(n): a page is listed by its keys up to here in `table.keys`, and meets the pages that are
 *        listed by any of its keys. `numbered`: the keys of the table.
 * Cost   two passes over the keys; 9 bytes for each that comes more than once, 4 an entry of the lists.
 */
export function candidateLists(
  table: SketchTable,
  numbered: NumberedKeys,
  listedEnds: Float64Array,
  options: CandidateOptions,
): CandidateLists {
  const { pageCount } = table;
  const shared = sharedKeys(table, numbered, listedEnds, options.isSilent);
  const { pages, starts, crowds } = pagesOfKeys(table, numbered, shared.pageCounts, options);
  const crowdedOfPage = new Uint32Array(pageCount);
  const unmetOfPage = new Uint32Array(pageCount);
  const order = new Map<number, number>();
  const orderOf = (page: number): number => {
    let place = order.get(page);
    if (place === undefined) order.set(page, (place = options.crowdOrder(page)));
    return place;
  };
  const runs: Uint32Array[] = [];
  let crowdedEntryCount = 0;
  for (const crowd of crowds) addRuns(crowd);
  return {
    ...withRuns(pages, starts, runs),
    crowdedOfPage,
    unmetOfPage,
    entryCount: shared.entryCount,
    crowdedShingleCount: crowds.length,
    crowdedEntryCount,
  };

  function addRuns(pages: Uint32Array): void {
    crowdedEntryCount += pages.length;
    runs.push(...crowdedRuns(pages, orderOf));
    const unmet = unmetAtMost(pages.length);
    for (const page of pages) {
      crowdedOfPage[page]!++;
      unmetOfPage[page] = Math.max(unmetOfPage[page]!, unmet);
    }
  }
}

/** By number of a key its pages, 0 where they do not meet: where it is one page alone, or none is listed by the key. */
function sharedKeys(
  { pageCount, offsets }: SketchTable,
  { numbers, count }: NumberedKeys,
  listedEnds: Float64Array,
  isSilent: Uint8Array | undefined,
): { readonly pageCounts: Uint32Array; readonly entryCount: number } {
  const pageCounts = new Uint32Array(count + 1);
  const isListed = new Uint8Array(count + 1);
  let entryCount = 0;
  for (let page = 0; page < pageCount; page++) {
    for (let i = offsets[page]!; i < offsets[page + 1]!; i++) {
      if (isSilent !== undefined && isSilent[i] === 1) continue;
      entryCount++;
      pageCounts[numbers[i]!]!++;
      if (i < listedEnds[page]!) isListed[numbers[i]!] = 1;
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
  const starts: number[] = [0];
  const crowdStarts: number[] = [];
  let end = 0;
  const place = (areCrowded: boolean, ends: number[]) => {
    for (let key = 0; key < pageCounts.length; key++) {
      const count = pageCounts[key]!;
      if (count === 0 || count > maxPagesPerShingle !== areCrowded) continue;
      next[key] = end;
      ends.push((end += count));
    }
  };
  place(false, starts);
  crowdStarts.push(end);
  place(true, crowdStarts);
  const all = new Uint32Array(end);
  for (let page = 0; page < pageCount; page++) {
    for (let i = offsets[page]!; i < offsets[page + 1]!; i++) {
      const key = numbers[i]!;
      if (pageCounts[key] === 0 || (isSilent !== undefined && isSilent[i] === 1)) continue;
      all[next[key]!++] = page;
    }
  }
  const crowds = crowdStarts.slice(1).map((to, crowd) => all.subarray(crowdStarts[crowd], to));
  return { pages: all.subarray(0, crowdStarts[0]), starts: Uint32Array.from(starts), crowds };
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

/** The lists of each page, ascending. Not by groupBy(): the list of each entry would be an array more. */
export function listsByPage(lists: CandidateLists, pageCount: number): Groups {
  const { pages, starts } = lists;
  const pageStarts = new Uint32Array(pageCount + 2);
  for (let i = 0; i < pages.length; i++) pageStarts[pages[i]! + 2]!++;
  for (let page = 0; page < pageCount; page++) pageStarts[page + 2]! += pageStarts[page + 1]!;
  const members = new Uint32Array(pages.length);
  for (let list = 0; list + 1 < starts.length; list++) {
    for (let i = starts[list]!; i < starts[list + 1]!; i++) members[pageStarts[pages[i]! + 1]!++] = list;
  }
  return { starts: pageStarts.subarray(0, pageCount + 1), members };
}
