/**
 * All that GET /related needs, in memory: no SQL and no object per neighbor on the hot path.
 *
 * Pages stand in blocks of 65,536. A block is the records of its pages (outside the heap, where no collector visits
 * them), where they end, and for each relation the neighbor lists one after another. A record is the id of the site
 * and the item as UTF-8. A URL is found by a hash table of page ids that is checked against the records.
 *
 *   records    ...."url":"http://a/","title":"A","fetched":true,"similarity":...."url":"http://a/b", ...
 *   ends                                                                     ^
 *
 * The first 12 neighbors of a page are held, which is what most answers need; longer lists come from the file.
 *
 * Cost    about 200 bytes a page, most of them its URL and title, and 8 bytes a neighbor.
 */

import type { NeighborSpan } from '../../join/pairs/neighbor-table.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import type { IndexCard, RelationRecord } from '../../store/records.ts';
import type { JsonWriter } from '../http/json-writer.ts';
import { dropPieces } from './arena.ts';
import type { Catalog } from './catalog.ts';
import { loadPartsAside } from './parts-thread.ts';
import { findSlot } from './slot-table.ts';
import {
  BLOCK_BITS,
  BLOCK_MASK,
  HELD_NEIGHBORS,
  loadParts,
  type NeighborBlock,
  type RecordBlock,
  SITE_BYTES,
  type SnapshotParts,
} from './snapshot-parts.ts';

const URL_START = SITE_BYTES + '"url":"'.length;
const FETCHED_BYTES = ',"fetched":true,"similarity":'.length;
const UNFETCHED_BYTES = ',"fetched":false,"similarity":'.length;
/** From the end of a record back to the first letter of `true`, which stands where `false` has its second. */
const TRUE_BYTES = 'true,"similarity":'.length;
const LETTER_T = 0x74;
/** Bytes that a processor fetches at once. */
const LINE_BYTES = 64;
const QUOTE = 0x22;
const SLICE_MS = 4;
/** A smaller index is read sooner than a thread is there. */
const LEAST_PAGES_FOR_THREAD = 1 << 14;

/** Takes what `touch` has read, or its reads would be optimized away. */
const TOUCHED = new Uint32Array(1);

const NO_NEIGHBORS: NeighborSpan = {
  ids: new Uint32Array(0),
  shared: new Uint16Array(0),
  total: new Uint16Array(0),
  start: 0,
  end: 0,
};

export class Snapshot implements Catalog {
  readonly #reader: IndexReader;
  readonly #pieces: readonly ArrayBuffer[];
  readonly #blocks: readonly RecordBlock[];
  readonly #langs: Uint16Array;
  readonly #langNames: readonly (string | null)[];
  readonly #slots: Uint32Array;
  readonly #successors: ReadonlyMap<number, number>;
  /** Relation id to blocks; a block without neighbors is undefined. */
  readonly #neighbors: ReadonlyMap<number, readonly (NeighborBlock | undefined)[]>;

  private constructor(reader: IndexReader, parts: SnapshotParts) {
    this.#reader = reader;
    this.#pieces = parts.pieces;
    this.#blocks = parts.blocks;
    this.#langs = parts.langs;
    this.#langNames = parts.langNames;
    this.#slots = parts.slots;
    this.#successors = parts.successors;
    this.#neighbors = parts.neighbors;
  }

  /**
   * Loads a large index on a thread, a small one slice by slice, giving the event loop a turn every `SLICE_MS`. `reader` is
   * to be used by nobody else meanwhile.
   */
  static async load(
    reader: IndexReader,
    { generation, relations }: Pick<IndexCard, 'generation' | 'relations'>,
    leastPagesForThread = LEAST_PAGES_FOR_THREAD,
  ): Promise<Snapshot> {
    const inPlace = () => loadParts(reader, relations, SLICE_MS);
    // What a thread could not read is read here, so that the error is one that says what is wrong.
    const parts =
      reader.pageCount < leastPagesForThread
        ? await inPlace()
        : await loadPartsAside({ path: reader.path, generation }).catch(inPlace);
    return new Snapshot(reader, parts);
  }

