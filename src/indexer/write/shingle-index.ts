import { sortedOrder } from '../../lib/columns/radix-sort.ts';
import type { Groups } from '../../lib/groups.ts';
import { lookupCount } from '../../sketch/lookup-keys.ts';
import type { SketchTable } from '../../sketch/sketch-table.ts';
import {
  BLOCK_BYTES,
  CROWDED_VERSIONS,
  type ShingleEntry,
  shingleEntryBytes,
} from '../../store/blobs/sketch-blobs.ts';

/** Keys, their two halves, owners, order and the scratch of the sort. */
const BYTES_PER_ENTRY = 48;

/**
 * The inverted index of the keys by which pages are looked up (`sketch/lookup-keys.ts`), in blocks ascending by key. A
 * key of many versions stands alone in its block, so that a reader can pass it over.
 *
 * Entries are sorted in parts by key that fit `budgetBytes`; the result is the same wherever the parts are cut.
 * Shape  versionsOfPage: the versions behind each page of the table.
 */
export function* shingleBlocks(
  table: SketchTable,
  versionsOfPage: Groups,
  budgetBytes: number,
): IterableIterator<ShingleEntry[]> {
  let block: ShingleEntry[] = [];
  let [sizeBytes, isAlone] = [0, false];
  for (const entry of shingleEntries(table, versionsOfPage, budgetBytes)) {
    const isCrowded = entry.versionIds.length >= CROWDED_VERSIONS;
    const own = shingleEntryBytes(entry.key - (block.at(-1)?.key ?? entry.key), entry.versionIds);
    if (block.length > 0 && (isCrowded || isAlone || sizeBytes + own > BLOCK_BYTES)) {
      yield block;
      block = [];
      sizeBytes = 0;
    }
    block.push(entry);
    sizeBytes += own;
    isAlone = isCrowded;
  }
  if (block.length > 0) yield block;
}

function* shingleEntries(
  table: SketchTable,
  { starts, members }: Groups,
  budgetBytes: number,
): IterableIterator<ShingleEntry> {
  const { pageCount, offsets, keys } = table;
  const ends = Float64Array.from(
    { length: pageCount },
    (_, page) => offsets[page]! + lookupCount(keys, offsets[page]!, offsets[page + 1]!),
  );
  const endOf = (page: number) => ends[page]!;
  for (const [from, to] of keyRanges(table, endOf, budgetBytes)) {
    let count = 0;
    for (let page = 0; page < pageCount; page++) {
      for (let i = offsets[page]!; i < endOf(page); i++) if (keys[i]! >= from && keys[i]! < to) count++;
    }
    const upper = new Uint32Array(count);
    const lower = new Uint32Array(count);
    const owner = new Uint32Array(count);
    let at = 0;
    for (let page = 0; page < pageCount; page++) {
      for (let i = offsets[page]!; i < endOf(page); i++) {
        const key = keys[i]!;
        if (key < from || key >= to) continue;
        lower[at] = key >>> 0;
        upper[at] = (key - lower[at]!) / 4294967296;
        owner[at++] = page;
      }
    }
    const order = sortedOrder(upper, lower);
    for (let first = 0; first < count; ) {
      const [high, low] = [upper[order[first]!]!, lower[order[first]!]!];
      const versions: number[] = [];
      let next = first;
      for (; next < count && upper[order[next]!] === high && lower[order[next]!] === low; next++) {
        const page = owner[order[next]!]!;
        for (let i = starts[page]!; i < starts[page + 1]!; i++) versions.push(members[i]!);
      }
      first = next;
      yield { key: high * 4294967296 + low, versionIds: versions.sort(ascending) };
    }
  }
}

/** Ranges of keys with about as many entries each as fit the budget, from a sample of the entries. */
function keyRanges(
  { pageCount, offsets, keys }: SketchTable,
  endOf: (page: number) => number,
  budgetBytes: number,
): [from: number, to: number][] {
  let entryCount = 0;
  for (let page = 0; page < pageCount; page++) entryCount += endOf(page) - offsets[page]!;
  const rangeCount = Math.max(1, Math.ceil((entryCount * BYTES_PER_ENTRY) / budgetBytes));
  if (rangeCount === 1) return [[0, Number.POSITIVE_INFINITY]];
  const stride = Math.max(1, Math.floor(entryCount / (64 * rangeCount)));
  const sample: number[] = [];
  let seen = 0;
  for (let page = 0; page < pageCount; page++) {
    for (let i = offsets[page]!; i < endOf(page); i++) if (seen++ % stride === 0) sample.push(keys[i]!);
  }
  sample.sort((a, b) => a - b);
  const cuts = Array.from(
    { length: rangeCount - 1 },
    (_, i) => sample[Math.floor(((i + 1) * sample.length) / rangeCount)]!,
  );
  const bounds = [0, ...cuts, Number.POSITIVE_INFINITY];
  return bounds.slice(1).map((to, i) => [bounds[i]!, to]);
}

function ascending(a: number, b: number): number {
  return a - b;
}
