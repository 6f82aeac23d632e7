import { createOwnMemory, growMemory, startKernel } from '../../../lib/wasm.ts';
import { type Bytes, PART_PAGES, type PagesOfWord, SEARCH_BLOCK_PAGES } from '../../blobs/search-blobs.ts';
import { SEARCH_KERNEL_BASE64 } from './search-kernel-bytes.ts';
import { HEAD_VALUES } from './word-log.ts';

/** Values of entries that the kernel is given at once. */
const CHUNK_VALUES = 1 << 14;
/** Of an entry without its places, and of a place, at most. */
const PAGE_BYTES = 16;
const PLACE_BYTES = 6;
/** Written over behind the places. */
const SPARE_BYTES = 8;

/** What the kernel says of a part: see kernels/search/posting.ts. */
const STATE_AT = 0;
const STATE_VALUES = 4;
const PAGE_COUNT = 0;
const FIRST_PAGE = 1;
const PAGES_END = 2;
const PLACES_END = 3;
const ENTRIES_AT = STATE_AT + 4 * STATE_VALUES;
const PAGES_AT = ENTRIES_AT + 4 * CHUNK_VALUES;
const LENGTHS_AT = PAGES_AT + PAGE_BYTES * PART_PAGES;

/** Arguments are byte positions and counts, see kernels/search/posting.ts. */
interface Kernel {
  beginPart(pages: number, places: number): void;
  endPart(state: number): void;
  packEntries(entries: number, end: number, lengths: number, mostPages: number): number;
  packPage(page: number, titleHits: number, textHits: number): void;
  takePlaces(end: number): void;
}

/** Packs a part of a posting: what up to `PART_PAGES` pages say of a word. */
export class PartPacker {
  readonly #memory;
  readonly #kernel: Kernel;
  readonly #placesAt: number;
  #bytes: Uint8Array;
  #values: Uint32Array;
  /** Bytes that the places may have so far. */
  #mostBytes = 0;

  /** `lengths` of pages in blocks of `SEARCH_BLOCK_PAGES`: how many words each has, as stored. */
  constructor(lengths: readonly Uint16Array[]) {
    this.#placesAt = LENGTHS_AT + 2 * SEARCH_BLOCK_PAGES * lengths.length;
    this.#memory = createOwnMemory(this.#placesAt + PLACE_BYTES * CHUNK_VALUES);
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#values = new Uint32Array(this.#memory.buffer);
    const all = new Uint16Array(this.#memory.buffer, LENGTHS_AT);
    lengths.forEach((block, i) => {
      all.set(block, SEARCH_BLOCK_PAGES * i);
    });
    this.#kernel = startKernel(SEARCH_KERNEL_BASE64, this.#memory);
    this.begin();
  }

  begin(): void {
    this.#mostBytes = 0;
    this.#kernel.beginPart(PAGES_AT, this.#placesAt);
  }

  /** Entries as a log of words has them, from place `from` on; returns where one begins that the part has no room for. */
  add(entries: Uint32Array, from: number): number {
    let at = from;
    while (at < entries.length) {
      const count = Math.min(entries.length - at, CHUNK_VALUES);
      const chunk = count === entries.length ? entries : entries.subarray(at, at + count);
      this.#reserve(PLACE_BYTES * count);
      this.#values.set(chunk, ENTRIES_AT / 4);
      const end = this.#kernel.packEntries(ENTRIES_AT, ENTRIES_AT + 4 * count, LENGTHS_AT, PART_PAGES);
      const packed = (end - ENTRIES_AT) / 4;
      at += packed;
      if (packed + HEAD_VALUES <= count) break;
    }
    return at;
  }

  /** A whole part: pages of a word, and its places, packed already. */
  take({ pages, titleHits, textHits }: PagesOfWord, places: Uint8Array): void {
    for (let i = 0; i < pages.length; i++) this.#kernel.packPage(pages[i]!, titleHits[i]!, textHits[i]!);
    this.#reserve(places.length);
    this.#bytes.set(places, this.#placesAt);
    this.#kernel.takePlaces(this.#placesAt + places.length);
  }

  #reserve(placeBytes: number): void {
    this.#mostBytes += placeBytes;
    const end = this.#placesAt + this.#mostBytes + SPARE_BYTES;
    if (end <= this.#bytes.length) return;
    growMemory(this.#memory, end);
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#values = new Uint32Array(this.#memory.buffer);
  }

  /** Ends the part; how many pages it has. */
  end(): number {
    this.#kernel.endPart(STATE_AT);
    return this.#values[PAGE_COUNT]!;
  }

  /** Of a part that has ended, as are its bytes. */
  get firstPage(): number {
    return this.#values[FIRST_PAGE]!;
  }

  pages(): Uint8Array {
    return this.#bytes.subarray(PAGES_AT, this.#values[PAGES_END]!);
  }

  places(): Uint8Array {
    return this.#bytes.subarray(this.#placesAt, this.#values[PLACES_END]!);
  }

  /** Adds its pages and places. */
  write(into: Bytes): void {
    into.appendPart(this.#bytes, PAGES_AT, this.#values[PAGES_END]!);
    into.appendPart(this.#bytes, this.#placesAt, this.#values[PLACES_END]!);
  }
}
