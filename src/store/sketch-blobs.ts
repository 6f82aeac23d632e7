/**
 * The packed columns of the copy relation, little-endian.
 *
 *     column                  SIZE      MEANING
 *     version.keys            varint    keys of each level, coarsest first: MAX_LEVEL + 1 numbers
 *     template_shingle.keys   5n        the kept 40 bits of each key, ascending within its level
 *     version_text.text       -         zstd of: bytes of the title as varint, title, text
 *     shingle_block.entries   -         per key, ascending: difference to the one before (varint); number of versions
 *                                       (varint), 0 for more than are listed; version ids as varint differences
 */
import { zstdDecompressSync } from 'node:zlib';
import { CorruptError } from '../errors.ts';
import { keyLimitOf, MAX_LEVEL } from '../features/shingle.ts';
import { countBelow } from '../sketch/resemblance.ts';
import { PlainText } from './plain-text.ts';

function brokenBlob(what: string): CorruptError {
  return new CorruptError('AKIN_ERR_INDEX_CORRUPT', `a blob of ${what} does not end where it should`, {
    hint: 'run: akin check FILE; then build the index again from its source',
  });
}

/** Shape  keys ascending and unique → about 5n + 17 bytes. */
export function encodeKeys(keys: Float64Array): Uint8Array {
  const blob = new Uint8Array(5 * (keys.length + MAX_LEVEL + 1));
  let at = 0;
  let counted = 0;
  for (let level = MAX_LEVEL; level >= 0; level--) {
    const ofLevel = countBelow(keys, keyLimitOf(level), counted);
    at = writeVarint(blob, at, ofLevel);
    counted += ofLevel;
  }
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    const low = key >>> 0;
    blob[at] = low;
    blob[at + 1] = low >>> 8;
    blob[at + 2] = low >>> 16;
    blob[at + 3] = low >>> 24;
    blob[at + 4] = (key - low) / 4294967296;
    at += 5;
  }
  return blob.slice(0, at);
}

/** Errors  CorruptError where the counts and the keys do not agree. */
export function decodeKeys(blob: Uint8Array): Float64Array {
  const from = new VarintReader(blob);
  const counts = new Uint32Array(MAX_LEVEL + 1);
  let size = 0;
  for (let level = 0; level <= MAX_LEVEL; level++) size += counts[level] = from.next();
  if (from.at + 5 * size !== blob.length) throw brokenBlob('shingle keys');
  const keys = new Float64Array(size);
  let at = from.at;
  let i = 0;
  for (let level = MAX_LEVEL; level >= 0; level--) {
    const base = keyLimitOf(level + 1);
    for (const end = i + counts[MAX_LEVEL - level]!; i < end; i++, at += 5) {
      const low = blob[at]! | (blob[at + 1]! << 8) | (blob[at + 2]! << 16) | (blob[at + 3]! << 24);
      keys[i] = base + blob[at + 4]! * 4294967296 + (low >>> 0);
    }
  }
  return keys;
}

const plain = new PlainText();

export function encodeText(title: string, text: string): Uint8Array {
  plain.set(title, text);
  return plain.pack().slice();
}

/** Errors  CorruptError where the blob cannot be unpacked. */
export function decodeText(blob: Uint8Array): { title: string; text: string } {
  let whole: Buffer;
  try {
    whole = zstdDecompressSync(blob);
  } catch {
    throw brokenBlob('text');
  }
  const from = new VarintReader(whole);
  const titleBytes = from.next();
  const titleEnd = from.at + titleBytes;
  if (titleEnd > whole.length) throw brokenBlob('text');
  return { title: whole.toString('utf8', from.at, titleEnd), text: whole.toString('utf8', titleEnd) };
}

/** One key of the inverted index; `versionIds` is null where more versions have it than are listed. */
export interface ShingleEntry {
  readonly key: number;
  /** Ascending. */
  readonly versionIds: Uint32Array | readonly number[] | null;
}

/** Shape  entries ascending by key, the first one's key kept beside the blob. */
export function encodeShingleBlock(entries: readonly ShingleEntry[]): Uint8Array {
  let room = 0;
  for (const { versionIds } of entries) room += 12 + 5 * (versionIds?.length ?? 0);
  const blob = new Uint8Array(room);
  let at = 0;
  let previous = entries[0]?.key ?? 0;
  for (const { key, versionIds } of entries) {
    at = writeVarint(blob, at, key - previous);
    previous = key;
    at = writeVarint(blob, at, versionIds?.length ?? 0);
    for (let i = 0, before = 0; i < (versionIds?.length ?? 0); i++) {
      at = writeVarint(blob, at, versionIds![i]! - before);
      before = versionIds![i]!;
    }
  }
  return blob.slice(0, at);
}

export function decodeShingleBlock(firstKey: number, blob: Uint8Array): ShingleEntry[] {
  const from = new VarintReader(blob);
  const entries: ShingleEntry[] = [];
  let key = firstKey;
  while (from.at < blob.length) {
    key += from.next();
    const count = from.next();
    if (count > blob.length - from.at) throw brokenBlob('shingles');
    const versionIds = new Uint32Array(count);
    let id = 0;
    for (let i = 0; i < count; i++) versionIds[i] = id += from.next();
    entries.push({ key, versionIds: count === 0 ? null : versionIds });
  }
  if (from.at !== blob.length) throw brokenBlob('shingles');
  return entries;
}

/** Whole numbers below 2^53. */
function writeVarint(bytes: Uint8Array, start: number, value: number): number {
  let at = start;
  let rest = value;
  while (rest >= 0x80) {
    bytes[at++] = (rest & 0x7f) | 0x80;
    rest = rest < 4294967296 ? rest >>> 7 : Math.floor(rest / 128);
  }
  bytes[at++] = rest;
  return at;
}

class VarintReader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  next(): number {
    let value = 0;
    let unit = 1;
    for (;;) {
      const byte = this.#bytes[this.at++]! | 0;
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value;
      unit *= 128;
    }
  }
}
