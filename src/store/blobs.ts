/**
 * The packed columns. All numbers are little-endian; arrays of one kind stand together, the widest
 * first, so that a blob in memory is read through typed arrays.
 *
 *     column              OFFSET  SIZE  MEANING
 *     bag.entries         0       4n    feature ids, ascending
 *                         4n      n     weights, 1..255
 *     neighbour.entries   0       4n    page ids, nearest first
 *                         4n      2n    shared: overlap, or agreeing values
 *                         6n      2n    total: union, or values compared
 *     posting.entries     0       4n    page id within the block | weight << 24, ascending by page
 *     signature.minima    0       3m    minima, 3 bytes each
 *     link.targets        0       -     page ids ascending, each as varint difference to the one before
 *     bag_sum.sums        0       2n    sum of the weights of each page of the block
 */
import { CorruptError } from '../errors.ts';
import type { Bag } from '../features/bag.ts';
import type { NeighbourList } from './records.ts';

const EMPTY = new Uint8Array(0);

/** A copy whose buffer starts at 0: SQLite may hand out bytes at any address. */
function aligned(blob: Uint8Array): ArrayBuffer {
  return blob.byteOffset === 0 &&
    blob.buffer.byteLength >= blob.byteLength &&
    blob.buffer instanceof ArrayBuffer
    ? blob.buffer
    : (new Uint8Array(blob).buffer as ArrayBuffer);
}

/** @throws CorruptError where the blob is no whole number of entries */
function entryCount(blob: Uint8Array, entryBytes: number): number {
  const count = blob.byteLength / entryBytes;
  if (!Number.isInteger(count)) {
    throw new CorruptError(
      'AKIN_ERR_INDEX_CORRUPT',
      `a blob of ${blob.byteLength} bytes in entries of ${entryBytes}`,
      {
        hint: 'run: akin check FILE; then build the index again from its source',
      },
    );
  }
  return count;
}

export function encodeBag(features: Uint32Array, weights: Uint8Array): Uint8Array {
  const n = features.length;
  const blob = new Uint8Array(5 * n);
  new Uint32Array(blob.buffer, 0, n).set(features);
  blob.set(weights, 4 * n);
  return blob;
}

export function decodeBag(blob: Uint8Array): Bag {
  const n = entryCount(blob, 5);
  const buffer = aligned(blob);
  const weights = new Uint8Array(buffer, 4 * n, n);
  let sum = 0;
  for (const weight of weights) sum += weight;
  return { features: new Uint32Array(buffer, 0, n), weights, sum };
}

export function encodeNeighbours(list: NeighbourList): Uint8Array {
  const n = list.ids.length;
  const blob = new Uint8Array(8 * n);
  new Uint32Array(blob.buffer, 0, n).set(list.ids);
  new Uint16Array(blob.buffer, 4 * n, n).set(list.shared);
  new Uint16Array(blob.buffer, 6 * n, n).set(list.total);
  return blob;
}

export function decodeNeighbours(blob: Uint8Array | undefined): NeighbourList {
  const bytes = blob ?? EMPTY;
  const n = entryCount(bytes, 8);
  const buffer = aligned(bytes);
  return {
    ids: new Uint32Array(buffer, 0, n),
    shared: new Uint16Array(buffer, 4 * n, n),
    total: new Uint16Array(buffer, 6 * n, n),
  };
}

export function decodeWords(blob: Uint8Array | undefined): Uint32Array {
  const bytes = blob ?? EMPTY;
  return new Uint32Array(aligned(bytes), 0, entryCount(bytes, 4));
}

export function decodeSums(blob: Uint8Array): Uint16Array {
  return new Uint16Array(aligned(blob), 0, entryCount(blob, 2));
}

/** The bytes of a typed array, as SQLite takes them. */
export function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Shape  ids ascending and unique → varint differences. */
export function encodeAscending(ids: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(ids.length * 5);
  let at = 0;
  let previous = 0;
  for (let i = 0; i < ids.length; i++) {
    let gap = ids[i]! - previous;
    previous = ids[i]!;
    while (gap >= 0x80) {
      bytes[at++] = (gap & 0x7f) | 0x80;
      gap >>>= 7;
    }
    bytes[at++] = gap;
  }
  return bytes.slice(0, at);
}

export function decodeAscending(blob: Uint8Array | undefined): Uint32Array {
  const bytes = blob ?? EMPTY;
  let count = 0;
  for (const byte of bytes) if (byte < 0x80) count++;
  const ids = new Uint32Array(count);
  let at = 0;
  let previous = 0;
  for (let i = 0; i < count; i++) {
    let gap = 0;
    let shift = 0;
    let byte: number;
    do {
      byte = bytes[at++]!;
      gap |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte >= 0x80);
    ids[i] = previous = previous + (gap >>> 0);
  }
  return ids;
}
