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
 * so, and each has more neighbors than its list can hold; which are its nearest of all, the list does not say.
 *
 * Memory   see space/copy-memory.ts: the keys and the lists in parts where a budget does not hold them.
 * Quality  against all shingles, w = 5, 400 keys a page: precision .93 and recall .97 at .9, .96 and .99 at .5; no
 *          pair that differs lies more than three standard errors from the threshold, half of them within one half.
 *          By containment an excerpt is found where enough of its keys are sampled: see sketch-comparison.ts.
 * Source   Broder, Glassman, Manasse, Zweig, WWW6 1997, section 4.
 */
import { sortFirst } from '../../lib/columns/sort-first.ts';
import type { SketchSource } from '../../sketch/sketch-source.ts';
import { type SketchTable, sketchAt, tableOf } from '../../sketch/sketch-table.ts';
import { superShingles } from '../../sketch/super-shingle.ts';
import { candidateLists, ListCounts } from './candidate-lists.ts';
import { listedLimits, type ShingleJoinOptions } from './sketch-comparison.ts';
import type { CopyRoom } from './space/copy-memory.ts';
import { KeyParts } from './space/key-parts.ts';
import { type ListsOfRange, listsByPage, MetLists, type NumberLog } from './space/met-lists.ts';

/** Of a page, at most. */
const SUPER_SHINGLES = 16;

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
  /** <shingle, page> entries that may bring pages together. */
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

/** Which pages share shingles, before any pair is looked at. */
export interface ListedPages {
  readonly lists: MetLists;
  readonly counts: ListCounts;
  /** As `listedLimits()` has them. */
  readonly limits: Float64Array;
}

/**
 * The lists of all shingles. `silent` says which entries of a part of the keys bring no pages together (in the comparison they
 * count): 1 in a Uint8Array(keys). `parts`: the keys of the source; super shingles are parts of their own.
 */
export function listPages(
  source: SketchSource,
  parts: KeyParts,
  options: ShingleJoinOptions,
  room: CopyRoom,
  log: NumberLog,
  silent?: (part: SketchTable) => Uint8Array,
): ListedPages {
  const { maxPagesPerShingle } = options;
  const limits = listedLimits(source);
  const counts = new ListCounts(source.pageCount);
  const lists = new MetLists(source.pageCount, log, room.listEntries);
  const crowdOrder = crowdOrders(source);
  const bySupers = options.by === 'super-shingles';
  for (const { table, numbered } of bySupers ? superParts(source, room) : parts) {
    const isSilent = bySupers ? undefined : silent?.(table);
    const listed = bySupers ? null : limits;
    const found = { maxPagesPerShingle, crowdOrder, ...(isSilent && { isSilent }) };
    lists.add(candidateLists(table, numbered, listed, found, counts), source.table !== null);
  }
  return { lists, counts, limits };
}

/** Hands out each two pages a < b that share a list, in the order of (a, b), with how many they share; returns how many do. */
export function meetPages(
  { lists }: ListedPages,
  pageCount: number,
  take: (a: number, b: number, count: number) => void,
): number {
  const counts = new Uint32Array(pageCount);
  const touched = new Uint32Array(pageCount);
  let candidateCount = 0;
  for (const range of lists.ranges()) candidateCount += meetRange(range, counts, touched, take);
  return candidateCount;
}

function meetRange(
  range: ListsOfRange,
  counts: Uint32Array,
  touched: Uint32Array,
  take: (a: number, b: number, count: number) => void,
): number {
  const { from, to, pages, starts } = range;
  const listsOf = listsByPage(range);
  // cursors[list]: first page of the list that is not yet visited.
  const cursors = starts.slice();
  let candidateCount = 0;
  const meet = (a: number) => {
    let size = 0;
    for (let i = listsOf.starts[a - from]!; i < listsOf.starts[a - from + 1]!; i++) {
      const list = listsOf.members[i]!;
      const end = starts[list + 1]!;
      for (let j = ++cursors[list]!; j < end; j++) {
        const b = pages[j]!;
        if (counts[b]!++ === 0) touched[size++] = b;
      }
    }
    candidateCount += size;
    sortFirst(touched, size);
    for (let i = 0; i < size; i++) {
      const b = touched[i]!;
      const count = counts[b]!;
      counts[b] = 0;
      take(a, b, count);
    }
  };
  for (let page = from; page < to; page++) meet(page);
  return candidateCount;
}

/** Counts of the lists. */
export function listReport({ counts }: ListedPages, { offsets }: SketchSource) {
  const { entryCount, crowdedShingleCount, crowdedEntryCount } = counts;
  return {
    entryCount,
    crowdedShingleCount,
    crowdedEntryCount,
    crowdedPageCount: crowdedPages(counts, offsets),
  };
}

function crowdedPages({ crowdedOfPage, unmetOfPage }: ListCounts, offsets: Float64Array): number {
  let count = 0;
  for (const [page, crowded] of crowdedOfPage.entries()) {
    if (unmetOfPage[page]! > 0 && 2 * crowded >= offsets[page + 1]! - offsets[page]!) count++;
  }
  return count;
}

/** What brings like pages of a crowded shingle together; worked out when it is asked for. */
function crowdOrders(source: SketchSource): (page: number) => number {
  let orders: Float64Array | null = null;
  return (page) => {
    orders ??= new Float64Array(source.pageCount).fill(Number.NaN);
    if (Number.isNaN(orders[page])) {
      orders[page] = superShingles(source.at(page))[0] ?? 0;
    }
    return orders[page]!;
  };
}

/** The super shingles of each page, in place of its keys. */
function superParts(source: SketchSource, { partCount }: CopyRoom): KeyParts {
  const { pageCount, limits, shingleCounts, table } = source;
  const supers = {
    pageCount,
    limits,
    shingleCounts,
    table: table === null ? null : superShingleTable(table),
    keyCount: SUPER_SHINGLES * pageCount,
    *blocks() {
      for (const block of source.blocks()) yield { ...block, table: superShingleTable(block.table) };
    },
  };
  return new KeyParts(supers, partCount);
}

function superShingleTable(table: SketchTable): SketchTable {
  const sketches = Array.from({ length: table.pageCount }, (_, page) => {
    const keys = superShingles(sketchAt(table, page));
    return { keys, limit: Number.POSITIVE_INFINITY, shingleCount: keys.length };
  });
  return tableOf(sketches);
}
