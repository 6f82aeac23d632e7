import { longer } from '../../../lib/columns/longer.ts';
import { groupBy } from '../../../lib/groups.ts';
import type { Disk } from '../../files/disk.ts';
import { ByteReader } from '../../files/records/bytes.ts';
import { cutError } from '../../files/records/record-file.ts';

const READ_BYTES = 1 << 20;
/** The length before each record. */
const HEAD_BYTES = 4;

/** Where the records of one URL lie, in the order they came: record i from `starts[i]` to `ends[i]`. */
export interface RecordsOfUrl {
  readonly url: string;
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

/**
 * Records of a bucket in one buffer, to be read again URL by URL. They are read to where they stay, and what is not
 * taken is overwritten by what comes behind. The buffer serves one bucket after the other.
 */
export class GatheredRecords {
  bytes = Buffer.allocUnsafeSlow(2 * READ_BYTES);
  #usedBytes = 0;
  #count = 0;
  readonly #urls = new Map<string, number>();
  /** Of each record: the number of its URL, and where it starts and ends. */
  #owners = new Uint32Array(1024);
  #starts = new Float64Array(1024);
  #ends = new Float64Array(1024);

  clear(): void {
    this.#usedBytes = 0;
    this.#count = 0;
    this.#urls.clear();
  }

  /** Adds the records of a file whose URLs are taken. */
  read(disk: Disk, path: string, takes: (url: string) => boolean): void {
    const file = disk.open(path, 'r');
    try {
      const fileBytes = disk.size(file);
      let from = new ByteReader(this.bytes);
      let start = this.#usedBytes;
      let end = start;
      for (;;) {
        const size = end - start < HEAD_BYTES ? 0 : this.bytes.readUInt32LE(start);
        if (end - start >= HEAD_BYTES + size) {
          from.at = start + HEAD_BYTES + 1;
          const owner = this.#ownerOf(from.ascii(), takes);
          if (owner >= 0) this.#keep(owner, start, size);
          start += HEAD_BYTES + size;
          continue;
        }
        if (size > fileBytes) throw cutError(path);
        this.bytes.copyWithin(this.#usedBytes, start, end);
        end -= start - this.#usedBytes;
        start = this.#usedBytes;
        this.#makeRoom(start, end, HEAD_BYTES + Math.max(size, READ_BYTES));
        from = new ByteReader(this.bytes);
        const got = disk.read(file, this.bytes, end, this.bytes.length - end, null);
        if (got === 0 && end > start) throw cutError(path);
        if (got === 0) return;
        end += got;
      }
    } finally {
      disk.close(file);
    }
  }

  /** Number of the URL, or -1 where it is not taken. */
  #ownerOf(url: string, takes: (url: string) => boolean): number {
    const known = this.#urls.get(url);
    if (known !== undefined) return known;
    if (!takes(url)) return -1;
    this.#urls.set(url, this.#urls.size);
    return this.#urls.size - 1;
  }

  /** Keeps the record whose head is at `start`, behind those that are kept. */
  #keep(owner: number, start: number, size: number): void {
    if (this.#count === this.#owners.length) {
      this.#owners = longer(this.#owners, 2 * this.#count);
      this.#starts = longer(this.#starts, 2 * this.#count);
      this.#ends = longer(this.#ends, 2 * this.#count);
    }
    const to = this.#usedBytes;
    if (to !== start) this.bytes.copyWithin(to, start, start + HEAD_BYTES + size);
    this.#usedBytes += HEAD_BYTES + size;
    this.#owners[this.#count] = owner;
    this.#starts[this.#count] = to + HEAD_BYTES;
    this.#ends[this.#count++] = this.#usedBytes;
  }

  /** Room for `count` bytes behind `start`, where those up to `end` stay. */
  #makeRoom(start: number, end: number, count: number): void {
    if (start + count <= this.bytes.length) return;
    const room = Buffer.allocUnsafeSlow(Math.max(start + count, Math.ceil(1.5 * this.bytes.length)));
    this.bytes.copy(room, 0, 0, end);
    this.bytes = room;
  }

  /** Every URL in string order. */
  *byUrl(): IterableIterator<RecordsOfUrl> {
    const { starts: firsts, members } = groupBy(this.#owners.subarray(0, this.#count), this.#urls.size);
    const starts = new Float64Array(this.#count);
    const ends = new Float64Array(this.#count);
    for (let place = 0; place < this.#count; place++) {
      starts[place] = this.#starts[members[place]!]!;
      ends[place] = this.#ends[members[place]!]!;
    }
    for (const url of [...this.#urls.keys()].sort()) {
      const owner = this.#urls.get(url)!;
      const [first, last] = [firsts[owner]!, firsts[owner + 1]!];
      yield { url, starts: starts.subarray(first, last), ends: ends.subarray(first, last) };
    }
  }
}
