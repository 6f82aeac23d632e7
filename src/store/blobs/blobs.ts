/**
 * The packed columns. Numbers of one size are little-endian; a varint has 7 bits a byte, the lowest first.
 *
 *     column              MEANING
 *     bag.entries         number of entries (varint), then the entries by feature id; no byte where there are none
 *     posting.entries     the same by page id within the block
 *     neighbor.entries    twice their number (varint), plus 1 where the relation is ordered by votes; of each in the order
 *                         of the list three varints: difference of the page id to the one before, 0 before the first
 *                         (2d, or -2d - 1 where negative); shared; total - shared; where by votes, 2 bytes of nearness
 *     link.targets        page ids ascending, each as varint difference to the one before
 *     signature.minima    m minima, 3 bytes each
 *     bag_sum.sums        sum of the weights of each page of the block, 2 bytes each
 *
 * An entry is one varint, 8 gap + min(weight, 8) - 1, the gap being the ids passed over since the entry before; a
 * weight from 8 up follows in a byte of its own. Half the entries of a posting list have no gap and most weights are
 * small: on a crawl 1.7 bytes an entry of a bag and 1.5 of a posting list, where ids of 4 bytes and a weight are 5.
 *
 * A blob is good until the next one is packed or read: the writer copies it to where its row waits.
 */
import type { Bag } from '../../features/bag.ts';
import type { NeighborList } from '../../join/pairs/neighbor-table.ts';
import { brokenBlob, VarintReader, writeVarint } from './varint.ts';

const EMPTY = new Uint8Array(0);

/** A weight from here on stands in a byte of its own. */
const LARGE_WEIGHT = 8;
/** The longest varint of a gap of 32 bits, and a weight. */
const MOST_ENTRY_BYTES = 6;
const MOST_NEIGHBOR_BYTES = 5 + 3 + 3 + 2;

let packed = new Uint8Array(1 << 16);

/** Room to pack into, good until the next blob is packed. */
function room(bytes: number): Uint8Array {
  if (bytes > packed.length) packed = new Uint8Array(2 * bytes);
  return packed;
}

/** A copy whose buffer starts at 0: SQLite may hand out bytes at any address. */
function aligned(blob: Uint8Array): ArrayBuffer {
  return blob.byteOffset === 0 &&
    blob.buffer.byteLength >= blob.byteLength &&
    blob.buffer instanceof ArrayBuffer
    ? blob.buffer
    : (new Uint8Array(blob).buffer as ArrayBuffer);
}

/** @throws CorruptError where the blob is no whole number of values */
function valueCount(blob: Uint8Array, valueBytes: number): number {
  const count = blob.byteLength / valueBytes;
  if (!Number.isInteger(count)) throw brokenBlob(`values of ${valueBytes} bytes`);
  return count;
}

function writeEntry(bytes: Uint8Array, start: number, gap: number, weight: number): number {
  if (weight < LARGE_WEIGHT) return writeVarint(bytes, start, 8 * gap + weight - 1);
  const at = writeVarint(bytes, start, 8 * gap + LARGE_WEIGHT - 1);
  bytes[at] = weight;
  return at + 1;
}

/**
 * Ids and weights of a bag. How long an entry is cannot be foreseen, so that the usual ones, of one gap byte or two, are
 * read without a branch: 7 ns an entry where 11 with.
 */
function readEntries(blob: Uint8Array): { ids: Uint32Array; weights: Uint8Array } {
  const head = new VarintReader(blob);
  const count = blob.length === 0 ? 0 : head.next();
  if (count > blob.length) throw brokenBlob('entries');
  const ids = new Uint32Array(count);
  const weights = new Uint8Array(count);
  // With zeros behind, so that the last entry can be read like any other.
  const bytes = room(blob.length + MOST_ENTRY_BYTES);
  bytes.set(blob);
  bytes.fill(0, blob.length, blob.length + MOST_ENTRY_BYTES);
  let { at } = head;
  let id = -1;
  for (let i = 0; i < count; i++) {
    const first = bytes[at]!;
    let next = bytes[at + 1]!;
    const isLonger = first >>> 7;
    let gap = ((first & 0x7f) >>> 3) | (((next & 0x7f) << 4) & -isLonger);
    at += 1 + isLonger;
    if ((isLonger & (next >>> 7)) !== 0) {
      for (let shift = 11; next >= 0x80; shift += 7) {
        next = bytes[at++]!;
        gap |= (next & 0x7f) << shift;
      }
    }
    const weight = (first & 7) + 1;
    const isLarge = weight >>> 3;
    weights[i] = weight + ((bytes[at]! - weight) & -isLarge);
    at += isLarge;
    id = (id + gap + 1) | 0;
    ids[i] = id;
  }
  if (at !== blob.length) throw brokenBlob('entries');
  return { ids, weights };
}

export function encodeBag(features: Uint32Array, weights: Uint8Array): Uint8Array {
  if (features.length === 0) return EMPTY;
  const bytes = room(MOST_ENTRY_BYTES * (features.length + 1));
  let at = writeVarint(bytes, 0, features.length);
  for (let i = 0, next = 0; i < features.length; i++) {
    at = writeEntry(bytes, at, features[i]! - next, weights[i]!);
    next = features[i]! + 1;
  }
  return bytes.subarray(0, at);
}

