import { lookupCount } from '../sketch/lookup-keys.ts';
import { BLOCK_NUMBERS, type ShingleEntry } from '../store/blobs/sketch-blobs.ts';

/** Blocks of an inverted index that is there. */
export interface ShingleBlocks {
  /** First key of each block, ascending. */
  firstKeys(): Float64Array;
  block(firstKey: number): ShingleEntry[];
  removeBlock(firstKey: number): void;
  shingleBlock(entries: readonly ShingleEntry[]): void;
}

/**
 * Puts more versions into an inverted index; only the blocks of their keys are read and written. A block that has
 * grown to twice its size is cut.
 *
 * Shape  versions: ids above all that are there, ascending, with the keys of each.
 */
export function insertShingles(
  blocks: ShingleBlocks,
  versions: Iterable<readonly [id: number, keys: Float64Array]>,
): void {
  const added = new Map<number, number[]>();
  for (const [id, keys] of versions) {
    for (const key of keys.subarray(0, lookupCount(keys))) {
      const ids = added.get(key);
      if (ids === undefined) added.set(key, [id]);
      else ids.push(id);
    }
  }
  const keys = Float64Array.from(added.keys()).sort();
  const firstKeys = blocks.firstKeys();
  let at = 0;
  // A key before all others goes into the first block.
  for (let block = 0; at < keys.length; block++) {
    const end = firstKeys[block + 1] ?? Number.POSITIVE_INFINITY;
    const from = at;
    while (at < keys.length && keys[at]! < end) at++;
    if (at === from) continue;
    const firstKey = firstKeys[block];
    const entries = firstKey === undefined ? [] : blocks.block(firstKey);
    if (firstKey !== undefined) blocks.removeBlock(firstKey);
    const merged = mergeEntries(entries, keys.subarray(from, at), added);
    for (const piece of cutBlock(merged)) blocks.shingleBlock(piece);
  }
}

function mergeEntries(
  block: readonly ShingleEntry[],
  keys: Float64Array,
  added: ReadonlyMap<number, readonly number[]>,
): ShingleEntry[] {
  const merged: ShingleEntry[] = [];
  const known = new Map(block.map((entry) => [entry.key, entry.versionIds]));
  for (const key of new Set([...known.keys(), ...keys])) {
    merged.push({ key, versionIds: [...(known.get(key) ?? []), ...(added.get(key) ?? [])] });
  }
  return merged.sort((a, b) => a.key - b.key);
}

function* cutBlock(entries: readonly ShingleEntry[]): IterableIterator<ShingleEntry[]> {
  const numbersOf = ({ versionIds }: ShingleEntry) => 1 + versionIds.length;
  const total = entries.reduce((sum, entry) => sum + numbersOf(entry), 0);
  const limit = total > 2 * BLOCK_NUMBERS ? BLOCK_NUMBERS : Number.POSITIVE_INFINITY;
  let piece: ShingleEntry[] = [];
  let numbers = 0;
  for (const entry of entries) {
    if (numbersOf(entry) > BLOCK_NUMBERS) {
      yield [entry];
      continue;
    }
    piece.push(entry);
    numbers += numbersOf(entry);
    if (numbers < limit) continue;
    yield piece;
    piece = [];
    numbers = 0;
  }
  if (piece.length > 0) yield piece;
}
