/**
 * Lists of nearest pages with those that wait: which pages, exactly; in which order, by the votes of `join/pairs/votes.ts` with
 * what is in memory.
 *
 * How near a page is, is what it will be after the fold. A page of the index votes by the twelve neighbors that are listed first for it, as they were before anything waited; one that
 * waits by its nearest. In a list of the index the pages that were there keep their order, and one that was added stands behind
 * all with a better score. Under a kernel whose lists hold the nearest by nearness, voters are read with what waits, and the order is that after the
 * fold, by the frequencies of now.
 *
 * Cost  30 us a list, most of it to read it from the file; by nearness one ms, to read those of its pages; kept until the next page is written.
 */
import type { NearBy } from '../../../join/pairs/nearness.ts';
import { allOf, picked } from '../../../join/pairs/neighbor-span.ts';
import {
  type NeighborList,
  type NeighborSpan,
  NO_NEIGHBORS,
  plainList,
  ratedList,
} from '../../../join/pairs/neighbor-table.ts';
import { placesByScore, stayingFirst, VOTERS, VoteCount } from '../../../join/pairs/votes.ts';
import { keptIn } from '../../../lib/kept.ts';
import { candidatesBy } from '../../../relations/kernels.ts';
import type { RelationRecord } from '../../../store/records.ts';
import { HELD_NEIGHBORS } from '../../snapshot/snapshot-parts.ts';
import type { IndexFacts } from '../facts.ts';
import type { LocalIndex } from '../file/local-index.ts';
import { RecentCache } from '../recent-cache.ts';
import { compareEntries, type ListPlace } from './added-lists.ts';
import type { Segment } from './segment.ts';

/** A list, in its order. */
interface LiveList {
  readonly list: NeighborList;
  /** Whether there may be more above the floor than it has. */
  readonly isCut: boolean;
}

/** Where the members of a list come from: the first `storedCount` in the order in which they are stored. */
interface Members extends LiveList {
  /** Places in `list`, which is nearest first, of those that were stored, in the order in which they were. */
  readonly stored: readonly number[];
  readonly added: readonly number[];
}

interface Figures {
  readonly shared: number;
  readonly total: number;
  readonly nearness: number;
}

const CACHE_BYTES = 32 * 2 ** 20;
const LIST_BYTES = 200;
const ENTRY_BYTES = 8;
const VOTES = { similarity: new VoteCount('similarity'), nearness: new VoteCount('nearness') } as const;

