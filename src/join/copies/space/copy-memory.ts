/**
 * What copies hold in memory, counted from their arrays, so that a budget can be kept before they begin.
 *
 *   bytes a page                                   bytes a key of those in memory
 *   offsets, limits, counts of sketches     20     the key                                    8
 *   sites and languages                      8     its number                                 4
 *   what lists and templates say of it      21     what of it is template, what silent        2
 *   offsets of a part, pages by site        16     keys by bucket, or counts and lists       12
 *   pairs that are counted, batches         16                                               --
 *   order of the crowded, components        16                                               26
 *                                           --
 *                                           97     and 176 a page more for parities and simhashes, where all keys are in memory
 *
 * While pairs are compared, the keys of a batch stand in place of a part, at 32 bytes each, and the lists of a range of pages, at
 * 16 bytes an entry. Not counted: the templates of sites, and buffers of 4 MiB in all.
 */

/** How copies divide their work, so that it fits in memory. */
export interface CopyRoom {
  /** Whether all keys are in memory together. */
  readonly isWhole: boolean;
  /** By their hash, where they are not. */
  readonly partCount: number;
  /** Pages of lists at a time, and keys of sketches that are compared. */
  readonly listEntries: number;
  readonly batchKeys: number;
}

const PAGE_BYTES = 97;
const WHOLE_PAGE_BYTES = PAGE_BYTES + 176;
const KEY_BYTES = 26;
const LIST_ENTRY_BYTES = 16;
/** A key with its number and bucket, and a share of what its page needs. */
const BATCH_KEY_BYTES = 32;
/** The keys are read once or twice for each part. */
const MOST_PARTS = 64;

/** All keys are in memory, and no list is on disk. */
export const WHOLE_ROOM: CopyRoom = {
  isWhole: true,
  partCount: 1,
  listEntries: Number.POSITIVE_INFINITY,
  batchKeys: Number.POSITIVE_INFINITY,
};

/** The least budget in which copies of so many pages and keys are found. */
export function leastCopyBytes(pageCount: number, keyCount: number): number {
  return PAGE_BYTES * pageCount + Math.ceil((KEY_BYTES * keyCount) / MOST_PARTS);
}

/** For a budget of `leastCopyBytes()` or more. */
export function copyRoom(pageCount: number, keyCount: number, budgetBytes: number): CopyRoom {
  if (WHOLE_PAGE_BYTES * pageCount + KEY_BYTES * keyCount <= budgetBytes) return WHOLE_ROOM;
  const leftBytes = budgetBytes - PAGE_BYTES * pageCount;
  return {
    isWhole: false,
    partCount: Math.max(1, Math.ceil((KEY_BYTES * keyCount) / leftBytes)),
    listEntries: Math.floor(leftBytes / 2 / LIST_ENTRY_BYTES),
    batchKeys: Math.floor(leftBytes / 2 / BATCH_KEY_BYTES),
  };
}
