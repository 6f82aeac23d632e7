const FIRST_BYTES = 64 * 1024;
/** Up to here a loop is quicker than a call out of JavaScript. */
const SHORT_CHARS = 24;

/**
 * JSON under construction, as UTF-8 in one buffer that is used again and again: pages are held as bytes, and
 * an answer that is put together from them never becomes a string on its way. One answer at a time, within one
 * turn of the event loop.
 */
export class JsonWriter {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;

  /** Drops what an answer that failed may have left. */
  begin(): this {
    this.#length = 0;
    return this;
  }

  text(text: string): this {
    this.#reserve(3 * text.length);
    const bytes = this.#bytes;
    let at = this.#length;
    if (text.length <= SHORT_CHARS) {
      let i = 0;
      for (; i < text.length; i++) {
        const unit = text.charCodeAt(i);
        if (unit > 0x7f) break;
        bytes[at++] = unit;
      }
      if (i === text.length) {
        this.#length = at;
        return this;
      }
    }
    this.#length += bytes.write(text, this.#length);
    return this;
  }

  bytes(source: Buffer, start = 0, end = source.length): this {
    this.#reserve(end - start);
    source.copy(this.#bytes, this.#length, start, end);
    this.#length += end - start;
    return this;
  }

  get length(): number {
    return this.#length;
  }

  /** A copy of what was written. */
  take(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#length + count));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

const shared = new JsonWriter();

/** The writer for one answer; to be taken before the next one is begun. */
export function beginAnswer(): JsonWriter {
  return shared.begin();
}
