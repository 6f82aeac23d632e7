import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import type { WordPages } from './word-log.ts';

/** Bytes that are written at once, and read at once of each run. */
const CHUNK_BYTES = 1 << 18;
/** Before each word: its letters and its entries. */
const HEAD_BYTES = 8;

/** The words of one log after the other, each sorted, in a scratch file, until they are merged. Memory  256 KB a run. */
export class WordRuns {
  readonly #path: string;
  #file: number | null = null;
  /** Where each run begins, and the last ends. */
  readonly #bounds = [0];

  /** `path` is where the file is put when there is something to write. */
  constructor(path: string) {
    this.#path = path;
  }

  add(words: Iterable<WordPages>): void {
    this.#file ??= openSync(this.#path, 'w+');
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let end = this.#bounds.at(-1)!;
    let length = 0;
    const flush = () => {
      end += writeAll(this.#file!, chunk.subarray(0, length), end);
      length = 0;
    };
    for (const { word, entries } of words) {
      const bytes = Buffer.from(entries.buffer, entries.byteOffset, entries.byteLength);
      if (length + HEAD_BYTES + 2 * word.length > CHUNK_BYTES) flush();
      chunk.writeUInt32LE(word.length, length);
      chunk.writeUInt32LE(entries.length, length + 4);
      length += HEAD_BYTES;
      length += chunk.write(word, length, 'utf16le');
      if (length + bytes.length > CHUNK_BYTES) flush();
      if (bytes.length > CHUNK_BYTES) end += writeAll(this.#file, bytes, end);
      else length += bytes.copy(chunk, length);
    }
    flush();
    this.#bounds.push(end);
  }

  /** Those of all runs and `last`, by word; of one word by run, so that its pages ascend. */
  merged(last: Iterable<WordPages>): Iterable<WordPages> {
    return this.#file === null ? last : this.#merged(last);
  }

  *#merged(last: Iterable<WordPages>): IterableIterator<WordPages> {
    const sources: Iterator<WordPages>[] = [];
    for (let run = 0; run + 1 < this.#bounds.length; run++) sources.push(this.#run(run));
    sources.push(last[Symbol.iterator]());
    const heads = sources.map(nextOf);
    for (;;) {
      let word: string | null = null;
      for (const head of heads) if (head !== null && (word === null || head.word < word)) word = head.word;
      if (word === null) return;
      for (const [i, source] of sources.entries()) {
        const head = heads[i]!;
        if (head?.word !== word) continue;
        yield head;
        heads[i] = nextOf(source);
      }
    }
  }

  *#run(run: number): IterableIterator<WordPages> {
    const file = this.#file!;
    const end = this.#bounds[run + 1]!;
    let next = this.#bounds[run]!;
    let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let [at, length] = [0, 0];
    /** Where the next `size` bytes begin in the chunk. */
    const take = (size: number) => {
      if (at + size > length) {
        const larger = size > chunk.length ? Buffer.allocUnsafe(size) : chunk;
        length = chunk.copy(larger, 0, at, length);
        chunk = larger;
        at = 0;
        const wanted = Math.min(chunk.length - length, end - next);
        readAll(file, chunk.subarray(length, length + wanted), next);
        next += wanted;
        length += wanted;
      }
      at += size;
      return at - size;
    };
    while (next < end || at < length) {
      const head = take(HEAD_BYTES);
      const [letters, count] = [chunk.readUInt32LE(head), chunk.readUInt32LE(head + 4)];
      const start = take(2 * letters);
      const word = chunk.toString('utf16le', start, start + 2 * letters);
      const from = take(4 * count);
      yield {
        word,
        entries: new Uint32Array(Uint8Array.from(chunk.subarray(from, from + 4 * count)).buffer),
      };
    }
  }

  discard(): void {
    if (this.#file === null) return;
    closeSync(this.#file);
    this.#file = null;
    rmSync(this.#path, { force: true });
  }
}

/** Returns how many bytes: all. */
function writeAll(file: number, bytes: Uint8Array, at: number): number {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, bytes.length - done, at + done);
  return bytes.length;
}

function readAll(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) {
    const count = readSync(file, bytes, done, bytes.length - done, at + done);
    if (count === 0) throw new Error('a scratch file of words ends too early');
    done += count;
  }
}

function nextOf(source: Iterator<WordPages>): WordPages | null {
  const { done, value } = source.next();
  return done === true ? null : value;
}