  find(url: string): number {
    const id = this.findHeld(url);
    return id >= 0 ? id : this.#reader.findPage(url);
  }

  isNamed(): boolean {
    return true;
  }

  findMentioned(url: string): number {
    return this.find(url);
  }

  successor(pageId: number): number {
    return this.#successors.get(pageId) ?? pageId;
  }

  head(pageId: number): string {
    const { records, ends } = this.#blocks[pageId >> BLOCK_BITS]!;
    const local = pageId & BLOCK_MASK;
    return records.toString('utf8', ends[local]! + SITE_BYTES, headEnd(records, ends[local + 1]!));
  }

  writeHead(json: JsonWriter, pageId: number): void {
    const { records, ends } = this.#blocks[pageId >> BLOCK_BITS]!;
    const local = pageId & BLOCK_MASK;
    json.bytes(records, ends[local]! + SITE_BYTES, headEnd(records, ends[local + 1]!));
  }

  writeItem(json: JsonWriter, pageId: number): void {
    const { records, ends } = this.#blocks[pageId >> BLOCK_BITS]!;
    const local = pageId & BLOCK_MASK;
    json.bytes(records, ends[local]! + SITE_BYTES, ends[local + 1]!);
  }

  /** Reads that do not wait for one another: the misses of the caches overlap. */
  touch({ ids, start, end }: NeighborSpan): void {
    let sum = 0;
    for (let at = start; at < end; at++) {
      const pageId = ids[at]!;
      const { records, ends } = this.#blocks[pageId >> BLOCK_BITS]!;
      const from = ends[pageId & BLOCK_MASK]!;
      const last = records.length - 1;
      sum += records[from]! + records[Math.min(from + LINE_BYTES, last)]!;
      sum += records[Math.min(from + 2 * LINE_BYTES, last)]!;
    }
    TOUCHED[0] = sum;
  }

  site(pageId: number): number {
    const { records, ends } = this.#blocks[pageId >> BLOCK_BITS]!;
    const at = ends[pageId & BLOCK_MASK]!;
    return records[at]! + (records[at + 1]! << 8) + (records[at + 2]! << 16) + records[at + 3]! * 2 ** 24;
  }

  lang(pageId: number): string | null {
    return this.#langNames[this.#langs[pageId]!]!;
  }

  fetched(pageId: number): boolean {
    const { records, ends } = this.#blocks[pageId >> BLOCK_BITS]!;
    return isFetched(records, ends[(pageId & BLOCK_MASK) + 1]!);
  }

  neighbors(relation: RelationRecord, pageId: number, count = Infinity): NeighborSpan {
    const block = this.#neighbors.get(relation.id)?.[pageId >> BLOCK_BITS];
    if (block === undefined) return NO_NEIGHBORS;
    const { ids, shared, total, ends } = block;
    const local = pageId & BLOCK_MASK;
    const [start, end] = [ends[local]!, ends[local + 1]!];
    if (count > HELD_NEIGHBORS && end - start === HELD_NEIGHBORS) {
      const list = this.#reader.neighbors(relation.id, pageId);
      return { ...list, start: 0, end: list.ids.length };
    }
    return { ids, shared, total, start, end };
  }

  /** Frees the memory now: a collector that sees only small handles is in no hurry. */
  close(): void {
    void dropPieces(this.#pieces);
  }

  findHeld(url: string): number {
    return findSlot(this.#slots, url, (pageId) => {
      const { records, ends } = this.#blocks[pageId >> BLOCK_BITS]!;
      return hasUrl(records, ends[pageId & BLOCK_MASK]! + URL_START, url);
    });
  }
}

function isFetched(records: Buffer, end: number): boolean {
  return records[end - TRUE_BYTES] === LETTER_T;
}

function headEnd(records: Buffer, end: number): number {
  return end - (isFetched(records, end) ? FETCHED_BYTES : UNFETCHED_BYTES);
}

/** URLs are ASCII, so a unit is a byte. */
function hasUrl(records: Buffer, start: number, url: string): boolean {
  if (records[start + url.length] !== QUOTE) return false;
  for (let i = 0; i < url.length; i++) if (records[start + i] !== url.charCodeAt(i)) return false;
  return true;
}
