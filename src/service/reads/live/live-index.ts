import { type NeighborList, NO_NEIGHBORS } from '../../../join/pairs/neighbor-table.ts';
import { andThen } from '../../../lib/or-later.ts';
import type { JsonWriter } from '../../snapshot/json-writer.ts';
import { traitsWord } from '../../snapshot/page-record.ts';
import type { HeldPages, Snapshot } from '../../snapshot/snapshot.ts';
import { blendingOf } from '../blended-search.ts';
import type { OpenIndex } from '../file/open-index.ts';
import { BlendedLists } from './blended-lists.ts';
import { GoneMembers } from './gone-members.ts';
import { LiveLists } from './live-lists.ts';
import { LiveReads } from './live-reads.ts';
import { Segment } from './segment.ts';
import { SegmentSearch } from './segment-search.ts';

/** An open index, with the pages that wait. */
export interface LiveIndex extends OpenIndex {
  readonly segment: Segment;
  /** Null where all is read from files, for good or so far. */
  readonly held: LiveSnapshot | null;
}

/** An index of local files, which takes pages. */
export function liveIndex(index: OpenIndex): LiveIndex {
  const local = index.local!;
  const segment = new Segment(local);
  const { relation } = segment;
  const lists = relation === null ? null : new LiveLists(local, segment, relation);
  const blending = relation === null ? null : blendingOf(local.facts, relation);
  const isSearched = blending !== null || local.facts.lendShare > 0;
  const blended =
    relation === null || !isSearched ? null : new BlendedLists(local, segment, relation, blending);
  const parts = {
    segment,
    lists,
    blended,
    search: new SegmentSearch(segment),
    gone: new GoneMembers(local, segment),
  };
  let held: LiveSnapshot | null = null;
  return {
    ...index,
    segment,
    get held() {
      const { snapshot } = local;
      if (snapshot === null) return null;
      return (held ??= new LiveSnapshot(snapshot, segment, blending === null ? lists : null));
    },
    get facts() {
      return segment.facts;
    },
    answer: (make, work) => {
      if (segment.pages.length === 0) return index.answer(make, work);
      return andThen(make(new LiveReads(local, parts, work)), (value) => ({ value, lost: [] }));
    },
  };
}

/** A snapshot and the pages that wait, as one. */
class LiveSnapshot implements HeldPages {
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
