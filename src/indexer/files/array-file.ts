import { closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import { readAll, readWhole, writeAll } from './file-bytes.ts';

/**
 * Files that are one typed array. They are read into shared memory, so that workers see them without a copy.
 */

type NumberArray = Uint8Array | Uint16Array | Uint32Array | Float64Array;
type ArrayKind<T extends NumberArray> = {
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): T;
  new (length: number): T;
  readonly BYTES_PER_ELEMENT: number;
};

/** Appends numbers to a file through a fixed buffer. */
export class ArrayWriter<T extends NumberArray> {
  length = 0;
  readonly #file: number;
  readonly #buffer: T;
  #used = 0;

  constructor(path: string, kind: ArrayKind<T>, bufferLength = 1 << 16) {
    this.#file = openSync(path, 'w');
    this.#buffer = new kind(bufferLength);
  }

  push(value: number): void {
    if (this.#used === this.#buffer.length) this.#flush();
    this.#buffer[this.#used++] = value;
    this.length++;
  }

  append(values: T): void {
    this.#flush();
    writeAll(this.#file, new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    this.length += values.length;
  }

  #flush(): void {
    writeAll(this.#file, new Uint8Array(this.#buffer.buffer, 0, this.#used * this.#buffer.BYTES_PER_ELEMENT));
    this.#used = 0;
  }

  close(): void {
    this.#flush();
    fsyncSync(this.#file);
    closeSync(this.#file);
  }
}

export function writeArray(path: string, array: NumberArray): void {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  const file = openSync(path, 'w');
  try {
    writeAll(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Reads a whole file into an array over shared memory. */
export function readArray<T extends NumberArray>(path: string, kind: ArrayKind<T>): T {
  return readInto(path, kind, new SharedArrayBuffer(statSync(path).size));
}

/** As readArray, in memory of this thread alone: the collector knows its size, and frees it sooner. */
export function readOwnArray<T extends NumberArray>(path: string, kind: ArrayKind<T>): T {
  return readInto(path, kind, new ArrayBuffer(statSync(path).size));
}

function readInto<T extends NumberArray>(path: string, kind: ArrayKind<T>, buffer: ArrayBufferLike): T {
  const bytes = new Uint8Array(buffer);
  const file = openSync(path, 'r');
  try {
    readWhole(path, file, bytes);
  } finally {
    closeSync(file);
  }
  return new kind(bytes.buffer);
}

/** The numbers of a file in order, `length` at a time; each array is valid until the next one is asked for. */
export function* readBlocks<T extends NumberArray>(
  path: string,
  kind: ArrayKind<T>,
  length = 1 << 16,
): Generator<T, void, void> {
  const block = new kind(length);
  const bytes = new Uint8Array(block.buffer);
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const filled = readAll(file, bytes);
      if (filled === 0) return;
      yield new kind(block.buffer, 0, filled / kind.BYTES_PER_ELEMENT);
    }
  } finally {
    closeSync(file);
  }
}
