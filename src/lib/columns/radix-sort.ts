/**
 * Least-significant-digit radix sort of u32 keys that carry a u32 payload, three passes of 11 bits.
 * Stable; a pass in which all keys share the digit is skipped. About 30 ns an item with 20 million items.
 */

import { indexes } from './indexes.ts';

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;

/** Room for sorting up to `size` items, to be reused between sorts. */
export interface RadixScratch {
  readonly keys: Uint32Array;
  readonly payload: Uint32Array;
  readonly counts: Uint32Array;
}

export function createRadixScratch(size: number): RadixScratch {
  return { keys: new Uint32Array(size), payload: new Uint32Array(size), counts: new Uint32Array(DIGITS) };
}

/** Sorts `keys` in place, ascending, and `payload` with them. Source: Knuth, TAOCP 3, 5.2.5. */
export function radixSort(
  keys: Uint32Array,
  payload: Uint32Array,
  scratch = createRadixScratch(keys.length),
): void {
  const size = keys.length;
  const { counts } = scratch;
  let fromKeys = keys;
  let fromPayload = payload;
  let toKeys: Uint32Array = scratch.keys;
  let toPayload: Uint32Array = scratch.payload;
  for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
    counts.fill(0);
    countDigits(fromKeys, size, shift, counts);
    if (size === 0 || counts[(fromKeys[0]! >>> shift) & (DIGITS - 1)] === size) continue;
    let start = 0;
    for (let digit = 0; digit < DIGITS; digit++) {
      const count = counts[digit]!;
      counts[digit] = start;
      start += count;
    }
    distribute(fromKeys, fromPayload, size, shift, counts, toKeys, toPayload);
    [fromKeys, toKeys] = [toKeys, fromKeys];
    [fromPayload, toPayload] = [toPayload, fromPayload];
  }
  if (fromKeys !== keys) {
    keys.set(fromKeys.subarray(0, size));
    payload.set(fromPayload.subarray(0, size));
  }
}

// Loops of their own: what is compiled in the middle of one stays good when it ends.
function countDigits(keys: Uint32Array, size: number, shift: number, counts: Uint32Array): void {
  for (let i = 0; i < size; i++) counts[(keys[i]! >>> shift) & (DIGITS - 1)]!++;
}

/** Puts each item behind those of its digit: `next` has where. */
function distribute(
  keys: Uint32Array,
  payload: Uint32Array,
  size: number,
  shift: number,
  next: Uint32Array,
  toKeys: Uint32Array,
  toPayload: Uint32Array,
): void {
  for (let i = 0; i < size; i++) {
    const key = keys[i]!;
    const slot = next[(key >>> shift) & (DIGITS - 1)]!++;
    toKeys[slot] = key;
    toPayload[slot] = payload[i]!;
  }
}

/** The order of items by (major, minor), as indexes: two stable sorts, the minor key first. */
export function sortedOrder(major: Uint32Array, minor: Uint32Array): Uint32Array {
  const order = indexes(major.length);
  const scratch = createRadixScratch(major.length);
  const keys = minor.slice();
  radixSort(keys, order, scratch);
  for (let i = 0; i < order.length; i++) keys[i] = major[order[i]!]!;
  radixSort(keys, order, scratch);
  return order;
}
