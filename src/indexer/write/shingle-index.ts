import { longer } from '../../lib/columns/longer.ts';
import { sortedOrder } from '../../lib/columns/radix-sort.ts';
import { sortFirst } from '../../lib/columns/sort-first.ts';
import type { Groups } from '../../lib/groups.ts';
import { lookupCount } from '../../sketch/lookup-keys.ts';
import { countBelow } from '../../sketch/resemblance.ts';
import type { SketchSource } from '../../sketch/sketch-source.ts';
import { ShingleBlocks } from '../../store/blobs/sketch-blobs.ts';

/** Two halves of the key and the owner, as they come and in parts; order and scratch of the sort, where all are in one part. */
const BYTES_PER_ENTRY = 40;
/** Entries that are sorted together, so that they stay in the cache of a processor. */
const PART_ENTRIES = 1 << 15;

/**
 * The inverted index of the keys by which pages are looked up (`sketch/lookup-keys.ts`), in blocks ascending by key. A
 * key of many versions stands alone in its block, so that a reader can pass it over.
 *
 * Entries are sorted in parts by key that fit `budgetBytes`; the result is the same wherever the parts are cut.
 * Shape  versionsOfPage: the versions behind each page.
 */
export function packShingles(
  sketches: SketchSource,
  versionsOfPage: Groups,
  budgetBytes: number,
  take: (firstKey: number, entries: Uint8Array) => void,
): void {
  const blocks = new ShingleBlocks(take);
  for (const [from, to] of keyRanges(sketches, budgetBytes)) {
    for (const part of partsOf(entriesBetween(sketches, from, to))) packEntries(part, versionsOfPage, blocks);
  }
  blocks.finish();
}

/** Keys as two words, and the page of each; pages ascend. */
interface KeyEntries {
  readonly upper: Uint32Array;
  readonly lower: Uint32Array;
  readonly owner: Uint32Array;
}

function entriesOf(count: number): KeyEntries {
  return { upper: new Uint32Array(count), lower: new Uint32Array(count), owner: new Uint32Array(count) };
}

/** The keys of each page by which it is looked up, ascending. */
function* lookedUp(
  sketches: SketchSource,
): IterableIterator<{ keys: Float64Array; start: number; end: number; page: number }> {
  for (const { first, table } of sketches.blocks()) {
    const { pageCount, offsets, keys } = table;
    for (let page = 0; page < pageCount; page++) {
      const [start, end] = [offsets[page]!, offsets[page + 1]!];
      yield { keys, start, end: start + lookupCount(keys, start, end), page: first + page };
    }
  }
}

/** The entries of the keys from `from` to below `to`. */
function entriesBetween(sketches: SketchSource, from: number, to: number): KeyEntries {
  let count = 0;
  for (const { keys, start, end } of lookedUp(sketches)) count += countBetween(keys, start, end, from, to);
  const entries = entriesOf(count);
  let at = 0;
  for (const { keys, start, end, page } of lookedUp(sketches)) {
    for (let i = start; i < end; i++) {
      const key = keys[i]!;
      if (key < from) continue;
      // Keys of a page ascend.
      if (key >= to) break;
      entries.lower[at] = key >>> 0;
      entries.upper[at] = (key - entries.lower[at]!) / 4294967296;
      entries.owner[at++] = page;
    }
  }
  return entries;
}

function countBetween(keys: Float64Array, start: number, end: number, from: number, to: number): number {
  return countBelow(keys, to, start, end) - countBelow(keys, from, start, end);
}

/** The entries in parts that ascend by key, of about `PART_ENTRIES` where keys are spread evenly. */
function* partsOf(entries: KeyEntries): IterableIterator<KeyEntries> {
  const { upper, lower, owner } = entries;
  const count = upper.length;
  const partCount = Math.ceil(count / PART_ENTRIES);
  if (partCount <= 1) {
    yield entries;
    return;
  }
  let [least, most] = [upper[0]!, upper[0]!];
  for (let i = 0; i < count; i++) {
    least = Math.min(least, upper[i]!);
    most = Math.max(most, upper[i]!);
  }
  const partsAValue = partCount / (most - least + 1);
  const starts = new Uint32Array(partCount + 1);
  for (let i = 0; i < count; i++) starts[Math.floor((upper[i]! - least) * partsAValue) + 1]!++;
  for (let part = 0; part < partCount; part++) starts[part + 1]! += starts[part]!;
  const inParts = entriesOf(count);
  const ends = starts.slice();
  for (let i = 0; i < count; i++) {
    const at = ends[Math.floor((upper[i]! - least) * partsAValue)]!++;
    inParts.upper[at] = upper[i]!;
    inParts.lower[at] = lower[i]!;
    inParts.owner[at] = owner[i]!;
  }
  for (let part = 0; part < partCount; part++) {
    const [start, end] = [starts[part]!, starts[part + 1]!];
    yield {
      upper: inParts.upper.subarray(start, end),
      lower: inParts.lower.subarray(start, end),
      owner: inParts.owner.subarray(start, end),
    };
  }
}

/** Adds the versions of each key. */
function packEntries({ upper, lower, owner }: KeyEntries, versionsOf: Groups, blocks: ShingleBlocks): void {
  const order = sortedOrder(upper, lower);
  let versions = new Uint32Array(1 << 10);
  for (let first = 0; first < order.length; ) {
    const [high, low] = [upper[order[first]!]!, lower[order[first]!]!];
    let count = 0;
    let next = first;
    for (; next < order.length && lower[order[next]!] === low && upper[order[next]!] === high; next++) {
      const page = owner[order[next]!]!;
      const [start, end] = [versionsOf.starts[page]!, versionsOf.starts[page + 1]!];
      const atMost = count + end - start;
      if (atMost > versions.length) versions = longer(versions, 2 * atMost);
      for (let i = start; i < end; i++) versions[count++] = versionsOf.members[i]!;
    }
    if (next - first > 1) sortFirst(versions, count);
    blocks.add(high * 4294967296 + low, versions, count);
    first = next;
  }
}

/** Ranges of keys with about as many entries each as fit the budget, from a sample of the entries. */
function keyRanges(sketches: SketchSource, budgetBytes: number): [from: number, to: number][] {
  let entryCount = 0;
  for (const { start, end } of lookedUp(sketches)) entryCount += end - start;
  const rangeCount = Math.max(1, Math.ceil((entryCount * BYTES_PER_ENTRY) / budgetBytes));
  if (rangeCount === 1) return [[0, Number.POSITIVE_INFINITY]];
  const stride = Math.max(1, Math.floor(entryCount / (64 * rangeCount)));
  const sample: number[] = [];
  let seen = 0;
  for (const { keys, start, end } of lookedUp(sketches)) {
    for (let i = start; i < end; i++) if (seen++ % stride === 0) sample.push(keys[i]!);
  }
  sample.sort((a, b) => a - b);
  const cuts = Array.from(
    { length: rangeCount - 1 },
    (_, i) => sample[Math.floor(((i + 1) * sample.length) / rangeCount)]!,
  );
  const bounds = [0, ...cuts, Number.POSITIVE_INFINITY];
  return bounds.slice(1).map((to, i) => [bounds[i]!, to]);
}
