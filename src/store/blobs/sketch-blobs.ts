/**
 * The packed columns of the copy relation, numbers of one size little-endian, varints as in `varint.ts`.
 *
 *     column                  SIZE      MEANING
 *     version.keys            varint    how many levels follow, the finest being level 0
 *     template_shingle.keys   varint    keys of each of them, coarsest first
 *                             4n        lower 32 of the 40 kept bits of each key, ascending within its level
 *                             -         upper 8 bits, level by level: a byte a key; above 36 keys, where it is
 *                                       shorter, bit i + upper of the i-th key is set of n + 255 (Elias-Fano)
 *     shingle_block.entries   -         per key, ascending: twice the difference to the one before, and 1 more where it
 *                                       has several versions (varint); their number, where several (varint); version ids as
 *                                       varint differences
 */
import { longer } from '../../lib/columns/longer.ts';
import { countBelow } from '../../sketch/resemblance.ts';
import { keyLimitOf, levelOf, MAX_LEVEL } from '../../text/shingle.ts';
import { PlainText } from './plain-text.ts';
import { brokenBlob, VarintReader, varintBytes, writeVarint } from './varint.ts';

const UPPER_RANGE = 256;
/** Up to here a byte a key is no longer than bits. */
const FEW_KEYS = 36;

function upperBytes(keyCount: number): number {
  return keyCount <= FEW_KEYS ? keyCount : (keyCount + UPPER_RANGE - 1 + 7) >> 3;
}

function isSet(bytes: Uint8Array, bit: number): boolean {
  return ((bytes[bit >> 3]! >> (bit & 7)) & 1) !== 0;
}

/** Shape  keys ascending and unique → about 4.3n + 8 bytes. */
export function encodeKeys(keys: Float64Array): Uint8Array {
  const blob = new Uint8Array(5 * (keys.length + MAX_LEVEL + 2));
  const levelCount = keys.length === 0 ? 0 : levelOf(keys[0]!) + 1;
  let at = writeVarint(blob, 0, levelCount);
  const ends: number[] = [];
  for (let level = levelCount - 1, counted = 0; level >= 0; level--) {
    const ofLevel = countBelow(keys, keyLimitOf(level), counted);
    at = writeVarint(blob, at, ofLevel);
    ends.push((counted += ofLevel));
  }
  for (let i = 0; i < keys.length; i++, at += 4) {
    const low = keys[i]! >>> 0;
    blob[at] = low;
    blob[at + 1] = low >>> 8;
    blob[at + 2] = low >>> 16;
    blob[at + 3] = low >>> 24;
  }
  for (let l = 0, from = 0; l < levelCount; from = ends[l++]!) {
    const count = ends[l]! - from;
    for (let i = 0; i < count; i++) {
      const upper = Math.floor(keys[from + i]! / 4294967296) % UPPER_RANGE;
      if (count <= FEW_KEYS) blob[at + i] = upper;
      else blob[at + ((i + upper) >> 3)]! |= 1 << ((i + upper) & 7);
    }
    at += upperBytes(count);
  }
  return blob.slice(0, at);
}

/** Errors  CorruptError where the counts and the keys do not agree. */
export function decodeKeys(blob: Uint8Array): Float64Array {
  const from = new VarintReader(blob);
  const levelCount = from.next();
  if (levelCount > MAX_LEVEL + 1) throw brokenBlob('shingle keys');
  const counts = Array.from({ length: levelCount }, () => from.next());
  const size = counts.reduce((sum, count) => sum + count, 0);
  let { at } = from;
  let upperAt = at + 4 * size;
  if (counts.reduce((end, count) => end + upperBytes(count), upperAt) !== blob.length) {
    throw brokenBlob('shingle keys');
  }
  const keys = new Float64Array(size);
  let key = 0;
  for (const [l, count] of counts.entries()) {
    const base = keyLimitOf(levelCount - l);
    for (let i = 0, upper = 0; i < count; i++, at += 4) {
      if (count <= FEW_KEYS) upper = blob[upperAt + i]!;
      else while (upper < UPPER_RANGE && !isSet(blob, 8 * upperAt + i + upper)) upper++;
      if (upper === UPPER_RANGE) throw brokenBlob('shingle keys');
      const low = blob[at]! | (blob[at + 1]! << 8) | (blob[at + 2]! << 16) | (blob[at + 3]! << 24);
      keys[key++] = base + upper * 4294967296 + (low >>> 0);
    }
    upperAt += upperBytes(count);
  }
  return keys;
}

const plain = new PlainText();

export function encodeText(title: string, text: string): Uint8Array {
  plain.set(title, text);
  return Uint8Array.from(plain.bytes());
}

