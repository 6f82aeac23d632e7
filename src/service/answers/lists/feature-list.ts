/** Lists by own features: of a page of the index, or of a document. */

import { NO_BAG } from '../../../features/bag.ts';
import { unpackFeatures } from '../../../features/own-features.ts';
import { featureSetOf, sharedWeight } from '../../../join/own/feature-sets.ts';
import { allOf } from '../../../join/pairs/neighbor-span.ts';
import { type NeighborSpan, NO_NEIGHBORS } from '../../../join/pairs/neighbor-table.ts';
import { foundFeatures } from '../../../relations/own-features.ts';
import { sixDecimals } from '../../http/six-decimals.ts';
import type { StoredFilter } from '../../reads/accept.ts';
import type { Reads } from '../../reads/reads.ts';
import { clusteringLevel } from '../clusters/clustering.ts';
import { sharedFeatures } from '../pages/shared-features.ts';
import { type FoundList, selectedList } from './found-list.ts';
import type { ListAsk } from './selection/list-ask.ts';
import { type PageFilter, pageFilter, type Subject, type SubjectPage } from './selection/page-filter.ts';
import type { Why } from './selection/rank.ts';
import { selectNeighbors } from './selection/selection.ts';

/** What is asked by its features: a page, or a document that was posted. */
interface Featured {
  /** -1 for a document that is no page. */
  readonly pageId: number;
  /** As `packFeatures` packs them; '' for none. */
  readonly features: string;
  /** What the build found; null where pages wait, or for a document. */
  readonly stored: NeighborSpan | null;
}

/**
 * The list of a page: as the build stored it, or searched for where that was cut, or pages wait for the index.
 *
 * Errors  Problem `relation-not-in-index`; `invalid-parameters` for a clustering: this relation has none.
 */
export async function featureList(
  { reads, narrowing, offset }: ListAsk,
  subject: SubjectPage,
): Promise<FoundList> {
  const { facts } = reads;
  const relation = facts.relation(narrowing.by);
  const { pageId } = subject;
  const [list, features] = await Promise.all([
    facts.hasWaiting ? null : reads.neighbors(relation.id, pageId),
    reads.ownFeatures(pageId),
  ]);
  const stored = list === null || list.ids.length >= relation.neighborLimit ? null : allOf(list);
  return featuredList({ reads, narrowing, offset }, subject, { pageId, features, stored });
}

/** Errors  as `featureList`. */
export async function featuredList(
  { reads, narrowing, offset }: ListAsk,
  subject: Subject,
  { pageId, features, stored }: Featured,
): Promise<FoundList> {
  const { facts } = reads;
  const relation = facts.relation(narrowing.by);
  if (narrowing.clustering !== undefined) clusteringLevel(facts, relation.name, narrowing.clustering);
  const filter = await pageFilter(reads, subject, narrowing);
  const nearest = async (count: number, filter: StoredFilter | null) => {
    if (features === '') return allOf(NO_NEIGHBORS);
    const query = {
      relationId: relation.id,
      bag: NO_BAG,
      features,
      count,
      by: 'similarity',
      isRated: false,
      filter,
      skip: pageId,
      exact: true,
    } as const;
    return allOf(await reads.nearest(query));
  };
  const first = stored ?? (await nearest(relation.neighborLimit, null));
  const candidates = {
    stored: first,
    complete: first.end < relation.neighborLimit,
    nearest: (count: number, { stored: filter }: Pick<PageFilter, 'stored'>) => nearest(count, filter),
    similar: (pageIds: readonly number[]) => similarByFeatures(reads, features, pageIds),
    hopeless: async () => {
      if (await subject.isGone()) return 'gone' as const;
      return features === '' ? ('no_features' as const) : null;
    },
  };
  const selection = await selectNeighbors({ reads, narrowing, offset }, candidates, filter);
  const why = narrowing.explain ? featureWhy(reads, features) : null;
  const list = await selectedList(reads, selection, subject, relation.measure, why, narrowing);
  const hasCrowds = (foundFeatures(facts.card.parameters)?.crowded_feature_count ?? 0) > 0;
  return { ...list, tail: { complete: stored === null || !hasCrowds } };
}

/** Pages with their exact similarities, in their order. */
async function similarByFeatures(
  reads: Reads,
  features: string,
  pageIds: readonly number[],
): Promise<NeighborSpan> {
  const own = featureSetOf(unpackFeatures(features));
  const others = await Promise.all(
    pageIds.map(async (id) => featureSetOf(unpackFeatures(await reads.ownFeatures(id)))),
  );
  const figures = others.map((other) => sharedWeight(own, other));
  return allOf({
    ids: Uint32Array.from(pageIds),
    shared: Float64Array.from(figures, ({ shared }) => shared),
    total: Float64Array.from(figures, ({ total }) => total),
  });
}

/** Why a page of a list is there: the features that both have. */
function featureWhy(reads: Reads, features: string): Why {
  const own = unpackFeatures(features);
  return async (other) => {
    const terms = sharedFeatures(own, unpackFeatures(await reads.ownFeatures(other)));
    const shown = terms.reduce((sum, { share }) => sum + share, 0);
    return { why: { terms, remainder: sixDecimals(Math.max(0, 1 - shown)) } };
  };
}