export class LiveLists {
  readonly #index: LocalIndex;
  readonly #segment: Segment;
  readonly #relation: RelationRecord;
  /** What lists hold the pages for that are the nearest. */
  readonly #by: NearBy;
  readonly #kept = new RecentCache<number, LiveList>(
    CACHE_BYTES,
    ({ list }) => LIST_BYTES + ENTRY_BYTES * list.ids.length,
  );
  /** The state that they are of. */
  #keptOf: IndexFacts | null = null;

  constructor(index: LocalIndex, segment: Segment, relation: RelationRecord) {
    this.#index = index;
    this.#segment = segment;
    this.#relation = relation;
    this.#by = candidatesBy(relation);
  }

  /** Whether the stored list of a page, or as much of it as is given, is what is listed. */
  isAsStored(page: number, { ids }: NeighborList): boolean {
    const segment = this.#segment;
    if (segment.added?.has(page) || segment.at(page) !== undefined) return false;
    for (let i = 0; i < ids.length; i++) if (segment.isHidden(ids[i]!)) return false;
    return true;
  }

  /** Whether the list of a page is another one: of a page that waits, where neighbors lend words. */
  isSearched(page: number): boolean {
    return this.#index.facts.lendShare > 0 && this.#segment.at(page) !== undefined;
  }

  /** The list of a page by the words that pages have themselves; of one that has lost some of its pages what is left. */
  of(page: number): LiveList {
    const { facts } = this.#segment;
    if (facts !== this.#keptOf) this.#kept.clear();
    this.#keptOf = facts;
    return keptIn(this.#kept, page, () => this.#ordered(page));
  }

  /** What of a list that was searched for anew stands first. */
  keep(page: number, list: LiveList): void {
    this.#kept.set(page, list);
  }

  #ordered(page: number): LiveList {
    const { list, isCut, stored, added } = this.#members(page);
    const span = allOf(list);
    if (this.#relation.rank !== 'votes' || span.end === 0) return { list, isCut };
    const isOfIndex = this.#segment.at(page) === undefined;
    // A beginning of it may be read as it is stored.
    if (isOfIndex && added.length === 0) return { list: listOf(picked(span, stored)), isCut };
    const scores = VOTES[this.#by].scores(span, page, (other) => this.#voters(other));
    const keepsOrder = this.#by === 'similarity' && isOfIndex;
    const places = keepsOrder ? placed(span, scores, stored, added) : placesByScore(span, scores);
    return { list: listOf(picked(span, places)), isCut };
  }

  #voters(page: number): NeighborSpan {
    // What is held of a list does not say how near its pages are.
    if (this.#by === 'nearness' || this.#segment.at(page) !== undefined) {
      const { list } = this.#members(page);
      return { ...list, start: 0, end: Math.min(VOTERS, list.ids.length) };
    }
    const list = this.#index.neighbors(this.#relation.id, page, HELD_NEIGHBORS);
    return { ...list, start: 0, end: Math.min(HELD_NEIGHBORS, list.ids.length) };
  }

  /** The pages of a list, nearest first. */
  #members(page: number): Members {
    const { neighborLimit } = this.#relation;
    const before = this.#stored(page);
    const added = this.#segment.added!;
    const entries: (Figures & ListPlace & { readonly at: number })[] = [];
    const push = (id: number, figures: Figures, at: number) =>
      entries.push({ ...figures, near: added.nearOf(figures), id, at });
    for (let at = 0; at < before.ids.length; at++) {
      const id = before.ids[at]!;
      if (this.#segment.isHidden(id)) continue;
      const [shared, total] = [before.shared[at]!, before.total[at]!];
      push(id, { shared, total, nearness: before.nearness?.[at] ?? 0 }, at);
    }
    added.visit(page, ({ place, ...figures }) => push(this.#segment.pages[place]!.id, figures, -1));
    entries.sort(compareEntries);
    const bound = added.boundOf(page);
    const known = bound === undefined ? entries : entries.filter((entry) => compareEntries(entry, bound) < 0);
    const members = known.slice(0, neighborLimit);
    const places = [...members.keys()];
    return {
      list: this.#relation.rank === 'votes' ? ratedList(members) : plainList(members),
      isCut: before.ids.length >= neighborLimit || bound !== undefined,
      stored: places.filter((i) => members[i]!.at >= 0).sort((a, b) => members[a]!.at - members[b]!.at),
      added: places.filter((i) => members[i]!.at < 0),
    };
  }

  #stored(page: number): NeighborList {
    const own = this.#segment.at(page);
    if (own === undefined) return this.#index.neighbors(this.#relation.id, page);
    return own.said?.nearest ?? NO_NEIGHBORS;
  }
}

/** Places of a list, nearest first: those that were stored in their order, those that were added by their scores. */
function placed(
  span: NeighborSpan,
  scores: Float64Array,
  stored: readonly number[],
  added: readonly number[],
): number[] {
  const before = added
    .map((place) => ({ place, rank: stored.filter((one) => scores[one]! >= scores[place]!).length }))
    .sort((a, b) => a.rank - b.rank || scores[b.place]! - scores[a.place]! || a.place - b.place);
  const places: number[] = [];
  let next = 0;
  for (let rank = 0; rank <= stored.length; rank++) {
    while (before[next]?.rank === rank) places.push(before[next++]!.place);
    if (rank < stored.length) places.push(stored[rank]!);
  }
  const first = stayingFirst(span);
  return [...first, ...places.filter((place) => !first.includes(place))];
}

function listOf({ start: _start, end: _end, ...list }: NeighborSpan): NeighborList {
  return list as NeighborList;
}

/** What is stored of a list that no page enters before the fold. */
export function withoutHidden(list: NeighborList, segment: Segment): NeighborList {
  const keeps = Array.from(list.ids, (id) => !segment.isHidden(id));
  if (keeps.every(Boolean)) return list;
  return {
    ids: list.ids.filter((_, at) => keeps[at]),
    shared: list.shared.filter((_, at) => keeps[at]),
    total: list.total.filter((_, at) => keeps[at]),
    ...(list.nearness !== undefined && { nearness: list.nearness.filter((_, at) => keeps[at]) }),
    lostCount: keeps.filter((isKept) => !isKept).length,
  };
}
