/**
 * The first pages of a list in another order: fresh ones further up, or such that they differ from one another.
 *
 * With `boost=fresh:AGE` a page counts by its similarity times its freshness: 1 until a tenth of the age, then
 * .5^((a - AGE/10) / (AGE - AGE/10)) for a page of the age a, which is .5 at AGE; .5 for one that does not say when it was
 * published. Ages are counted back from the time at which the index was built, so that an answer holds as long as the index does.
 *
 * With `diversity=d` the next page is the one of the greatest (1 - d) · what it counts - d · its similarity to the most similar
 * page before it, by the bags of both. At d = 0 nothing changes, at d = 1 similarity to the subject chooses the first alone.
 *
 * Source  J. Carbonell, J. Goldstein, The Use of MMR, 1998.
 */
import { weightedJaccard } from '../../../../join/exact/weighted-jaccard.ts';
import { picked } from '../../../../join/pairs/neighbor-span.ts';
import type { NeighborSpan } from '../../../../join/pairs/neighbor-table.ts';
import type { RelationRecord } from '../../../../store/records.ts';
import { sixDecimals } from '../../../http/six-decimals.ts';
import type { Reads } from '../../../reads/reads.ts';
import type { RelatedPageAnswer } from '../../../schemas/answers/list-answers.ts';
import { freshAgeMs } from '../../../schemas/parameters/boost.ts';
import type { Narrowing } from '../../../schemas/parameters/list-parameters.ts';

/** Pages of a list that are put into another order, as many as an index stores of a page; those behind them stay. */
export const ARRANGED_PAGES = 32;
/** To compare two bags. */
const PAIR_US = 1;
/** Share of the age in which freshness stays 1. */
const LASTING_SHARE = 0.1;
/** Freshness of a page without a date. */
const UNDATED = 0.5;

/** Pages as an answer shows them. */
interface ShownList {
  readonly items: readonly RelatedPageAnswer[];
  readonly pageIds: ArrayLike<number>;
}

export interface Arrangement {
  /** In its new order; the first `still` pages stay where they are. */
  arrange(list: NeighborSpan, still: number): Promise<NeighborSpan>;
  /** With what pages count, where that is not their similarity. */
  scored<List extends ShownList>(list: List): List;
}

/** Null where nothing of it is asked for. */
export function arrangement(
  reads: Reads,
  relation: RelationRecord,
  { boost, diversity }: Pick<Narrowing, 'boost' | 'diversity'>,
): Arrangement | null {
  if (boost === undefined && diversity === 0) return null;
  const scores = new Map<number, number>();
  return {
    arrange: async (list, still) => {
      const places = Array.from({ length: list.end - list.start }, (_, i) => list.start + i);
      const first = places.splice(0, still);
      const rest = places.splice(ARRANGED_PAGES);
      const counts = await Promise.all(
        places.map(async (at) => {
          const pageId = list.ids[at]!;
          const similarity = list.shared[at]! / list.total[at]!;
          if (boost === undefined) return similarity;
          const count = similarity * (await freshness(reads, pageId, freshAgeMs(boost)!));
          if (!reads.isOutOfReach(pageId)) scores.set(pageId, sixDecimals(count));
          return count;
        }),
      );
      const order =
        diversity === 0
          ? byCount(counts)
          : await differing(reads, relation, { ...list, start: list.start + still }, counts, diversity);
      return picked(list, [...first, ...order.map((i) => places[i]!), ...rest]);
    },
    scored: (list) => {
      if (scores.size === 0) return list;
      const items = list.items.map((item, i) => {
        const score = scores.get(list.pageIds[i]!);
        return score === undefined ? item : { ...item, score };
      });
      return { ...list, items };
    },
  };
}

async function freshness(reads: Reads, pageId: number, halfMs: number): Promise<number> {
  const published = (await reads.pageCard(pageId))?.publishedAt ?? null;
  if (published === null) return UNDATED;
  const lastingMs = LASTING_SHARE * halfMs;
  const ageMs = reads.facts.card.builtAtMs - Date.parse(published);
  return ageMs <= lastingMs ? 1 : 0.5 ** ((ageMs - lastingMs) / (halfMs - lastingMs));
}

function byCount(counts: readonly number[]): number[] {
  return [...counts.keys()].sort((a, b) => counts[b]! - counts[a]! || a - b);
}

/** Of pages from the start of a list on, in the order in which they are chosen. */
async function differing(
  reads: Reads,
  relation: RelationRecord,
  { ids, start }: NeighborSpan,
  counts: readonly number[],
  diversity: number,
): Promise<number[]> {
  const bags = await Promise.all(counts.map((_, i) => reads.bag(relation.id, ids[start + i]!)));
  reads.work.spend((PAIR_US * bags.length * bags.length) / 2);
  const chosen: number[] = [];
  const left = byCount(counts);
  /** Similarity to the most similar of those that are chosen. */
  const nearest = new Float64Array(counts.length);
  while (left.length > 0) {
    const value = (i: number) => (1 - diversity) * counts[i]! - diversity * nearest[i]!;
    const best = left.reduce((a, b) => (value(b) > value(a) ? b : a));
    left.splice(left.indexOf(best), 1);
    chosen.push(best);
    for (const i of left) nearest[i] = Math.max(nearest[i]!, weightedJaccard(bags[i]!, bags[best]!));
  }
  return chosen;
}
