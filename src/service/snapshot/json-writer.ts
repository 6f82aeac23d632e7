/**
 * JSON under construction, as UTF-8 in one buffer that is used again and again: pages are held as bytes, and
 * an answer that is put together from them becomes a string once, when it is whole. One answer at a time, within
 * one turn of the event loop; what leaves here is a copy.
 */
const FIRST_BYTES = 64 * 1024;
const ZERO = 0x30;
const DOT = 0x2e;

export class JsonWriter {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;

  /** Drops what is there, which an answer that failed may have left. */
  begin(): this {
    this.#length = 0;
    return this;
  }

  text(text: string): this {
    this.#reserve(3 * text.length);
    // A brace is not worth a call.
    const first = text.charCodeAt(0);
    if (text.length === 1 && first < 0x80) this.#bytes[this.#length++] = first;
    else this.#length += this.#bytes.write(text, this.#length);
    return this;
  }

  bytes(source: Buffer, start = 0, end = source.length): this {
    this.#reserve(end - start);
    source.copy(this.#bytes, this.#length, start, end);
    this.#length += end - start;
    return this;
  }

  /** shared / total as JSON writes it rounded to six decimals, digit by digit: it is done ten times an answer. */
  similarity(shared: number, total: number): this {
    this.#reserve(8);
    const bytes = this.#bytes;
    let millionths = total === 0 ? 0 : Math.round((shared / total) * 1e6);
    if (millionths === 0 || millionths >= 1e6) {
      bytes[this.#length++] = millionths === 0 ? ZERO : ZERO + 1;
      return this;
    }
    let end = this.#length + 8;
    for (let at = end - 1; at > this.#length + 1; at--) {
      const tenth = (millionths / 10) | 0;
      bytes[at] = ZERO + millionths - 10 * tenth;
      millionths = tenth;
    }
    bytes[this.#length] = ZERO;
    bytes[this.#length + 1] = DOT;
    while (bytes[end - 1] === ZERO) end--;
    this.#length = end;
    return this;
  }

  get length(): number {
    return this.#length;
  }

  /** What was written: a string, which goes out in one piece with the head of an answer, as bytes would not. */
  toString(): string {
    return this.#bytes.toString('utf8', 0, this.#length);
  }

  /** One unit a byte: what Node sends as `latin1` as it is, in one piece with the head, without a look at any of it. */
  toByteString(): string {
    return this.#bytes.toString('latin1', 0, this.#length);
  }

  /** What was written, to the beginning of `target`. */
  copyTo(target: Buffer): void {
    this.#bytes.copy(target, 0, 0, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#length + count));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
