import { hash } from 'node:crypto';

/** The longest varint of a length. */
const HEAD_BYTES = 5;
export const DIGEST_BYTES = 8;

/**
 * Title and text in UTF-8, encoded once for their digest and for what is stored of them; one serves text after text.
 *
 *   digest over   title 0 text
 *   stored        bytes of the title as varint, title 0 text
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

  /** As `decodeText` reads it; a view that is good until the next text is set. */
  bytes(): Uint8Array {
    const start = writeVarintBefore(this.#bytes, HEAD_BYTES, this.#titleEnd - HEAD_BYTES);
    return this.#bytes.subarray(start, this.#end);
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
