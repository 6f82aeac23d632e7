/**
 * Which pages share a shingle: the sorted <shingle, page> entries, in parts that bound memory, as lists of pages.
 *
 * A shingle in many pages would ask each to meet all others. Its pages are put in an order that brings like ones
 * together (`crowdOrder`) and cut into runs that overlap by half, so that each meets those that stand near it:
 *
 *   pages of a crowded shingle, in order   . . . . . . . . . . . . . . . . .
 *   runs                                   [     1st     ]     [  3rd ...
 *                                                 [     2nd     ]
 */
import type { Groups } from '../../lib/groups.ts';
import { KeyCounts } from '../../lib/keys/key-counts.ts';
import type { SketchTable } from '../../sketch/sketch-table.ts';
import { groupByKey } from './key-groups.ts';

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
  readonly partCount: number;
  /** A shingle in more pages is crowded. */
  readonly maxPagesPerShingle: number;
  /** Uint8Array(keys): 1 for an entry that finds no candidates. */
  readonly isSilent?: Uint8Array;
  /** Whatever brings like pages together; asked of the pages of crowded shingles. */
  crowdOrder(page: number): number;
}

/** Pages a run of a crowded shingle: a page meets half as many on either side, more than its list can hold. */
const RUN_PAGES = 256;

const LISTED_BIT = 0x80000000;

/**
 * Shape  listedEnds Float64Array(n): a page is listed by its keys up to here in `table.keys`, and meets the pages that are
 *        listed by any of its keys.
 */
export function candidateLists(
  table: SketchTable,
  listedEnds: Float64Array,
  options: CandidateOptions,
): CandidateLists {
  const { pageCount } = table;
  const { partCount, maxPagesPerShingle, isSilent } = options;
  const crowdedOfPage = new Uint32Array(pageCount);
  const unmetOfPage = new Uint32Array(pageCount);
  const order = new Map<number, number>();
  const orderOf = (page: number): number => {
    let place = order.get(page);
    if (place === undefined) order.set(page, (place = options.crowdOrder(page)));
    return place;
  };
  const owners: Uint32Array[] = [];
  const lengths: Uint32Array[] = [];
  let entryCount = 0;
  let crowdedShingleCount = 0;
  let crowdedEntryCount = 0;
  for (let part = 0; part < partCount; part++) {
    const { entries, owner, allCount } = entriesOfPart(table, listedEnds, isSilent, part, partCount);
    entryCount += allCount;
    const { members: sorted, starts } = groupByKey(entries);
    const partLengths: number[] = [];
    const crowds: Uint32Array[] = [];
    const partOwners = new Uint32Array(entries.length);
    let ownerCount = 0;
    for (let group = 0; group + 1 < starts.length; group++) {
      const [from, to] = [starts[group]!, starts[group + 1]!];
      if (to - from === 1 || !isListed(from, to)) continue;
      if (to - from > maxPagesPerShingle) {
        crowds.push(Uint32Array.from(sorted.subarray(from, to), (entry) => owner[entry]! & ~LISTED_BIT));
        continue;
      }
      for (let i = from; i < to; i++) partOwners[ownerCount++] = owner[sorted[i]!]! & ~LISTED_BIT;
      partLengths.push(to - from);
    }
    owners.push(partOwners.slice(0, ownerCount));
    lengths.push(Uint32Array.from(partLengths));
    for (const pages of crowds) addRuns(pages);

    function isListed(from: number, to: number): boolean {
      for (let i = from; i < to; i++) if ((owner[sorted[i]!]! & LISTED_BIT) !== 0) return true;
      return false;
    }
  }
  return {
    ...joined(owners, lengths),
    crowdedOfPage,
    unmetOfPage,
    entryCount,
    crowdedShingleCount,
    crowdedEntryCount,
  };

  function addRuns(pages: Uint32Array): void {
    crowdedShingleCount++;
    crowdedEntryCount += pages.length;
    for (const run of crowdedRuns(pages, orderOf)) {
      owners.push(run);
      lengths.push(Uint32Array.of(run.length));
    }
    const unmet = unmetAtMost(pages.length);
    for (const page of pages) {
      crowdedOfPage[page]!++;
      unmetOfPage[page] = Math.max(unmetOfPage[page]!, unmet);
    }
  }
}

/** Entries by key; `owner` is the page of each, with `LISTED_BIT` where it is listed by the key. */
interface KeyEntries {
  readonly entries: Float64Array;
  readonly owner: Uint32Array;
  /** With those that were left out. */
  readonly allCount: number;
}

