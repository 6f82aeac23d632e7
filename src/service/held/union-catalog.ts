import type { NeighborSpan } from '../../join/pairs/neighbor-table.ts';
import type { RelationRecord } from '../../store/records.ts';
import type { JsonWriter } from '../http/json-writer.ts';
import type { UnionReader } from '../shards/union-reader.ts';
import type { Catalog } from './catalog.ts';
import { pageHead, pageItem } from './stored-catalog.ts';

/** The pages of several shards, asked of them one by one. */
export class UnionCatalog implements Catalog {
  readonly #reader: UnionReader;

  constructor(reader: UnionReader) {
    this.#reader = reader;
  }

  find(url: string): number {
    return this.#reader.findPage(url);
  }

  findHeld(): number {
    return -1;
  }

  successor(pageId: number): number {
    return this.#reader.successor(pageId);
  }

  head(pageId: number): string {
    return pageHead(this.#reader.named(pageId));
  }

  writeHead(json: JsonWriter, pageId: number): void {
    json.text(this.head(pageId));
  }

  writeItem(json: JsonWriter, pageId: number): void {
    json.text(pageItem(this.#reader.named(pageId)));
  }

  /** So that all pages of the list are asked for together. */
  touch({ ids, start, end }: NeighborSpan): void {
    for (let at = start; at < end; at++) this.#reader.named(ids[at]!);
  }

  close(): void {}

  site(pageId: number): number {
    return this.#reader.named(pageId).siteId;
  }

  lang(pageId: number): string | null {
    return this.#reader.named(pageId).lang;
  }

  fetched(pageId: number): boolean {
    return this.#reader.named(pageId).fetched;
  }

  neighbors({ id }: RelationRecord, pageId: number): NeighborSpan {
    const list = this.#reader.neighbors(id, pageId);
    return { ...list, start: 0, end: list.ids.length };
  }
}
