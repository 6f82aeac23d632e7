import { hash } from 'node:crypto';
import { zstdPack } from './zstd.ts';

/** The longest varint of a length. */
const HEAD_BYTES = 5;
export const DIGEST_BYTES = 8;

/**
 * Title and text in UTF-8, encoded once for their digest and for what is stored of them; one serves text after text.
 *
 *   digest over   title 0 text
 *   stored        bytes of the title as varint, title, text
 */
export class PlainText {
  #bytes = Buffer.allocUnsafe(1 << 16);
  #titleEnd = HEAD_BYTES;
  #end = HEAD_BYTES;

  set(title: string, text: string): void {
    const room = HEAD_BYTES + 1 + 3 * (title.length + text.length);
    if (room > this.#bytes.length) this.#bytes = Buffer.allocUnsafe(2 * room);
    this.#titleEnd = HEAD_BYTES + this.#bytes.write(title, HEAD_BYTES);
    this.#bytes[this.#titleEnd] = 0;
    this.#end = this.#titleEnd + 1 + this.#bytes.write(text, this.#titleEnd + 1);
  }

  /** First 8 bytes of SHA-256: the name of a version. */
  digest(): Buffer {
    return hash('sha256', this.#bytes.subarray(HEAD_BYTES, this.#end), 'buffer').subarray(0, DIGEST_BYTES);
  }

  /** As `decodeText` reads it. */
  pack(): Uint8Array {
    const bytes = this.#bytes;
    const titleEnd = this.#titleEnd;
    // The zero makes room for the length: the title moves up to the text, and back again.
    bytes.copyWithin(HEAD_BYTES + 1, HEAD_BYTES, titleEnd);
    const start = writeVarintBefore(bytes, HEAD_BYTES + 1, titleEnd - HEAD_BYTES);
    const packed = zstdPack(bytes.subarray(start, this.#end));
    bytes.copyWithin(HEAD_BYTES, HEAD_BYTES + 1, titleEnd + 1);
    bytes[titleEnd] = 0;
    return packed;
  }
}

/** Returns where the varint begins. */
function writeVarintBefore(bytes: Uint8Array, end: number, value: number): number {
  let start = end - 1;
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) start--;
  let rest = value;
  for (let at = start; at < end - 1; at++, rest >>>= 7) bytes[at] = (rest & 0x7f) | 0x80;
  bytes[end - 1] = rest;
  return start;
}
