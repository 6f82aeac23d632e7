/**
 * JSON under construction, as UTF-8 in one buffer that is used again and again: pages are held as bytes, and
 * an answer that is put together from them becomes a string once, when it is whole. One answer at a time, within
 * one turn of the event loop; what leaves here is a copy.
 */
const FIRST_BYTES = 64 * 1024;
const ZERO = 0x30;
const SIX_DECIMALS = '0.000000';

/** What stands before and behind a similarity: with six decimals in between, and what stands behind alone. */
export interface AroundSimilarity {
  readonly whole: Buffer;
  readonly behind: Buffer;
}

export function aroundSimilarity(before: string, behind: string): AroundSimilarity {
  return { whole: Buffer.from(before + SIX_DECIMALS + behind), behind: Buffer.from(behind) };
}

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
    this.#length += this.#bytes.write(text, this.#length);
    return this;
  }

  bytes(source: Buffer, start = 0, end = source.length): this {
    this.#reserve(end - start);
    source.copy(this.#bytes, this.#length, start, end);
    this.#length += end - start;
    return this;
  }

  /**
   * shared / total as JSON writes it rounded to six decimals, and what stands around it: one copy, in which digits are put, as it is
   * done ten times an answer.
   */
  similarity({ whole, behind }: AroundSimilarity, shared: number, total: number): this {
    this.#reserve(whole.length);
    const bytes = this.#bytes;
    let end = this.#length + whole.length - behind.length;
    bytes.set(whole, this.#length);
    let millionths = total === 0 ? 0 : Math.round((shared / total) * 1e6);
    const first = end - SIX_DECIMALS.length;
    if (millionths === 0 || millionths >= 1e6) {
      bytes[first] = millionths === 0 ? ZERO : ZERO + 1;
      end = first + 1;
    } else {
      for (let at = end - 1; at > first + 1; at--) {
        const tenth = (millionths / 10) | 0;
        bytes[at] = ZERO + millionths - 10 * tenth;
        millionths = tenth;
      }
      if (bytes[end - 1] !== ZERO) {
        this.#length += whole.length;
        return this;
      }
      while (bytes[end - 1] === ZERO) end--;
    }
    this.#length = end;
    return this.bytes(behind);
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