export function decodeBag(blob: Uint8Array | undefined): Bag {
  const { ids, weights } = readEntries(blob ?? EMPTY);
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i]!;
  return { features: ids, weights, sum };
}

/** Shape  entries: page id within the block | weight << 24, ascending by page. */
export function encodePosting(entries: Uint32Array): Uint8Array {
  const bytes = room(MOST_ENTRY_BYTES * (entries.length + 1));
  let at = writeVarint(bytes, 0, entries.length);
  for (let i = 0, next = 0; i < entries.length; i++) {
    const page = entries[i]! & 0xffffff;
    at = writeEntry(bytes, at, page - next, entries[i]! >>> 24);
    next = page + 1;
  }
  return bytes.subarray(0, at);
}

/**
 * As `encodePosting` takes them. The entries of one list are much alike in length, and the long lists are what takes
 * time: with branches, unlike a bag, 3 ns an entry where 5 without.
 */
export function decodePosting(blob: Uint8Array): Uint32Array {
  const head = new VarintReader(blob);
  const count = blob.length === 0 ? 0 : head.next();
  if (count > blob.length) throw brokenBlob('entries');
  const entries = new Uint32Array(count);
  let { at } = head;
  let page = -1;
  for (let i = 0; i < count; i++) {
    let byte = blob[at++]! | 0;
    const low = byte & 7;
    let gap = (byte & 0x7f) >>> 3;
    for (let shift = 4; byte >= 0x80; shift += 7) {
      byte = blob[at++]! | 0;
      gap |= (byte & 0x7f) << shift;
    }
    page = (page + gap + 1) | 0;
    const weight = low === LARGE_WEIGHT - 1 ? blob[at++]! : low + 1;
    entries[i] = page | (weight << 24);
  }
  if (at !== blob.length) throw brokenBlob('entries');
  return entries;
}

export function encodeNeighbors({ ids, shared, total, nearness }: NeighborList): Uint8Array {
  const bytes = room(MOST_NEIGHBOR_BYTES * (ids.length + 1));
  let at = writeVarint(bytes, 0, 2 * ids.length + (nearness === undefined ? 0 : 1));
  for (let i = 0, before = 0; i < ids.length; i++) {
    const step = ids[i]! - before;
    before = ids[i]!;
    at = writeVarint(bytes, at, step < 0 ? -2 * step - 1 : 2 * step);
    at = writeVarint(bytes, at, shared[i]!);
    at = writeVarint(bytes, at, (total[i]! - shared[i]!) & 0xffff);
    if (nearness === undefined) continue;
    bytes[at++] = nearness[i]! & 0xff;
    bytes[at++] = nearness[i]! >>> 8;
  }
  return bytes.subarray(0, at);
}

/** The nearest `limit`, of which the rest is not looked at: a service holds twelve of each page. */
export function decodeNeighbors(blob: Uint8Array | undefined, limit = Infinity): NeighborList {
  const bytes = blob ?? EMPTY;
  const from = new VarintReader(bytes);
  const head = bytes.length === 0 ? 0 : from.next();
  const stored = Math.floor(head / 2);
  if (stored > bytes.length) throw brokenBlob('neighbors');
  const count = Math.min(stored, limit);
  const ids = new Uint32Array(count);
  const shared = new Uint16Array(count);
  const total = new Uint16Array(count);
  const nearness = head % 2 === 1 ? new Uint16Array(count) : undefined;
  for (let i = 0, id = 0; i < count; i++) {
    const step = from.next();
    id += step % 2 === 0 ? step / 2 : -(step + 1) / 2;
    ids[i] = id;
    shared[i] = from.next();
    total[i] = shared[i]! + from.next();
    if (nearness !== undefined) {
      nearness[i] = bytes[from.at]! | (bytes[from.at + 1]! << 8);
      from.at += 2;
    }
  }
  if (count < stored ? from.at > bytes.length : from.at !== bytes.length) throw brokenBlob('neighbors');
  return { ids, shared, total, ...(nearness !== undefined && { nearness }) };
}

export function decodeWords(blob: Uint8Array | undefined): Uint32Array {
  const bytes = blob ?? EMPTY;
  return new Uint32Array(aligned(bytes), 0, valueCount(bytes, 4));
}

export function decodeSums(blob: Uint8Array): Uint16Array {
  return new Uint16Array(aligned(blob), 0, valueCount(blob, 2));
}

/** The bytes of a typed array, as SQLite takes them. */
export function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Shape  ids ascending and unique → varint differences. */
export function encodeAscending(ids: ArrayLike<number>): Uint8Array {
  const bytes = room(5 * ids.length);
  let at = 0;
  for (let i = 0, before = 0; i < ids.length; i++) {
    at = writeVarint(bytes, at, ids[i]! - before);
    before = ids[i]!;
  }
  return bytes.subarray(0, at);
}

export function decodeAscending(blob: Uint8Array | undefined): Uint32Array {
  const bytes = blob ?? EMPTY;
  let count = 0;
  for (const byte of bytes) if (byte < 0x80) count++;
  const ids = new Uint32Array(count);
  const from = new VarintReader(bytes);
  for (let i = 0, id = 0; i < count; i++) ids[i] = id += from.next();
  return ids;
}
