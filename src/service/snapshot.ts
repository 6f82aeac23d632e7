/**
 * All that GET /related needs, in memory: no SQL and no object per neighbour on the hot path.
 *
 * Pages stand in blocks of 1,024. A block is one string of all its items (so that an item is a slice of
 * it, and a title beyond Latin-1 widens only its own block), where they end, and for each relation the
 * neighbour lists one after another. A URL is found by a hash table of page ids that is checked against
 * the items; a binary search over them needs no table, but a miss of the processor's caches a step.
 *
 *   items      {"url":"http://a/","title":"A","similarity":{"url":"http://a/b","title":"B","similarity":...
 *   ends                                                   ^                                            ^
 *
 * Cost    about 170 bytes a page and 8 bytes a neighbour.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hash32 } from '../lib/hash.ts';
import type { IndexReader } from '../store/reader.ts';
import type { NeighbourList, PageRecord, RelationRecord } from '../store/records.ts';
import type { Catalog, NeighbourSpan } from './catalog.ts';
import { pageItem } from './stored-catalog.ts';

const BLOCK_BITS = 10;
const BLOCK_PAGES = 1 << BLOCK_BITS;
const BLOCK_MASK = BLOCK_PAGES - 1;
const URL_START = '{"url":"'.length;
const SIMILARITY_LENGTH = ',"similarity":'.length;
const QUOTE = 0x22;

interface NeighbourBlock {
  readonly ids: Uint32Array;
  readonly shared: Uint16Array;
  readonly total: Uint16Array;
  /** Uint32Array(1025): page p owns ends[p] .. ends[p + 1] - 1. */
  readonly ends: Uint32Array;
}

interface ItemBlock {
  readonly items: string;
  /** Uint32Array(1025), as above. */
  readonly ends: Uint32Array;
}

const NO_NEIGHBOURS: NeighbourSpan = {
  ids: new Uint32Array(0),
  shared: new Uint16Array(0),
  total: new Uint16Array(0),
  start: 0,
  end: 0,
};

export class Snapshot implements Catalog {
  readonly #reader: IndexReader;
  readonly #blocks: readonly ItemBlock[];
  readonly #sites: Uint32Array;
  readonly #langs: Uint16Array;
  readonly #langNames: readonly (string | null)[];
  readonly #slots: Uint32Array;
  /** Relation id to blocks; a block without neighbours is undefined. */
  readonly #neighbours: ReadonlyMap<number, readonly (NeighbourBlock | undefined)[]>;

  private constructor(reader: IndexReader, parts: SnapshotParts) {
    this.#reader = reader;
    this.#blocks = parts.blocks;
    this.#sites = parts.sites;
    this.#langs = parts.langs;
    this.#langNames = parts.langNames;
    this.#slots = parts.slots;
    this.#neighbours = parts.neighbours;
  }

  /** Loads slice by slice, giving the event loop a turn every `sliceMs`. `reader` is to be used by nobody else meanwhile. */
  static async load(
    reader: IndexReader,
    relations: readonly RelationRecord[],
    sliceMs = 4,
  ): Promise<Snapshot> {
    const breathe = breather(sliceMs);
    const pages = await loadPages(reader, breathe);
    const neighbours = new Map<number, (NeighbourBlock | undefined)[]>();
    for (const { id } of relations) neighbours.set(id, await loadNeighbours(reader, id, breathe));
    return new Snapshot(reader, { ...pages, neighbours });
  }

  find(url: string): number {
    const id = this.#search(url);
    return id >= 0 ? id : this.#reader.findPage(url);
  }

  head(pageId: number): string {
    return this.item(pageId).slice(1, -SIMILARITY_LENGTH);
  }

  item(pageId: number): string {
    const block = this.#blocks[pageId >> BLOCK_BITS]!;
    const local = pageId & BLOCK_MASK;
    return block.items.substring(block.ends[local]!, block.ends[local + 1]!);
  }

  site(pageId: number): number {
    return this.#sites[pageId]!;
  }

  lang(pageId: number): string | null {
    return this.#langNames[this.#langs[pageId]!]!;
  }