/** The entries of a part by key, but for most of the keys that are in one page alone, or by which no page is listed. */
function entriesOfPart(
  { pageCount, offsets, keys }: SketchTable,
  listedEnds: Float64Array,
  isSilent: Uint8Array | undefined,
  part: number,
  partCount: number,
): KeyEntries {
  const isTaken = new Uint8Array(keys.length);
  const allCount = takePart(keys, isSilent, part, partCount, isTaken);
  const counts = new KeyCounts(allCount);
  for (let page = 0; page < pageCount; page++) {
    countKeys(keys, isTaken, offsets[page]!, offsets[page + 1]!, listedEnds[page]!, counts);
  }
  const count = leaveOutRare(keys, isTaken, counts);
  const taken = { entries: new Float64Array(count), owner: new Uint32Array(count), allCount };
  for (let page = 0, at = 0; page < pageCount; page++) {
    const [from, listedEnd, to] = [offsets[page]!, listedEnds[page]!, offsets[page + 1]!];
    at = takeKeys(keys, isTaken, from, listedEnd, (page | LISTED_BIT) >>> 0, taken, at);
    at = takeKeys(keys, isTaken, listedEnd, to, page, taken, at);
  }
  return taken;
}

/** Marks the entries of a part that are not silent; returns how many. */
function takePart(
  keys: Float64Array,
  isSilent: Uint8Array | undefined,
  part: number,
  partCount: number,
  isTaken: Uint8Array,
): number {
  let count = 0;
  for (let i = 0; i < keys.length; i++) {
    if (partCount > 1 && Math.floor(((keys[i]! >>> 0) / 4294967296) * partCount) !== part) continue;
    if (isSilent !== undefined && isSilent[i] === 1) continue;
    isTaken[i] = 1;
    count++;
  }
  return count;
}

function countKeys(
  keys: Float64Array,
  isTaken: Uint8Array,
  from: number,
  to: number,
  listedEnd: number,
  counts: KeyCounts,
): void {
  for (let i = from; i < to; i++) {
    if (isTaken[i] === 0) continue;
    counts.add(keys[i]!);
    if (i < listedEnd) counts.mark(keys[i]!);
  }
}

/** Writes what is taken of a page to the entries from `start` on; returns where they end. */
function takeKeys(
  keys: Float64Array,
  isTaken: Uint8Array,
  from: number,
  to: number,
  own: number,
  { entries, owner }: KeyEntries,
  start: number,
): number {
  let at = start;
  for (let i = from; i < to; i++) {
    if (isTaken[i] === 0) continue;
    entries[at] = keys[i]!;
    owner[at++] = own;
  }
  return at;
}

/** Returns how many entries are left. */
function leaveOutRare(keys: Float64Array, isTaken: Uint8Array, counts: KeyCounts): number {
  let count = 0;
  for (let i = 0; i < keys.length; i++) {
    if (isTaken[i] === 0) continue;
    if (counts.mayCome(keys[i]!, 2) && counts.mayBeMarked(keys[i]!)) count++;
    else isTaken[i] = 0;
  }
  return count;
}

/** The runs of a crowded shingle, each ascending: positions or ids of its pages, ascending, in the order of their places. */
export function crowdedRuns(pages: Uint32Array, orderOf: (page: number) => number): Uint32Array[] {
  const places = Float64Array.from(pages, orderOf);
  const near = Uint32Array.from(pages.keys()).sort((x, y) => places[x]! - places[y]! || x - y);
  const half = RUN_PAGES / 2;
  const runs: Uint32Array[] = [];
  for (let from = 0; from === 0 || from + half < pages.length; from += half) {
    const run = near.slice(from, from + RUN_PAGES).map((i) => pages[i]!);
    runs.push(run.sort());
  }
  return runs;
}

/** Of the pages of a crowded shingle, how many one of them does not meet by it, at most. */
export function unmetAtMost(pageCount: number): number {
  return Math.max(0, pageCount - RUN_PAGES - RUN_PAGES / 2);
}

function joined(owners: readonly Uint32Array[], lengths: readonly Uint32Array[]) {
  const pages = new Uint32Array(owners.reduce((sum, part) => sum + part.length, 0));
  const starts = new Uint32Array(lengths.reduce((sum, part) => sum + part.length, 0) + 1);
  let at = 0;
  for (const part of owners) {
    pages.set(part, at);
    at += part.length;
  }
  let list = 0;
  for (const part of lengths) for (const length of part) starts[list + 1] = starts[list++]! + length;
  return { pages, starts };
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