/** Errors  CorruptError where the bytes end before the text. */
export function decodeText(stored: Uint8Array): { title: string; text: string } {
  const { bytes, start, end } = titleIn(stored);
  return { title: bytes.toString('utf8', start, end), text: bytes.toString('utf8', end + 1) };
}

/** The title alone. Errors  as above. */
export function decodeTitle(stored: Uint8Array): string {
  const { bytes, start, end } = titleIn(stored);
  return bytes.toString('utf8', start, end);
}

function titleIn(stored: Uint8Array): { bytes: Buffer; start: number; end: number } {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length);
  const from = new VarintReader(bytes);
  const titleBytes = from.next();
  const end = from.at + titleBytes;
  if (end >= bytes.length) throw brokenBlob('text');
  return { bytes, start: from.at, end };
}

/** A block of the inverted index has at most so many bytes, but where one key has more: four fill a page of the file. */
const BLOCK_BYTES = 2028;

/** A key of so many versions stands alone in its block. */
export const CROWDED_VERSIONS = 512;

/** One key of the inverted index. */
export interface ShingleEntry {
  readonly key: number;
  /** Ascending. */
  readonly versionIds: Uint32Array;
}

/** Packs the entries of the inverted index into blocks; one that is handed out is good until the next entry. */
export class ShingleBlocks {
  readonly #take: (firstKey: number, entries: Uint8Array) => void;
  #block = new Uint8Array(2 * BLOCK_BYTES);
  #length = 0;
  #firstKey = 0;
  #lastKey = 0;
  /** What its entries take where each is counted from the key before, whichever block that is in. */
  #sizeBytes = 0;
  #isAlone = false;
  /** Of the entry at hand, what stands behind its key. */
  #ids = new Uint8Array(1 << 6);

  constructor(take: (firstKey: number, entries: Uint8Array) => void) {
    this.#take = take;
  }

  /** Keys ascend; of each, the first `count` of `versionIds` are its versions, ascending. */
  add(key: number, versionIds: Uint32Array, count = versionIds.length): void {
    const idBytes = this.#packIds(versionIds, count);
    const isFirst = this.#length === 0;
    const isCrowded = count >= CROWDED_VERSIONS;
    const sizeBytes = varintBytes(isFirst ? 1 : 2 * (key - this.#lastKey) + 1) + idBytes;
    const isCut = isCrowded || this.#isAlone || this.#sizeBytes + sizeBytes > BLOCK_BYTES;
    if (!isFirst && isCut) this.finish();
    if (this.#length === 0) this.#firstKey = this.#lastKey = key;
    const most = this.#length + idBytes + 8;
    if (most > this.#block.length) this.#block = longer(this.#block, 2 * most);
    const gap = 2 * (key - this.#lastKey) + (count === 1 ? 0 : 1);
    let at = writeVarint(this.#block, this.#length, gap);
    for (let i = 0; i < idBytes; i++) this.#block[at++] = this.#ids[i]!;
    this.#length = at;
    this.#lastKey = key;
    this.#sizeBytes += sizeBytes;
    this.#isAlone = isCrowded;
  }

  /** Returns how many bytes. */
  #packIds(versionIds: Uint32Array, count: number): number {
    if (5 * (count + 1) > this.#ids.length) this.#ids = new Uint8Array(10 * (count + 1));
    const bytes = this.#ids;
    let end = count === 1 ? 0 : writeVarint(bytes, 0, count);
    for (let i = 0, before = 0; i < count; i++) {
      end = writeVarint(bytes, end, versionIds[i]! - before);
      before = versionIds[i]!;
    }
    return end;
  }

  /** Hands out the block that is begun. */
  finish(): void {
    if (this.#length > 0) this.#take(this.#firstKey, this.#block.subarray(0, this.#length));
    this.#length = 0;
    this.#sizeBytes = 0;
  }
}

/** How many versions the first key of a block has: what reading it will cost. */
export function firstVersionCount(blob: Uint8Array): number {
  const from = new VarintReader(blob);
  return from.next() % 2 === 0 ? 1 : from.next();
}

export function decodeShingleBlock(firstKey: number, blob: Uint8Array): ShingleEntry[] {
  const from = new VarintReader(blob);
  const entries: ShingleEntry[] = [];
  let key = firstKey;
  while (from.at < blob.length) {
    const gap = from.next();
    key += Math.floor(gap / 2);
    const count = gap % 2 === 0 ? 1 : from.next();
    if (count > blob.length - from.at) throw brokenBlob('shingles');
    const versionIds = new Uint32Array(count);
    let id = 0;
    for (let i = 0; i < count; i++) versionIds[i] = id += from.next();
    entries.push({ key, versionIds });
  }
  if (from.at !== blob.length) throw brokenBlob('shingles');
  return entries;
}
