import { type Disk, SYSTEM_DISK } from '../disk.ts';
import { readAll, readWhole, writeAll } from '../file-bytes.ts';
import { diskOf, type WorkFiles } from '../work-folder.ts';

export type NumberArray = Uint8Array | Uint16Array | Uint32Array | Float64Array;
export type ArrayKind<T extends NumberArray> = {
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): T;
  new (length: number): T;
  readonly BYTES_PER_ELEMENT: number;
  readonly prototype: T;
};

/** A file of the work folder that is one typed array: its name, and the kind of its numbers. */
export class ArrayFile<T extends NumberArray> {
  readonly #name: string;
  readonly #kind: ArrayKind<T>;

  constructor(name: string, kind: ArrayKind<T>) {
    this.#name = name;
    this.#kind = kind;
  }

  path(folder: WorkFiles): string {
    return folder.file(this.#name);
  }

  /** How many numbers it holds. */
  length(folder: WorkFiles): number {
    return diskOf(folder).sizeAt(this.path(folder))! / this.#kind.BYTES_PER_ELEMENT;
  }

  write(folder: WorkFiles, array: T): void {
    writeArray(diskOf(folder), this.path(folder), array);
  }

  writer(folder: WorkFiles): ArrayWriter<T> {
    return new ArrayWriter(this.path(folder), this.#kind, undefined, diskOf(folder));
  }

  /** All of it, in shared memory: threads see it without a copy. */
  read(folder: WorkFiles): T {
    const bytes = diskOf(folder).sizeAt(this.path(folder))!;
    return readInto(diskOf(folder), this.path(folder), this.#kind, new SharedArrayBuffer(bytes));
  }

  /** All of it, in memory of this thread alone: the collector knows its size, and frees it sooner. */
  readOwn(folder: WorkFiles): T {
    const bytes = diskOf(folder).sizeAt(this.path(folder))!;
    return readInto(diskOf(folder), this.path(folder), this.#kind, new ArrayBuffer(bytes));
  }

  /** For reads here and there. */
  reader(folder: WorkFiles): ArrayReader<T> {
    return new ArrayReader(this.path(folder), this.#kind, diskOf(folder));
  }

  /** Its numbers in order, `length` at a time; each array is valid until the next one is asked for. */
  blocks(folder: WorkFiles, length?: number): Generator<T, void, void> {
    return readBlocks(diskOf(folder), this.path(folder), this.#kind, length);
  }
}

/** Numbers that a reader takes at once, at least. */
const WINDOW_LENGTH = 1 << 12;

/** Reads ranges of a file, which had best ascend. */
export class ArrayReader<T extends NumberArray> {
  readonly #path: string;
  readonly #disk: Disk;
  readonly #file: number;
  readonly #kind: ArrayKind<T>;
  readonly #length: number;
  #window: T;
  #from = 0;
  #to = 0;

  constructor(path: string, kind: ArrayKind<T>, disk: Disk) {
    this.#path = path;
    this.#disk = disk;
    this.#file = disk.open(path, 'r');
    this.#kind = kind;
    this.#length = disk.size(this.#file) / kind.BYTES_PER_ELEMENT;
    this.#window = new kind(WINDOW_LENGTH);
  }

  /** Numbers from .. to - 1, valid until the next read. */
  read(from: number, to: number): T {
    if (from < this.#from || to > this.#to) this.#move(from, to);
    return this.#window.subarray(from - this.#from, to - this.#from) as T;
  }

  #move(from: number, to: number): void {
    if (to - from > this.#window.length) this.#window = new this.#kind(to - from);
    this.#from = from;
    this.#to = Math.max(to, Math.min(this.#length, from + this.#window.length));
    const { buffer, byteOffset, BYTES_PER_ELEMENT: width } = this.#window;
    const bytes = new Uint8Array(buffer, byteOffset, width * (this.#to - from));
    readWhole(this.#path, this.#file, bytes, width * from, this.#disk);
  }

  close(): void {
    this.#disk.close(this.#file);
  }
}

/** The buffer of a writer at first: many files get a few numbers. */
const FIRST_LENGTH = 1 << 10;

/** Appends numbers to a file through a buffer of bounded length. */
export class ArrayWriter<T extends NumberArray> {
  length = 0;
  readonly #disk: Disk;
  readonly #file: number;
  readonly #kind: ArrayKind<T>;
  readonly #mostLength: number;
  #buffer: T;
  #used = 0;

  constructor(path: string, kind: ArrayKind<T>, bufferLength = 1 << 16, disk: Disk = SYSTEM_DISK) {
    this.#disk = disk;
    this.#file = disk.open(path, 'w');
    this.#kind = kind;
    this.#mostLength = bufferLength;
    this.#buffer = new kind(Math.min(bufferLength, FIRST_LENGTH));
  }

  push(value: number): void {
    if (this.#used === this.#mostLength) this.#flush();
    else if (this.#used === this.#buffer.length) this.#grow();
    this.#buffer[this.#used++] = value;
    this.length++;
  }

  append(values: T): void {
    if (this.#used + values.length > this.#mostLength) this.#flush();
    this.length += values.length;
    if (values.length > this.#mostLength) {
      writeAll(this.#file, new Uint8Array(values.buffer, values.byteOffset, values.byteLength), this.#disk);
      return;
    }
    while (this.#used + values.length > this.#buffer.length) this.#grow();
    this.#buffer.set(values, this.#used);
    this.#used += values.length;
  }

  #grow(): void {
    const full = this.#buffer;
    this.#buffer = new this.#kind(Math.min(8 * full.length, this.#mostLength));
    this.#buffer.set(full);
  }

  #flush(): void {
    const used = new Uint8Array(this.#buffer.buffer, 0, this.#used * this.#buffer.BYTES_PER_ELEMENT);
    writeAll(this.#file, used, this.#disk);
    this.#used = 0;
  }

  close(): void {
    this.#flush();
    this.#disk.sync(this.#file);
    this.#disk.close(this.#file);
  }
}

function writeArray(disk: Disk, path: string, array: NumberArray): void {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  const file = disk.open(path, 'w');
  try {
    writeAll(file, bytes, disk);
    disk.sync(file);
  } finally {
    disk.close(file);
  }
}

function readInto<T extends NumberArray>(
  disk: Disk,
  path: string,
  kind: ArrayKind<T>,
  buffer: ArrayBufferLike,
): T {
  const bytes = new Uint8Array(buffer);
  const file = disk.open(path, 'r');
  try {
    readWhole(path, file, bytes, null, disk);
  } finally {
    disk.close(file);
  }
  return new kind(bytes.buffer);
}

/** The numbers of a file in order, `length` at a time; each array is valid until the next one is asked for. */
function* readBlocks<T extends NumberArray>(
  disk: Disk,
  path: string,
  kind: ArrayKind<T>,
  length = 1 << 16,
): Generator<T, void, void> {
  const file = disk.open(path, 'r');
  try {
    const block = new kind(Math.min(length, disk.size(file) / kind.BYTES_PER_ELEMENT));
    const bytes = new Uint8Array(block.buffer);
    for (;;) {
      const filled = readAll(file, bytes, null, disk);
      if (filled === 0) return;
      yield new kind(block.buffer, 0, filled / kind.BYTES_PER_ELEMENT);
    }
  } finally {
    disk.close(file);
  }
}
