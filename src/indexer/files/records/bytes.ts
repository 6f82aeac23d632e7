/** Writing and reading of the records between the stages: little-endian, varint counts, UTF-8 text. */

/** Up to this length a loop beats the call into the library, if all is ASCII. */
const SHORT_TEXT = 100;
/** The same of doubles. */
const FEW_DOUBLES = 32;

export class ByteWriter {
  #bytes: Buffer;
  #view: DataView;
  length = 0;

  constructor(capacity = 1 << 16) {
    this.#bytes = Buffer.allocUnsafe(capacity);
    this.#view = viewOf(this.#bytes);
  }

  #reserve(count: number): void {
    if (this.length + count <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.length + count));
    this.#bytes.copy(grown, 0, 0, this.length);
    this.#bytes = grown;
    this.#view = viewOf(grown);
  }

  u8(value: number): void {
    this.#reserve(1);
    this.#bytes[this.length++] = value;
  }

  /** Whole numbers from 0 to 2^32 - 1. Errors  RangeError for others, which could not be read back. */
  varint(value: number): void {
    if (value >>> 0 !== value) throw new RangeError(`${value} does not fit 32 bits`);
    this.#reserve(5);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.length++] = rest;
  }

  /** The numbers from .. to - 1 as `varint` writes them. */
  varints(values: Uint32Array, from = 0, to = values.length): void {
    this.#reserve(5 * (to - from));
    const bytes = this.#bytes;
    let at = this.length;
    for (let i = from; i < to; i++) {
      let rest = values[i]!;
      while (rest >= 0x80) {
        bytes[at++] = (rest & 0x7f) | 0x80;
        rest >>>= 7;
      }
      bytes[at++] = rest;
    }
    this.length = at;
  }

  f64(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  /** The doubles from .. to - 1, one after the other: the reader must know how many. */
  f64s(values: Float64Array, from = 0, to = values.length): void {
    if (to - from <= FEW_DOUBLES) for (let i = from; i < to; i++) this.f64(values[i]!);
    else this.raw(new Uint8Array(values.buffer, values.byteOffset + 8 * from, 8 * (to - from)));
  }

  text(value: string): void {
    this.#reserve(5 + value.length * 3);
    if (value.length <= SHORT_TEXT && this.#ascii(value)) return;
    const size = Buffer.byteLength(value);
    this.varint(size);
    this.#bytes.write(value, this.length);
    this.length += size;
  }

  /** Writes a short text; false, and nothing written, where it is not ASCII. */
  #ascii(value: string): boolean {
    const bytes = this.#bytes;
    const { length } = value;
    const at = this.length + 1;
    for (let i = 0; i < length; i++) {
      const unit = value.charCodeAt(i);
      if (unit >= 0x80) return false;
      bytes[at + i] = unit;
    }
    bytes[at - 1] = length;
    this.length = at + length;
    return true;
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** What was written so far; valid until the next write. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  /** A copy with a buffer of its own, fit for transfer between threads. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(this.length);
    taken.set(this.view());
    this.length = 0;
    return taken;
  }

  clear(): void {
    this.length = 0;
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export class ByteReader {
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.#bytes =
      bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get done(): boolean {
    return this.at >= this.#bytes.length;
  }

  u8(): number {
    return this.#bytes[this.at++]!;
  }

  varint(): number {
    let value = 0;
    let shift = 0;
    let byte: number;
    do {
      byte = this.#bytes[this.at++]!;
      value |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte >= 0x80);
    return value >>> 0;
  }

  f64(): number {
    const value = this.#bytes.readDoubleLE(this.at);
    this.at += 8;
    return value;
  }

  /** A copy of `count` doubles. */
  f64s(count: number): Float64Array {
    const values = new Float64Array(count);
    new Uint8Array(values.buffer).set(this.raw(8 * count));
    return values;
  }

  text(): string {
    const size = this.varint();
    const value = this.#bytes.toString('utf8', this.at, this.at + size);
    this.at += size;
    return value;
  }

  /** Copies the next `size` bytes to the front of `target`. */
  into(target: Uint8Array, size: number): void {
    this.#bytes.copy(target, 0, this.at, this.at + size);
    this.at += size;
  }

  skip(size: number): void {
    this.at += size;
  }

  /** A text of ASCII alone, as canonical URLs are. */
  ascii(): string {
    const size = this.varint();
    const value = this.#bytes.toString('latin1', this.at, this.at + size);
    this.at += size;
    return value;
  }

  /** All that is left. */
  rest(): Buffer {
    return this.raw(this.#bytes.length - this.at);
  }

  raw(size: number): Buffer {
    const bytes = this.#bytes.subarray(this.at, this.at + size);
    this.at += size;
    return bytes;
  }
}
