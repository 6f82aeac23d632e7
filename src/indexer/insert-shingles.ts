import type { ShingleEntry } from '../store/blobs/sketch-blobs.ts';
import { BLOCK_NUMBERS } from './write/shingle-index.ts';

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
  options: { readonly keysPerPage: number; readonly maxPagesPerShingle: number },
): void {
  const added = new Map<number, number[]>();
  for (const [id, keys] of versions) {
    for (const key of keys.subarray(0, options.keysPerPage)) {
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
    const merged = mergeEntries(entries, keys.subarray(from, at), added, options.maxPagesPerShingle);
    for (const piece of cutBlock(merged)) blocks.shingleBlock(piece);
  }
}

/** A key that more versions have than are listed keeps no list. */
function mergeEntries(
  block: readonly ShingleEntry[],
  keys: Float64Array,
  added: ReadonlyMap<number, readonly number[]>,
  maxPagesPerShingle: number,
): ShingleEntry[] {
  const merged: ShingleEntry[] = [];
  const known = new Map(block.map((entry) => [entry.key, entry.versionIds]));
  for (const key of new Set([...known.keys(), ...keys])) {
    const before = known.get(key);
    const ids = [...(before ?? []), ...(added.get(key) ?? [])];
    const tooMany = before === null || ids.length > maxPagesPerShingle;
    merged.push({ key, versionIds: tooMany ? null : Uint32Array.from(ids) });
  }
  return merged.sort((a, b) => a.key - b.key);
}

function* cutBlock(entries: readonly ShingleEntry[]): IterableIterator<ShingleEntry[]> {
  const numbersOf = ({ versionIds }: ShingleEntry) => 1 + (versionIds?.length ?? 0);
  const total = entries.reduce((sum, entry) => sum + numbersOf(entry), 0);
  const limit = total > 2 * BLOCK_NUMBERS ? BLOCK_NUMBERS : Number.POSITIVE_INFINITY;
  let piece: ShingleEntry[] = [];
  let numbers = 0;
  for (const entry of entries) {
    piece.push(entry);
    numbers += numbersOf(entry);
    if (numbers < limit) continue;
    yield piece;
    piece = [];
    numbers = 0;
  }
  if (piece.length > 0) yield piece;
}
