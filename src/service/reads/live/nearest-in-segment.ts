import { unpackFeatures } from '../../../features/own-features.ts';
import { sharedOf } from '../../../join/exact/weighted-jaccard.ts';
import { nearestPages } from '../../../join/own/feature-search.ts';
import {
  type FeatureSet,
  featureSetOf,
  reaches,
  sharedWeight,
  storedShare,
} from '../../../join/own/feature-sets.ts';
import { listNearness } from '../../../join/pairs/nearness.ts';
import { allOf } from '../../../join/pairs/neighbor-span.ts';
import { type Neighbor, type NeighborList, ratedList } from '../../../join/pairs/neighbor-table.ts';
import { keptIn } from '../../../lib/kept.ts';
import { candidatesBy } from '../../../relations/kernels.ts';
import type { Accept } from '../accept.ts';
import type { NearestQuery } from '../read-table.ts';
import type { PageSaid } from './page-said.ts';
import type { Segment } from './segment.ts';

type BagQuery = Pick<NearestQuery, 'bag' | 'count' | 'skip' | 'isRated' | 'by'>;

/** The pages that wait and are nearest to a bag, exactly; ties by page id. `accept` null where any will do. */
export function nearestInSegment(segment: Segment, query: BagQuery, accept: Accept | null): NeighborList {
  return candidatesBy(segment.relation!, query.by) === 'nearness'
    ? nearestByBm25(segment, query, accept)
    : mostSimilar(segment, query, accept);
}

function nearestByBm25(
  { bm25, pages }: Segment,
  { bag, count, skip }: BagQuery,
  accept: Accept | null,
): NeighborList {
  const nearest = bm25!
    .meet(bag)
    .map(({ place, near }) => ({ page: pages[place]!, near }))
    .filter(({ page: { id } }) => id !== skip && (accept === null || accept(id)))
    .sort((a, b) => b.near - a.near || a.page.id - b.page.id)
    .slice(0, count);
  return ratedList(
    nearest.map(({ page: { id, said }, near }) => ({ id, ...sharedOf(bag, said!.bag), nearness: near })),
  );
}

function mostSimilar(
  { postings, pages, relation, pair }: Segment,
  { bag, count, skip, isRated }: BagQuery,
  accept: Accept | null,
): NeighborList {
  const placeOf = new Map<number, number>();
  const met: Neighbor[] = [];
  postings.meet(bag, { floor: relation!.floor, least: 0 }, (place, shared, total) => {
    const { id } = pages[place]!;
    if (id === skip) return;
    met.push({ id, shared, total });
    placeOf.set(id, place);
  });
  const nearest = nearestPages(
    met.filter(({ id }) => accept === null || accept(id)),
    count,
  );
  if (!isRated) return nearest;
  const bagOf = (page: number) => pages[placeOf.get(page)!]!.said!.bag;
  return { ...nearest, nearness: listNearness(pair, bag, allOf(nearest), bagOf) };
}

interface FeaturesQuery extends Pick<NearestQuery, 'count' | 'skip'> {
  readonly features: string;
  readonly floor: number;
}

/** The sets of pages that wait are asked for again and again. */
const sets = new WeakMap<PageSaid, FeatureSet>();
const newSet = ({ facts }: PageSaid) => featureSetOf(unpackFeatures(facts.features));

/** The pages that wait and have the nearest own features; ties by page id. */
export function featuresInSegment(
  { pages }: Segment,
  { features, floor, count, skip }: FeaturesQuery,
  accept: Accept | null,
): NeighborList {
  const own = featureSetOf(unpackFeatures(features));
  const met = pages.flatMap(({ id, said }) => {
    if (said === null || id === skip) return [];
    const figure = sharedWeight(own, keptIn(sets, said, newSet));
    return figure.shared > 0 && reaches(figure, floor) && accept?.(id) !== false
      ? [{ id, ...storedShare(figure) }]
      : [];
  });
  return nearestPages(met, count);
}
