import { type NeighborList, NO_NEIGHBORS } from '../../../join/pairs/neighbor-table.ts';
import type { JsonWriter } from '../../snapshot/json-writer.ts';
import { traitsWord } from '../../snapshot/page-record.ts';
import type { HeldPages, Snapshot } from '../../snapshot/snapshot.ts';
import type { LiveLists } from './live-lists.ts';
import type { Segment } from './segment.ts';

/** A snapshot and the pages that wait, as one. */
export class LiveSnapshot implements HeldPages {
  readonly #snapshot: Snapshot;
  readonly #segment: Segment;
  readonly #lists: LiveLists | null;

  constructor(snapshot: Snapshot, segment: Segment, lists: LiveLists | null) {
    this.#snapshot = snapshot;
    this.#segment = segment;
    this.#lists = lists;
  }

  findHeld(url: string): number {
    const own = this.#segment.find(url);
    if (own === undefined) return this.#snapshot.findHeld(url);
    return own.said === null ? -1 : own.id;
  }

  successor(page: number): number {
    return this.#segment.at(page) === undefined ? this.#snapshot.successor(page) : page;
  }

  traitsWord(page: number): number {
    const own = this.#segment.at(page);
    if (own === undefined) return this.#snapshot.traitsWord(page);
    return traitsWord({ siteId: own.siteId, fetched: true });
  }

  writeName(json: JsonWriter, page: number): void {
    const own = this.#segment.at(page);
    if (own === undefined) this.#snapshot.writeName(json, page);
    else json.bytes(this.#segment.nameOf(own));
  }

  touch(pages: Uint32Array): void {
    const isOfIndex = (page: number) => !this.#segment.isNew(page);
    this.#snapshot.touch(pages.every(isOfIndex) ? pages : pages.filter(isOfIndex));
  }

  /** Null where a search is needed. */
  neighbors(relationId: number, page: number, count: number): NeighborList | null {
    const segment = this.#segment;
    const lists = this.#lists;
    if (lists === null || segment.relation?.id !== relationId) return null;
    if (segment.at(page) === undefined) {
      const stored = this.#snapshot.neighbors(relationId, page, count);
      if (lists.isAsStored(page, stored)) return stored;
    }
    if (segment.isGone(page)) return NO_NEIGHBORS;
    if (lists.isSearched(page)) return null;
    const { list, isCut } = lists.of(page);
    return isCut && list.ids.length < count ? null : list;
  }
}
