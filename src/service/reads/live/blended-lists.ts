/**
 * Lists by words and by vectors with the pages that wait: of those the nearest to a page by words, and by vectors, come to what is stored
 * of it, and the nearest of all stay; the list of a page that waits is searched for. The order is by votes, as after the fold, of what is
 * stored of pages of the index, and of the nearest pages of one that waits. Where neighbors lend words, in place of vectors, such are the
 * lists of pages that wait.
 *
 * Cost  two reads a page of a list, and a comparison with the vector of each page that waits; kept until the next page is written.
 */
import { allOf, byScore, nearestFirst } from '../../../join/pairs/neighbor-span.ts';
import type { NeighborList, NeighborSpan } from '../../../join/pairs/neighbor-table.ts';
import { VoteCount } from '../../../join/pairs/votes.ts';
import type { RelationRecord } from '../../../store/records.ts';
import { type Blending, blendableOf, blendedLists, nearestBlended } from '../blended-search.ts';
import type { IndexFacts } from '../facts.ts';
import type { LocalIndex } from '../file/local-index.ts';
import { nearestLent } from '../lent-search.ts';
import { mergedNearest } from '../merge.ts';
import type { Reads } from '../reads.ts';
import { RecentCache } from '../recent-cache.ts';
import { withoutHidden } from './live-lists.ts';
import { nearestInSegment } from './nearest-in-segment.ts';
import type { Segment } from './segment.ts';

const CACHE_BYTES = 16 * 2 ** 20;
const LIST_BYTES = 200;
const ENTRY_BYTES = 10;
const VOTES = new VoteCount('nearness');

/** What a search asks of an index. */
type SearchReads = Pick<
  Reads,
  'bag' | 'vector' | 'neighbors' | 'nearest' | 'nearestVectors' | 'work' | 'facts' | 'lost'
>;

/** The same with other lists. */
export function withNeighbors(reads: SearchReads, neighbors: Reads['neighbors']): SearchReads {
  return {
    facts: reads.facts,
    work: reads.work,
    get lost() {
      return reads.lost;
    },
    bag: (...asked) => reads.bag(...asked),
    vector: (...asked) => reads.vector(...asked),
    nearest: (query) => reads.nearest(query),
    nearestVectors: (query) => reads.nearestVectors(query),
    neighbors,
  };
}

const listCache = () =>
  new RecentCache<number, NeighborList>(CACHE_BYTES, ({ ids }) => LIST_BYTES + ENTRY_BYTES * ids.length);

export class BlendedLists {
  readonly #index: LocalIndex;
  readonly #segment: Segment;
  readonly #relation: RelationRecord;
  /** Null where neighbors lend words. */
  readonly #blending: Blending | null;
  /** In their order. */
  readonly #lists = listCache();
  /** Of pages that wait, nearest first. */
  readonly #found = listCache();
  /** The state that they are of. */
  #keptOf: IndexFacts | null = null;

  constructor(index: LocalIndex, segment: Segment, relation: RelationRecord, blending: Blending | null) {
    this.#index = index;
    this.#segment = segment;
    this.#relation = relation;
    this.#blending = blending;
  }

  /** `reads` are those of the index with what waits; where neighbors lend words, with lists by the words of pages themselves. */
  async of(reads: SearchReads, page: number): Promise<NeighborList> {
    const { facts } = this.#segment;
    if (facts !== this.#keptOf) {
      this.#lists.clear();
      this.#found.clear();
      this.#keptOf = facts;
    }
    const kept = this.#lists.get(page);
    if (kept !== undefined) return kept;
    const isOfIndex = this.#segment.at(page) === undefined;
    const members =
      isOfIndex && this.#blending !== null
        ? await this.#withWaiting(reads, page, this.#blending)
        : await this.#nearest(reads, page);
    const list = members === null ? this.#stored(page) : await this.#byVotes(reads, page, allOf(members));
    if (this.#keptOf === facts) this.#lists.set(page, list);
    return list;
  }

  #stored(page: number): NeighborList {
    return this.#index.neighbors(this.#relation.id, page);
  }

  /** Nearest first, of all pages. */
  async #nearest(reads: SearchReads, page: number): Promise<NeighborList> {
    const known = this.#found.get(page);
    if (known !== undefined) return known;
    const facts = this.#keptOf;
    const relation = this.#relation;
    const own = await blendableOf(reads, relation, page);
    const search = { count: relation.neighborLimit, filter: null, skip: page, exact: true };
    const found =
      this.#blending === null
        ? await nearestLent(reads, relation, own.bag, search)
        : await nearestBlended(reads, relation, this.#blending, own, search);
    if (this.#keptOf === facts) this.#found.set(page, found);
    return found;
  }

  /** Nearest first, what is stored of a page of the index and what waits; null where that is what is stored. */
  async #withWaiting(reads: SearchReads, page: number, blending: Blending): Promise<NeighborList | null> {
    const { id: relationId, neighborLimit: count } = this.#relation;
    const segment = this.#segment;
    const stored = this.#stored(page);
    const kept = withoutHidden(stored, segment);
    if (kept !== stored && stored.ids.length === count) return this.#nearest(reads, page);
    const own = await blendableOf(reads, this.#relation, page);
    const query = { ...own, count, skip: page };
    const byWords = nearestInSegment(segment, { ...query, by: 'nearness', isRated: true }, null);
    const byVectors = segment.vectors.nearest(blending.vectors, query, null);
    if (kept === stored && byWords.ids.length + byVectors.ids.length === 0) return null;
    const waiting = await blendedLists(reads, relationId, blending, own, byWords, byVectors, count);
    return mergedNearest([kept, waiting], count, 'nearness');
  }

  async #byVotes(reads: SearchReads, page: number, list: NeighborSpan): Promise<NeighborList> {
    const voters = new Map<number, NeighborSpan>();
    for (const id of list.ids) {
      const isOfIndex = this.#segment.at(id) === undefined;
      voters.set(
        id,
        nearestFirst(allOf(isOfIndex ? this.#stored(id) : await this.#nearest(reads, id)), 'nearness'),
      );
    }
    const scores = VOTES.scores(list, page, (id) => voters.get(id)!);
    const { start: _start, end: _end, ...ordered } = byScore(list, scores, reads.facts.listing);
    return ordered as NeighborList;
  }
}
