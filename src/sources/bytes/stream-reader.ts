/**
 * Lines and blocks out of a stream of chunks, without ever holding more than is asked for.
 *
 * A stream may have gaps: stretches that a decompressor could not read. At a gap the reader behaves
 * as at the end of the input (short blocks, null lines) and `gap` says why, until `resume()`.
 *
 * A chunk need be good only until the next one is asked for, and so is what is given of it: a line, a chunk, what was peeked at.
 */

/** A stretch of the input that is lost. */
export interface Gap {
  readonly reason: 'truncated' | 'unreadable';
  readonly detail: string;
  /** The bytes before the gap were delivered, but fail their checksum. */
  readonly suspect: boolean;
  /** From where in the stream the delivered bytes belong to what is damaged. */
  readonly startOffset: number;
}

export type ChunkStream = AsyncIterable<Uint8Array | Gap>;

/** Is given the bytes that are taken or read past, such as a hash. */
interface Watcher {
  update(bytes: Uint8Array): unknown;
}

const EMPTY = Buffer.alloc(0);

export class StreamReader {
  readonly #source: AsyncIterator<Uint8Array | Gap>;
  #chunk: Buffer = EMPTY;
  #position = 0;
  #ended = false;
  #loadedBytes = 0;
  #gap: Gap | null = null;
  #watcher: Watcher | null = null;

  constructor(stream: ChunkStream | Iterable<Uint8Array>) {
    this.#source = chunksOf(stream);
  }

  /** The gap that the reader has come to; null while there are bytes before it. */
  get gap(): Gap | null {
    return this.#position === this.#chunk.length ? this.#gap : null;
  }

  /** How many bytes of the stream have been taken or read past. */
  get offset(): number {
    return this.#loadedBytes - (this.#chunk.length - this.#position);
  }

  /** Goes on after a gap. */
  resume(): void {
    this.#gap = null;
  }

  /** Shows blocks to a watcher as they are read or skipped; null ends that. */
  watch(watcher: Watcher | null): void {
    this.#watcher = watcher;
  }

  /** Ends the stream below, so that its file is closed. */
  async close(): Promise<void> {
    this.#ended = true;
    await this.#source.return?.();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The next line without its LF and the CR before it; null at the end or at a gap; longer ones are read past. */
  async readLine(maxBytes: number): Promise<Buffer | null | 'too_long'> {
    const parts: Buffer[] = [];
    let sizeBytes = 0;
    let met = false;
    for (;;) {
      if (this.#position === this.#chunk.length && !(await this.#load())) break;
      met = true;
      const newline = this.#chunk.indexOf(10, this.#position);
      const end = newline < 0 ? this.#chunk.length : newline;
      sizeBytes += end - this.#position;
      const part = this.#chunk.subarray(this.#position, end);
      if (sizeBytes > maxBytes) parts.length = 0;
      else parts.push(newline < 0 ? Buffer.from(part) : part);
      this.#position = newline < 0 ? end : end + 1;
      if (newline >= 0) break;
    }
    if (!met) return null;
    if (sizeBytes > maxBytes) return 'too_long';
    const line = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    let end = line.length;
    while (end > 0 && line[end - 1] === 13) end--;
    return line.subarray(0, end);
  }

  /** The next line that is not empty. */
  async readFilledLine(maxBytes: number): Promise<Buffer | null | 'too_long'> {
    for (;;) {
      const line = await this.readLine(maxBytes);
      if (line === null || line.length > 0) return line;
    }
  }

  /** Looks at up to `sizeBytes` without taking them; fewer only at the end or at a gap. */
  async peek(sizeBytes: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let rest = this.#chunk.subarray(this.#position);
    for (let heldBytes = rest.length; heldBytes < sizeBytes; heldBytes += rest.length) {
      const part = Buffer.from(rest);
      if (!(await this.#load())) {
        rest = part;
        break;
      }
      if (part.length > 0) parts.push(part);
      rest = this.#chunk;
    }
    this.#chunk = parts.length === 0 ? rest : Buffer.concat([...parts, rest]);
    this.#position = 0;
    return this.#chunk.subarray(0, sizeBytes);
  }

  /** Takes a block into an ArrayBuffer of its own; null if the input ends, or has a gap, inside it. */
  async read(sizeBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
    const block = new Uint8Array(sizeBytes);
    let filled = 0;
    while (filled < sizeBytes) {
      if (this.#position === this.#chunk.length && !(await this.#load())) return null;
      const end = Math.min(this.#chunk.length, this.#position + sizeBytes - filled);
      block.set(this.#chunk.subarray(this.#position, end), filled);
      filled += end - this.#position;
      this.#position = end;
    }
    this.#watcher?.update(block);
    return block;
  }

  /** Reads past a block; false if the input ends, or has a gap, inside it. */
  async skip(sizeBytes: number): Promise<boolean> {
    let left = sizeBytes;
    while (left > 0) {
      if (this.#position === this.#chunk.length && !(await this.#load())) return false;
      const step = Math.min(left, this.#chunk.length - this.#position);
      this.#watcher?.update(this.#chunk.subarray(this.#position, this.#position + step));
      this.#position += step;
      left -= step;
    }
    return true;
  }

  /** Takes whatever is at hand, or the next chunk; null at the end or at a gap. */
  async takeChunk(): Promise<Buffer | null> {
    if (this.#position === this.#chunk.length && !(await this.#load())) return null;
    const chunk = this.#chunk.subarray(this.#position);
    this.#position = this.#chunk.length;
    return chunk;
  }

  /** Puts back bytes that were taken, before those at hand. */
  unread(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const atHand = this.#chunk.subarray(this.#position);
    this.#chunk = atHand.length === 0 ? bytes : Buffer.concat([bytes, atHand]);
    this.#position = 0;
  }

  async #load(): Promise<boolean> {
    while (!this.#ended && this.#gap === null) {
      const next = await this.#source.next();
      if (next.done) {
        this.#ended = true;
      } else if (!(next.value instanceof Uint8Array)) {
        this.#gap = next.value;
      } else if (next.value.length > 0) {
        const { buffer, byteOffset, byteLength } = next.value;
        this.#loadedBytes += byteLength;
        this.#chunk = Buffer.from(buffer, byteOffset, byteLength);
        this.#position = 0;
        return true;
      }
    }
    return false;
  }
}

async function* chunksOf(stream: ChunkStream | Iterable<Uint8Array>): AsyncGenerator<Uint8Array | Gap> {
  yield* stream;
}
