/** Reads the parts of a snapshot from an index, slice by slice; `snapshot.ts` says how they are laid out. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NeighborList } from '../../join/pairs/neighbor-table.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import type { RelationRecord } from '../../store/records.ts';
import { Arena } from './arena.ts';
import { JsonWriter } from './json-writer.ts';
import { pageName, TRAITS_BYTES, traitsWord } from './page-record.ts';
import { insertSlot, slotCount } from './slot-table.ts';

/** Few large arrays: they are handed from thread to thread one by one, and looked up at every step. */
export const BLOCK_BITS = 16;

/** Neighbors of a page in memory: a list of ten, and whether there are more. The file has the others. */
export const HELD_NEIGHBORS = 12;
const BLOCK_PAGES = 1 << BLOCK_BITS;
export const BLOCK_MASK = BLOCK_PAGES - 1;

export interface NeighborBlock {
  readonly ids: Uint32Array;
  readonly shared: Uint16Array;
  readonly total: Uint16Array;
  /** One more than there are pages: page p owns ends[p] .. ends[p + 1] - 1. */
  readonly ends: Uint32Array;
}

export interface RecordBlock {
  readonly records: Buffer;
  /** As above. */
  readonly ends: Uint32Array;
}

interface PageParts {
  readonly blocks: RecordBlock[];
  readonly langs: Uint16Array;
  readonly langNames: (string | null)[];
  /** Hash table of the URLs (`slot-table.ts`). */
  readonly slots: Uint32Array;
}

export interface SnapshotParts extends PageParts {
  /** What all arrays stand in. */
  readonly pieces: readonly ArrayBuffer[];
  readonly neighbors: ReadonlyMap<number, readonly (NeighborBlock | undefined)[]>;
  /** Pages that lead elsewhere since a sweep, each with where that ends: few, if any. */
  readonly successors: ReadonlyMap<number, number>;
}

export async function loadParts(
  reader: IndexReader,
  relations: readonly RelationRecord[],
  sliceMs: number,
  signal?: AbortSignal,
): Promise<SnapshotParts> {
  signal?.throwIfAborted();
  const breathe = breather(sliceMs, signal);
  const arena = new Arena(reader.pageCount < BLOCK_PAGES);
  const pages = await loadPages(reader, arena, breathe);
  const neighbors = new Map<number, (NeighborBlock | undefined)[]>();
  for (const { id } of relations) neighbors.set(id, await loadNeighbors(reader, id, arena, breathe));
  return { ...pages, neighbors, successors: reader.successors(), pieces: arena.pieces };
}

/** A check to be made once a row: gives other work a turn when the slice is used up. It rejects where `signal` says so. */
export function breather(sliceMs: number, signal?: AbortSignal): () => Promise<void> | undefined {
  let count = 0;
  let startedMs = performance.now();
  return () => {
    if ((++count & 63) !== 0 || performance.now() - startedMs < sliceMs) return undefined;
    return nextTurn().then(() => {
      signal?.throwIfAborted();
      startedMs = performance.now();
    });
  };
}

async function loadPages(
  reader: IndexReader,
  arena: Arena,
  breathe: () => Promise<void> | undefined,
): Promise<PageParts> {
  const { pageCount } = reader;
  const blocks: RecordBlock[] = [];
  const langs = arena.uint16(pageCount);
  const langNames: (string | null)[] = [];
  const slots = arena.uint32(slotCount(pageCount));
  const json = new JsonWriter();
  const traits = Buffer.alloc(TRAITS_BYTES);
  let ends = arena.uint32(pagesOfBlock(pageCount, 0) + 1);
  for (const page of reader.pages()) {
    let lang = langNames.indexOf(page.lang);
    if (lang < 0) lang = langNames.push(page.lang) - 1;
    langs[page.id] = lang;
    insertSlot(slots, page.url, page.id);
    const local = page.id & BLOCK_MASK;
    traits.writeUInt32LE(traitsWord(page));
    ends[local + 1] = json.bytes(traits).text(pageName(page)).length;
    if (local === BLOCK_MASK || page.id === pageCount - 1) {
      const records = arena.bytes(json.length);
      json.copyTo(records);
      blocks.push({ records, ends });
      json.begin();
      ends = arena.uint32(pagesOfBlock(pageCount, blocks.length) + 1);
    }
    const pause = breathe();
    if (pause !== undefined) await pause;
  }
  return { blocks, langs, langNames, slots };
}

function pagesOfBlock(pageCount: number, block: number): number {
  return Math.max(0, Math.min(BLOCK_PAGES, pageCount - block * BLOCK_PAGES));
}

async function loadNeighbors(
  reader: IndexReader,
  relationId: number,
  arena: Arena,
  breathe: () => Promise<void> | undefined,
): Promise<(NeighborBlock | undefined)[]> {
  const blocks: (NeighborBlock | undefined)[] = new Array(Math.ceil(reader.pageCount / BLOCK_PAGES)).fill(
    undefined,
  );
  const builder = new NeighborBlockBuilder(reader.pageCount, arena);
  for (const { pageId, list } of reader.allNeighbors(relationId, HELD_NEIGHBORS)) {
    const block = pageId >> BLOCK_BITS;
    if (block !== builder.blockId) {
      if (builder.blockId >= 0) blocks[builder.blockId] = builder.take();
      builder.begin(block);
    }
    builder.add(pageId & BLOCK_MASK, list);
    const pause = breathe();
    if (pause !== undefined) await pause;
  }
  if (builder.blockId >= 0) blocks[builder.blockId] = builder.take();
  return blocks;
}

/** Lists are copied at once: a million small arrays that live for a while are what a collector likes least. */
class NeighborBlockBuilder {
  readonly #pageCount: number;
  readonly #arena: Arena;
  readonly #ids: Uint32Array;
  readonly #shared: Uint16Array;
  readonly #total: Uint16Array;
  #blockId = -1;
  #ends = new Uint32Array(0);
  #count = 0;

  constructor(pageCount: number, arena: Arena) {
    this.#pageCount = pageCount;
    this.#arena = arena;
    const capacity = Math.min(BLOCK_PAGES, pageCount) * HELD_NEIGHBORS;
    this.#ids = new Uint32Array(capacity);
    this.#shared = new Uint16Array(capacity);
    this.#total = new Uint16Array(capacity);
  }

  get blockId(): number {
    return this.#blockId;
  }

  begin(blockId: number): void {
    this.#blockId = blockId;
    this.#ends = this.#arena.uint32(pagesOfBlock(this.#pageCount, blockId) + 1);
    this.#count = 0;
  }

  /** `local` is a position in the block; in ascending order. */
  add(local: number, { ids, shared, total }: NeighborList): void {
    for (let i = 0; i < ids.length; i++) {
      this.#ids[this.#count] = ids[i]!;
      this.#shared[this.#count] = shared[i]!;
      this.#total[this.#count++] = total[i]!;
    }
    this.#ends[local + 1] = this.#count;
  }

  take(): NeighborBlock {
    const ends = this.#ends;
    for (let i = 1; i < ends.length; i++) ends[i] = Math.max(ends[i]!, ends[i - 1]!);
    const ids = this.#arena.uint32(this.#count);
    const shared = this.#arena.uint16(this.#count);
    const total = this.#arena.uint16(this.#count);
    ids.set(this.#ids.subarray(0, this.#count));
    shared.set(this.#shared.subarray(0, this.#count));
    total.set(this.#total.subarray(0, this.#count));
    return { ids, shared, total, ends };
  }
}
