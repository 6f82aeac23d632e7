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
 * Memory   4 bytes a key, 9 for each that comes more than once, 8 for each that brings two pages or more together.
 * Quality  against all shingles, w = 5, 400 keys a page: precision .93 and recall .97 at .9, .96 and .99 at .5; no
 *          pair that differs lies more than three standard errors from the threshold, half of them within one half.
 *          By containment an excerpt is found where enough of its keys are sampled: see sketch-comparison.ts.
 * Source   Broder, Glassman, Manasse, Zweig, WWW6 1997, section 4.
 */
import { Uint32List } from '../../lib/columns/uint32-list.ts';
import { numberRepeated } from '../../sketch/marked-keys.ts';
import { type SketchTable, sketchAt, tableOf } from '../../sketch/sketch-table.ts';
import { superShingles } from '../../sketch/super-shingle.ts';
import { type CandidateLists, candidateLists, listsByPage } from './candidate-lists.ts';
import {
  CopyOverlaps,
  DEFAULT_SHINGLE_JOIN,
  listedKeys,
  type ShingleJoinOptions,
  SketchComparison,
} from './sketch-comparison.ts';

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

/**
 * Shape  isSilent Uint8Array(keys): 1 for an entry of `table.keys` that brings no pages together (in the comparison it
 *        counts); wanted Uint8Array(n): where it is given, only pairs with a page that is 1 there. `listed` is called when the
 *        lists are made and pairs begin.
 */
export function joinShingles(
  table: SketchTable,
  options: ShingleJoinOptions = DEFAULT_SHINGLE_JOIN,
  isSilent?: Uint8Array,
  wanted?: Uint8Array,
  listed?: () => void,
  overlaps = new CopyOverlaps(table, options),
): { pairs: SharedPairs; report: ShingleJoinReport } {
  const { pageCount, offsets } = table;
  const keys = listedKeys(table);
  const silentOfPage = isSilent && countByPage(isSilent, offsets, pageCount);
  const supers = options.by === 'super-shingles' ? superShingleTable(table) : null;
  const crowdOrder = (page: number) => superShingles(sketchAt(table, page))[0] ?? 0;
  const limitsOfLists = { maxPagesPerShingle: options.maxPagesPerShingle, crowdOrder };
  const lists =
    supers === null
      ? candidateLists(table, overlaps.numbered(), keys.ends, {
          ...limitsOfLists,
          ...(isSilent && { isSilent }),
        })
      : candidateLists(supers, numberRepeated(supers.keys), supers.offsets.subarray(1), limitsOfLists);
  const listsOf = listsByPage(lists, pageCount);
  listed?.();
  const found = {
    a: new Uint32List(),
    b: new Uint32List(),
    shared: new Uint32List(),
    ofA: new Uint32List(),
    ofB: new Uint32List(),
  };
  const counts = new Uint32Array(pageCount);
  const touched = new Uint32Array(pageCount);
  // cursors[list]: first page of the list that is not yet visited.
  const cursors = lists.starts.slice();
  let candidateCount = 0;
  const facts = {
    listedLimits: keys.limits,
    crowdedOfPage: lists.crowdedOfPage,
    ...(silentOfPage && { silentOfPage }),
  };
  const comparison = new SketchComparison(table, options, facts, overlaps);
  const meet = (a: number) => {
    let size = 0;
    for (let i = listsOf.starts[a]!; i < listsOf.starts[a + 1]!; i++) {
      const list = listsOf.members[i]!;
      const end = lists.starts[list + 1]!;
      for (let j = ++cursors[list]!; j < end; j++) {
        const b = lists.pages[j]!;
        if (wanted !== undefined && wanted[a] === 0 && wanted[b] === 0) continue;
        if (counts[b]!++ === 0) touched[size++] = b;
      }
    }
    candidateCount += size;
    if (size > 1) touched.subarray(0, size).sort();
    for (let i = 0; i < size; i++) {
      const b = touched[i]!;
      const count = counts[b]!;
      counts[b] = 0;
      const overlap = comparison.compare(a, b, count);
      if (overlap === null) continue;
      found.a.push(a);
      found.b.push(b);
      found.shared.push(overlap.shared);
      found.ofA.push(overlap.ofA);
      found.ofB.push(overlap.ofB);
    }
  };
  for (let page = 0; page < pageCount; page++) meet(page);

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
      comparedCount: comparison.comparedCount,
    },
  };
}

function countByPage(marks: Uint8Array, offsets: Float64Array, pageCount: number): Uint32Array {
  const counts = new Uint32Array(pageCount);
  for (let page = 0; page < pageCount; page++)
    counts[page] = countOf(marks, offsets[page]!, offsets[page + 1]!);
  return counts;
}

function countOf(marks: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) count += marks[i]!;
  return count;
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
