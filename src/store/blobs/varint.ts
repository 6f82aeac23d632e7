import { CorruptError } from '../../errors.ts';

/** Whole numbers below 2^53 in 7 bits a byte, the lowest first; the last byte is below 128. */

/** Writes to `bytes` from `start`, at most 8 bytes; returns the place behind. */
export function writeVarint(bytes: Uint8Array, start: number, value: number): number {
  let at = start;
  let rest = value;
  while (rest >= 0x80) {
    bytes[at++] = (rest & 0x7f) | 0x80;
    rest = rest < 4294967296 ? rest >>> 7 : Math.floor(rest / 128);
  }
  bytes[at++] = rest;
  return at;
}

/** Bytes that `writeVarint` writes. */
export function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 128)) bytes++;
  return bytes;
}

export class VarintReader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Behind the end there are zeros: whoever reads there finds `at` beyond the bytes. */
  next(): number {
    const bytes = this.#bytes;
    const first = bytes[this.at++]! | 0;
    if (first < 0x80) return first;
    let value = first & 0x7f;
    for (let unit = 128; ; unit *= 128) {
      const byte = bytes[this.at++]! | 0;
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value;
    }
  }
}

export function brokenBlob(what: string): CorruptError {
  return new CorruptError('AKIN_ERR_INDEX_CORRUPT', `a stored value of ${what} has the wrong length`, {
    hint: 'run: akin check FILE; then build the index again from its source',
  });
}
