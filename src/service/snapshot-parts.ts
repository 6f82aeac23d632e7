/** Reads the parts of a snapshot from an index, slice by slice; `snapshot.ts` says how they are laid out. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hash32 } from '../lib/hash.ts';
import type { IndexReader } from '../store/reader.ts';
import type { NeighbourList, RelationRecord } from '../store/records.ts';
import { JsonWriter } from './json-writer.ts';
import { pageItem } from './stored-catalog.ts';

export const BLOCK_BITS = 10;

/** Neighbours of a page in memory: a list of ten, and whether there are more. The file has the others. */
export const HELD_NEIGHBOURS = 12;
const BLOCK_PAGES = 1 << BLOCK_BITS;
export const BLOCK_MASK = BLOCK_PAGES - 1;

export interface NeighbourBlock {
  readonly ids: Uint32Array;
  readonly shared: Uint16Array;
  readonly total: Uint16Array;
  /** Uint32Array(1025): page p owns ends[p] .. ends[p + 1] - 1. */
  readonly ends: Uint32Array;
}

export interface ItemBlock {
  readonly items: Buffer;
  /** Uint32Array(1025), as above. */
  readonly ends: Uint32Array;
}

interface PageParts {
  readonly blocks: ItemBlock[];
  readonly sites: Uint32Array;
  readonly langs: Uint16Array;
  readonly langNames: (string | null)[];
  /** Hash table of the URLs, at most half full. */
  readonly slots: Uint32Array;
}

export interface SnapshotParts extends PageParts {
  readonly neighbours: ReadonlyMap<number, readonly (NeighbourBlock | undefined)[]>;
}

export async function loadParts(
  reader: IndexReader,
  relations: readonly RelationRecord[],
  sliceMs: number,
): Promise<SnapshotParts> {
  const breathe = breather(sliceMs);
  const pages = await loadPages(reader, breathe);
  const neighbours = new Map<number, (NeighbourBlock | undefined)[]>();
  for (const { id } of relations) neighbours.set(id, await loadNeighbours(reader, id, breathe));
  return { ...pages, neighbours };
}

/** A check to be made once a row: gives other work a turn when the slice is used up. */
function breather(sliceMs: number): () => Promise<void> | undefined {
  let count = 0;
  let startedMs = performance.now();
  return () => {
    if ((++count & 63) !== 0 || performance.now() - startedMs < sliceMs) return undefined;
    return nextTurn().then(() => {
      startedMs = performance.now();
    });
  };
}

async function loadPages(reader: IndexReader, breathe: () => Promise<void> | undefined): Promise<PageParts> {
  const blocks: ItemBlock[] = [];
  const sites = new Uint32Array(reader.pageCount);
  const langs = new Uint16Array(reader.pageCount);
  const langNames: (string | null)[] = [];
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * reader.pageCount + 2)));
  const json = new JsonWriter();
  let ends = new Uint32Array(BLOCK_PAGES + 1);
  for (const page of reader.pages()) {
    sites[page.id] = page.siteId;
    let lang = langNames.indexOf(page.lang);
    if (lang < 0) lang = langNames.push(page.lang) - 1;
    langs[page.id] = lang;
    let slot = hash32(page.url) & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = page.id + 1;
    const local = page.id & BLOCK_MASK;
    ends[local + 1] = json.text(pageItem(page)).length;
    if (local === BLOCK_MASK || page.id === reader.pageCount - 1) {
      blocks.push({ items: json.toBytes(), ends });
      json.begin();
      ends = new Uint32Array(BLOCK_PAGES + 1);
    }
    const pause = breathe();
    if (pause !== undefined) await pause;
  }
  return { blocks, sites, langs, langNames, slots };
}

async function loadNeighbours(
  reader: IndexReader,
  relationId: number,
  breathe: () => Promise<void> | undefined,
): Promise<(NeighbourBlock | undefined)[]> {
  const blocks: (NeighbourBlock | undefined)[] = new Array(Math.ceil(reader.pageCount / BLOCK_PAGES)).fill(
    undefined,
  );
  const builder = new NeighbourBlockBuilder();
  for (const { pageId, list } of reader.allNeighbours(relationId)) {
    const block = pageId >> BLOCK_BITS;
    if (block !== builder.blockId) {
      if (builder.blockId >= 0) blocks[builder.blockId] = builder.take();
      builder.blockId = block;
    }
    builder.add(pageId & BLOCK_MASK, list);
    const pause = breathe();
    if (pause !== undefined) await pause;
  }
  if (builder.blockId >= 0) blocks[builder.blockId] = builder.take();
  return blocks;
}

/** Lists are copied at once: a million small arrays that live for a while are what a collector likes least. */
class NeighbourBlockBuilder {
  blockId = -1;
  readonly #ids = new Uint32Array(BLOCK_PAGES * HELD_NEIGHBOURS);
  readonly #shared = new Uint16Array(BLOCK_PAGES * HELD_NEIGHBOURS);
  readonly #total = new Uint16Array(BLOCK_PAGES * HELD_NEIGHBOURS);
  #ends = new Uint32Array(BLOCK_PAGES + 1);
  #count = 0;

  /** `local` is a position in the block; in ascending order. */
  add(local: number, { ids, shared, total }: NeighbourList): void {
    const count = Math.min(ids.length, HELD_NEIGHBOURS);
    for (let i = 0; i < count; i++) {
      this.#ids[this.#count] = ids[i]!;
      this.#shared[this.#count] = shared[i]!;
      this.#total[this.#count++] = total[i]!;
    }
    this.#ends[local + 1] = this.#count;
  }

  take(): NeighbourBlock {
    const ends = this.#ends;
    for (let i = 1; i <= BLOCK_PAGES; i++) ends[i] = Math.max(ends[i]!, ends[i - 1]!);
    const block = {
      ids: this.#ids.slice(0, this.#count),
      shared: this.#shared.slice(0, this.#count),
      total: this.#total.slice(0, this.#count),
      ends,
    };
    this.#ends = new Uint32Array(BLOCK_PAGES + 1);
    this.#count = 0;
    return block;
  }
}
