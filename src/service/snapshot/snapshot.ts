/**
 * All that GET /related needs, in memory: no SQL and no object per neighbor on the hot path.
 *
 * Pages stand in blocks of 65,536. A block is the records of its pages (outside the heap, where no collector visits
 * them), where they end, and for each relation the neighbor lists one after another. A record is as `page-record.ts`
 * says. A URL is found by a hash table of page ids that is checked against the records.
 *
 *   records    ....http://a/","title":"A"....http://a/b","title": ...
 *   ends                                     ^
 *
 * The first 12 neighbors of a page are held, which is what most answers need; longer lists come from the file.
 *
 * Cost    about 170 bytes a page, most of them its URL and title, and 8 bytes a neighbor.
 */

import { type NeighborList, NO_NEIGHBORS } from '../../join/pairs/neighbor-table.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import type { IndexCard, StoredPage } from '../../store/records.ts';
import type { FileOrder } from '../threads/file-order.ts';
import { withThread } from '../threads/thread.ts';
import { dropPieces, PIECES_WORKER, takePieces, withArrays } from './arena.ts';
import type { JsonWriter } from './json-writer.ts';
import { hasUrl, isFetched, nameIn, siteOfTraits, TRAITS_BYTES, traitsIn } from './page-record.ts';
import { findSlot } from './slot-table.ts';
import {
  BLOCK_BITS,
  BLOCK_MASK,
  HELD_NEIGHBORS,
  loadParts,
  type NeighborBlock,
  type RecordBlock,
  type SnapshotParts,
} from './snapshot-parts.ts';

/** Bytes that a processor fetches at once. */
const LINE_BYTES = 64;
const SLICE_MS = 4;
/** A smaller index is read sooner than a thread is there. */
export const LEAST_PAGES_FOR_THREAD = 1 << 14;

/** Takes what `touch` has read, or its reads would be optimized away. */
const TOUCHED = new Uint32Array(1);

/** What filters ask of a page. */
type Traits = Pick<StoredPage, 'siteId' | 'lang' | 'fetched'>;

/** What a list is put together from. */
export interface HeldPages
  extends Pick<Snapshot, 'findHeld' | 'successor' | 'traitsWord' | 'writeName' | 'touch'> {
  /** Null where more is to be read than is held. */
  neighbors(relationId: number, pageId: number, count: number): NeighborList | null;
}

export class Snapshot {
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
   * Loads a large index on a thread, a small one slice by slice, giving the event loop a turn every `SLICE_MS`. It ends with
   * an error when `signal` says that it is not wanted any more.
   */
  static async load(
    reader: IndexReader,
    { generation, relations }: Pick<IndexCard, 'generation' | 'relations'>,
    leastPagesForThread = LEAST_PAGES_FOR_THREAD,
    signal?: AbortSignal,
  ): Promise<Snapshot> {
    const inPlace = () => loadParts(reader, relations, SLICE_MS, signal);
    // What a thread could not read is read here, so that the error is one that says what is wrong.
    const parts =
      reader.pageCount < leastPagesForThread
        ? await inPlace()
        : await loadPartsAside({ path: reader.path, generation }, signal).catch(inPlace);
    return new Snapshot(reader, parts);
  }

  /** Page id of a canonical URL or of an alias, -1 where there is none. */
  findPage(url: string): number {
    const id = this.findHeld(url);
    return id >= 0 ? id : (this.#reader.alias(url)?.pageId ?? -1);
  }

  /** The same for what is in memory: a canonical URL, no alias. */
  findHeld(url: string): number {
    return findSlot(this.#slots, url, (pageId) => {
      const { records, ends } = this.#blocks[pageId >> BLOCK_BITS]!;
      return hasUrl(records, ends[pageId & BLOCK_MASK]!, url);
    });
  }

  /** The page that speaks for a page which leads elsewhere since a sweep; the page itself for all others. */
  successor(pageId: number): number {
    return this.#successors.get(pageId) ?? pageId;
  }

  /** What lists show of a page, and what is asked of it. */
  head(pageId: number): Traits & Pick<StoredPage, 'url' | 'title'> {
    const { records, ends } = this.#blocks[pageId >> BLOCK_BITS]!;
    const [start, end] = [ends[pageId & BLOCK_MASK]!, ends[(pageId & BLOCK_MASK) + 1]!];
    return { ...nameIn(records, start, end), ...this.traits(pageId) };
  }

  traits(pageId: number): Traits {
    const word = this.traitsWord(pageId);
    const lang = this.#langNames[this.#langs[pageId]!]!;
    return { siteId: siteOfTraits(word), lang, fetched: isFetched(word) };
  }

  /** As of `page-record.ts`. */
  traitsWord(pageId: number): number {
    const { records, ends } = this.#blocks[pageId >> BLOCK_BITS]!;
    return traitsIn(records, ends[pageId & BLOCK_MASK]!);
  }

  /** As `pageName` says. */
  writeName(json: JsonWriter, pageId: number): void {
    const { records, ends } = this.#blocks[pageId >> BLOCK_BITS]!;
    const local = pageId & BLOCK_MASK;
    json.bytes(records, ends[local]! + TRAITS_BYTES, ends[local + 1]!);
  }

  /** Before pages are written: reads that do not wait for one another, so that the misses of the caches overlap. */
  touch(pageIds: Uint32Array): void {
    let sum = 0;
    for (let at = 0; at < pageIds.length; at++) {
      const pageId = pageIds[at]!;
      const { records, ends } = this.#blocks[pageId >> BLOCK_BITS]!;
      const from = ends[pageId & BLOCK_MASK]!;
      const last = records.length - 1;
      sum += records[from]! + records[Math.min(from + LINE_BYTES, last)]!;
      sum += records[Math.min(from + 2 * LINE_BYTES, last)]!;
    }
    TOUCHED[0] = sum;
  }

  /** At least the `count` nearest of those stored; all where there are no more. */
  neighbors(relationId: number, pageId: number, count: number): NeighborList {
    const block = this.#neighbors.get(relationId)?.[pageId >> BLOCK_BITS];
    if (block === undefined) return NO_NEIGHBORS;
    const { ids, shared, total, ends } = block;
    const local = pageId & BLOCK_MASK;
    const [start, end] = [ends[local]!, ends[local + 1]!];
    if (count > HELD_NEIGHBORS && end - start === HELD_NEIGHBORS) {
      return this.#reader.neighbors(relationId, pageId);
    }
    return {
      ids: ids.subarray(start, end),
      shared: shared.subarray(start, end),
      total: total.subarray(start, end),
    };
  }

  /** Frees the memory now: a collector that sees only small handles is in no hurry. */
  close(): void {
    void dropPieces(this.#pieces);
  }
}

/** Reads the parts on a thread of its own. Errors  any, where the thread could not read it. */
export async function loadPartsAside(order: FileOrder, signal?: AbortSignal): Promise<SnapshotParts> {
  return withThread<number | null, unknown, SnapshotParts>(PIECES_WORKER, order, signal, async (ask) => {
    const { pieceCount, parts } = (await ask(null)) as { pieceCount: number; parts: unknown };
    const pieces = await takePieces(pieceCount, (piece) => ask(piece) as Promise<ArrayBuffer>);
    return { ...withArrays<Omit<SnapshotParts, 'pieces'>>(parts, pieces), pieces };
  });
}