  neighbours(relation: RelationRecord, pageId: number): NeighbourSpan {
    const block = this.#neighbours.get(relation.id)?.[pageId >> BLOCK_BITS];
    if (block === undefined) return NO_NEIGHBOURS;
    const { ids, shared, total, ends } = block;
    const local = pageId & BLOCK_MASK;
    return { ids, shared, total, start: ends[local]!, end: ends[local + 1]! };
  }

  /** Linear probing; a slot holds a page id and one more. */
  #search(url: string): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash32(url) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const pageId = slots[slot]! - 1;
      const block = this.#blocks[pageId >> BLOCK_BITS]!;
      const start = block.ends[pageId & BLOCK_MASK]! + URL_START;
      if (block.items.startsWith(url, start) && block.items.charCodeAt(start + url.length) === QUOTE)
        return pageId;
    }
    return -1;
  }
}

interface PageParts {
  readonly blocks: ItemBlock[];
  readonly sites: Uint32Array;
  readonly langs: Uint16Array;
  readonly langNames: (string | null)[];
  /** Hash table of the URLs, at most half full. */
  readonly slots: Uint32Array;
}

interface SnapshotParts extends PageParts {
  readonly neighbours: ReadonlyMap<number, readonly (NeighbourBlock | undefined)[]>;
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
  const siteNumbers = new Map<string, number>();
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * reader.pageCount + 2)));
  let held: PageRecord[] = [];
  for (const page of reader.pages()) {
    sites[page.id] = numberOf(siteNumbers, page.site);
    let lang = langNames.indexOf(page.lang);
    if (lang < 0) lang = langNames.push(page.lang) - 1;
    langs[page.id] = lang;
    let slot = hash32(page.url) & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = page.id + 1;
    held.push(page);
    if (held.length === BLOCK_PAGES) {
      blocks.push(itemBlock(held));
      held = [];
    }
    const pause = breathe();
    if (pause !== undefined) await pause;
  }
  if (held.length > 0) blocks.push(itemBlock(held));
  return { blocks, sites, langs, langNames, slots };
}

function itemBlock(pages: readonly PageRecord[]): ItemBlock {
  const ends = new Uint32Array(BLOCK_PAGES + 1);
  const items = pages.map(pageItem);
  for (const [i, item] of items.entries()) ends[i + 1] = ends[i]! + item.length;
  return { items: items.join(''), ends };
}

function numberOf(numbers: Map<string, number>, name: string): number {
  let number = numbers.get(name);
  if (number === undefined) numbers.set(name, (number = numbers.size));
  return number;
}

async function loadNeighbours(
  reader: IndexReader,
  relationId: number,
  breathe: () => Promise<void> | undefined,
): Promise<(NeighbourBlock | undefined)[]> {
  const blocks: (NeighbourBlock | undefined)[] = new Array(Math.ceil(reader.pageCount / BLOCK_PAGES)).fill(
    undefined,
  );
  let held: { pageId: number; list: NeighbourList }[] = [];
  const flush = () => {
    if (held.length > 0) blocks[held[0]!.pageId >> BLOCK_BITS] = neighbourBlock(held);
    held = [];
  };
  for (const row of reader.allNeighbours(relationId)) {
    if (held.length > 0 && held[0]!.pageId >> BLOCK_BITS !== row.pageId >> BLOCK_BITS) flush();
    held.push(row);
    const pause = breathe();
    if (pause !== undefined) await pause;
  }
  flush();
  return blocks;
}

function neighbourBlock(rows: readonly { pageId: number; list: NeighbourList }[]): NeighbourBlock {
  const lengths = new Uint32Array(BLOCK_PAGES);
  for (const { pageId, list } of rows) lengths[pageId & BLOCK_MASK] = list.ids.length;
  const ends = new Uint32Array(BLOCK_PAGES + 1);
  for (let i = 0; i < BLOCK_PAGES; i++) ends[i + 1] = ends[i]! + lengths[i]!;
  const size = ends[BLOCK_PAGES]!;
  const block = {
    ids: new Uint32Array(size),
    shared: new Uint16Array(size),
    total: new Uint16Array(size),
    ends,
  };
  for (const { pageId, list } of rows) {
    const at = ends[pageId & BLOCK_MASK]!;
    block.ids.set(list.ids, at);
    block.shared.set(list.shared, at);
    block.total.set(list.total, at);
  }
  return block;
}
