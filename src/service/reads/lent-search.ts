/**
 * The pages nearest over bags to which neighbors lent words (join/lend), where no list is stored: for a document. Its ten nearest pages by
 * its own words lend to it; candidates are these and, of their neighbors, those that most of them are near to.
 */
import type { Bag } from '../../features/bag.ts';
import { sharedOf, weightedJaccard } from '../../join/exact/weighted-jaccard.ts';
import { LentBags, lenderPlaces } from '../../join/lend/lent-bags.ts';
import { JaccardNearness, nearnessOf } from '../../join/pairs/nearness.ts';
import { allOf } from '../../join/pairs/neighbor-span.ts';
import {
  type NeighborList,
  type NeighborSpan,
  ratedList,
  similarities,
} from '../../join/pairs/neighbor-table.ts';
import { keptIn } from '../../lib/kept.ts';
import type { RelationRecord } from '../../store/records.ts';
import type { IndexFacts } from './facts.ts';
import type { Reads } from './reads.ts';
import { RecentCache } from './recent-cache.ts';

/** Pages whose lent bags are compared with one document, beside those that are nearest to it. */
const CANDIDATES = 96;
/** Of lent bags of an index; those of some 20,000 pages of 200 words. */
const CACHE_BYTES = 24 * 2 ** 20;
const LENT_PAGE_BYTES = 300;
const ENTRY_BYTES = 5;
/** To read the bags of those that lend to a page, and join them. */
const LENT_BAG_US = 60;

const PAIR = new JaccardNearness();

type LentReads = Pick<Reads, 'bag' | 'neighbors' | 'nearest' | 'work' | 'facts' | 'lost'>;

/** With what the most similar pages of its list lend to it, and which these are. */
interface LentPage {
  readonly bag: Bag;
  readonly lenders: readonly number[];
}

/** What was made for the answers of one state of an index. */
const keptPages = new WeakMap<IndexFacts, RecentCache<number, LentPage>>();

const newCache = () =>
  new RecentCache<number, LentPage>(
    CACHE_BYTES,
    ({ bag }) => LENT_PAGE_BYTES + ENTRY_BYTES * bag.features.length,
  );

/** Lent bags of pages; one serves an answer, in which each is made once. */
export class LentPages {
  readonly #reads: LentReads;
  readonly #relationId: number;
  readonly #floor: number;
  readonly #lent: LentBags;
  readonly #bags = new Map<number, Promise<Bag>>();
  readonly #pages = new Map<number, Promise<LentPage>>();
  readonly #kept: RecentCache<number, LentPage>;

  constructor(reads: LentReads, { id, floor }: Pick<RelationRecord, 'id' | 'floor'>) {
    this.#reads = reads;
    this.#relationId = id;
    this.#floor = floor;
    this.#lent = new LentBags(reads.facts.lendShare);
    this.#kept = keptIn(keptPages, reads.facts, newCache);
  }

  /** As it is. */
  bag(page: number): Promise<Bag> {
    return keptIn(this.#bags, page, () => this.#reads.bag(this.#relationId, page));
  }

  of(page: number): Promise<LentPage> {
    return keptIn(this.#pages, page, () => this.#keptOrMade(page));
  }

  async #keptOrMade(page: number): Promise<LentPage> {
    const kept = this.#kept.get(page);
    if (kept !== undefined) return kept;
    this.#reads.work.spend(LENT_BAG_US);
    const [own, list] = await Promise.all([this.bag(page), this.#reads.neighbors(this.#relationId, page)]);
    const made = await this.lentTo(own, allOf(list));
    // What could not be asked may lend to it, too.
    if (this.#reads.lost.length === 0) this.#kept.set(page, made);
    return made;
  }

  /** The same of a bag, of its list. */
  async lentTo(own: Bag, list: NeighborSpan): Promise<LentPage> {
    const near = similarities(list);
    const places = lenderPlaces(list, this.#floor);
    const lenders = places.map((place) => list.ids[list.start + place]!);
    const bags = await Promise.all(lenders.map((id) => this.bag(id)));
    return {
      bag: this.#lent.of(
        own,
        bags.map((bag, i) => ({ bag, similarity: near[places[i]!]! })),
      ),
      lenders,
    };
  }
}

/** The pages nearest to a bag, nearest first, ties by page id; those that lend to it are among them. */
export async function nearestLent(
  reads: LentReads,
  relation: RelationRecord,
  own: Bag,
  { skip, exact }: { readonly skip: number; readonly exact: boolean },
): Promise<NeighborList> {
  const { id: relationId, neighborLimit: count, floor } = relation;
  const by = 'similarity' as const;
  const query = { relationId, bag: own, count, by, isRated: false, filter: null, skip, exact };
  const byWords = allOf(await reads.nearest(query));
  const pages = new LentPages(reads, relation);
  const { bag, lenders } = await pages.lentTo(own, byWords);
  const candidates = [...byWords.ids, ...(await furtherPages(reads, relationId, byWords, skip))];
  const compared = await Promise.all(
    candidates.map(async (id) => {
      const { bag: lent } = await pages.of(id);
      return { id, lent, similarity: weightedJaccard(bag, lent) };
    }),
  );
  const isLender = new Set(lenders);
  const others = compared
    .filter(({ id, similarity }) => !isLender.has(id) && similarity >= floor)
    .sort((a, b) => b.similarity - a.similarity || a.id - b.id)
    .slice(0, count - lenders.length);
  const members = [...compared.filter(({ id }) => isLender.has(id)), ...others];
  const bags = await Promise.all(members.map(({ id }) => pages.bag(id)));
  PAIR.take(bag);
  const rated = members.map(({ id, lent, similarity }, i) => ({
    id,
    ...sharedOf(own, bags[i]!),
    nearness: PAIR.of(lent, similarity),
  }));
  return ratedList(rated.sort((a, b) => b.nearness - a.nearness || a.id - b.id));
}

/** Neighbors of pages that are none of these: those to which most of them are near, as near as they are themselves. */
async function furtherPages(
  reads: LentReads,
  relationId: number,
  list: NeighborSpan,
  skip: number,
): Promise<number[]> {
  const near = similarities(list);
  const lists = await Promise.all(Array.from(list.ids, (id) => reads.neighbors(relationId, id)));
  const strengths = new Map<number, number>();
  for (const [i, one] of lists.entries()) {
    const nearness = nearnessOf(allOf(one));
    for (const [at, id] of one.ids.entries())
      strengths.set(id, (strengths.get(id) ?? 0) + near[i]! * nearness[at]!);
  }
  for (const id of list.ids) strengths.delete(id);
  strengths.delete(skip);
  return [...strengths]
    .sort(([a, one], [b, other]) => other - one || a - b)
    .slice(0, CANDIDATES)
    .map(([id]) => id);
}
