/** Which pages have which shingle: the sorted <shingle, page> entries, in parts that bound memory. */
import type { SketchTable } from '../../sketch/sketch-table.ts';
import { groupByKey } from './key-groups.ts';

export interface CandidateLists {
  /** Pages of list l: pages[starts[l]] .. pages[starts[l + 1] - 1], ascending, two at least. */
  readonly pages: Uint32Array;
  readonly starts: Uint32Array;
  /** Uint32Array(n): how many candidate keys of a page were ignored. */
  readonly ignoredOfPage: Uint32Array;
  readonly entryCount: number;
  readonly ignoredShingleCount: number;
  readonly ignoredEntryCount: number;
}

/**
 * Sorts the <key, page> entries below `candidateEnds` part by part, and gives the pages of each shared key.
 *
 * Shape  candidateEnds Float64Array(n): where the candidate keys of a page end in `table.keys`.
 */
export function candidateLists(
  table: SketchTable,
  candidateEnds: Float64Array,
  options: { readonly partCount: number; readonly maxPagesPerShingle: number },
): CandidateLists {
  const { pageCount, offsets, keys } = table;
  const { partCount, maxPagesPerShingle } = options;
  const ignoredOfPage = new Uint32Array(pageCount);
  let entryCount = 0;
  for (let page = 0; page < pageCount; page++) entryCount += candidateEnds[page]! - offsets[page]!;
  const owners: Uint32Array[] = [];
  const lengths: Uint32Array[] = [];
  let ignoredShingleCount = 0;
  let ignoredEntryCount = 0;
  for (let part = 0; part < partCount; part++) {
    const { entries, owner } = entriesOfPart(part);
    const { order, starts } = groupByKey(entries);
    const partOwners = new Uint32Array(entries.length);
    const partLengths = new Uint32Array(starts.length);
    let ownerCount = 0;
    let listCount = 0;
    for (let group = 0; group + 1 < starts.length; group++) {
      const size = starts[group + 1]! - starts[group]!;
      if (size === 1) continue;
      const ignored = size > maxPagesPerShingle;
      for (let i = starts[group]!; i < starts[group + 1]!; i++) {
        const page = owner[order[i]!]!;
        if (ignored) ignoredOfPage[page]!++;
        else partOwners[ownerCount++] = page;
      }
      if (ignored) {
        ignoredShingleCount++;
        ignoredEntryCount += size;
      } else partLengths[listCount++] = size;
    }
    owners.push(partOwners.slice(0, ownerCount));
    lengths.push(partLengths.slice(0, listCount));
  }
  return { ...joined(owners, lengths), ignoredOfPage, entryCount, ignoredShingleCount, ignoredEntryCount };

  function entriesOfPart(part: number): { entries: Float64Array; owner: Uint32Array } {
    const room = Math.ceil((entryCount / partCount) * (partCount === 1 ? 1 : 1.1)) + 1024;
    let entries = new Float64Array(room);
    let owner = new Uint32Array(room);
    let size = 0;
    for (let page = 0; page < pageCount; page++) {
      for (let i = offsets[page]!; i < candidateEnds[page]!; i++) {
        const key = keys[i]!;
        if (partCount > 1 && Math.floor(((key >>> 0) / 4294967296) * partCount) !== part) continue;
        if (size === entries.length) {
          const [moreEntries, moreOwner] = [new Float64Array(2 * size), new Uint32Array(2 * size)];
          moreEntries.set(entries);
          moreOwner.set(owner);
          [entries, owner] = [moreEntries, moreOwner];
        }
        entries[size] = key;
        owner[size++] = page;
      }
    }
    return { entries: entries.subarray(0, size), owner };
  }
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

/** The lists of each page, ascending. */
export function listsByPage(lists: CandidateLists, pageCount: number) {
  const { pages, starts } = lists;
  const pageStarts = new Uint32Array(pageCount + 2);
  for (let i = 0; i < pages.length; i++) pageStarts[pages[i]! + 2]!++;
  for (let page = 0; page < pageCount; page++) pageStarts[page + 2]! += pageStarts[page + 1]!;
  const listsOfPage = new Uint32Array(pages.length);
  for (let list = 0; list + 1 < starts.length; list++) {
    for (let i = starts[list]!; i < starts[list + 1]!; i++) listsOfPage[pageStarts[pages[i]! + 1]!++] = list;
  }
  return { listsOfPage, pageStarts };
}
