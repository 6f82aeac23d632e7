/** Lists by own features: of a page of the index, as the build stored them. */
import { unpackFeatures } from '../../../features/own-features.ts';
import { featureSetOf, sharedWeight } from '../../../join/own/feature-sets.ts';
import { allOf } from '../../../join/pairs/neighbor-span.ts';
import type { NeighborSpan } from '../../../join/pairs/neighbor-table.ts';
import { foundFeatures } from '../../../relations/own-features.ts';
import { sixDecimals } from '../../http/six-decimals.ts';
import type { Reads } from '../../reads/reads.ts';
import type { Narrowing } from '../../schemas/parameters/list-parameters.ts';
import { clusteringLevel } from '../clusters/clustering.ts';
import { sharedFeatures } from '../pages/shared-features.ts';
import { type FoundList, selectedList } from './found-list.ts';
import { pageFilter, type SubjectPage } from './page-filter.ts';
import type { Why } from './rank.ts';
import { selectNeighbors } from './selection.ts';

/** Errors  Problem `relation-not-in-index`; `invalid-parameters` for a clustering: this relation has none. */
export async function featureList(
  reads: Reads,
  subject: SubjectPage,
  narrowing: Narrowing,
  offset: number,
): Promise<FoundList> {
  const { facts } = reads;
  const relation = facts.relation(narrowing.by);
  if (narrowing.clustering !== undefined) clusteringLevel(facts, relation.name, narrowing.clustering);
  const { pageId } = subject;
  const [stored, filter] = await Promise.all([
    reads.neighbors(relation.id, pageId).then(allOf),
    pageFilter(reads, subject, narrowing),
  ]);
  const candidates = {
    stored,
    complete: true,
    nearest: async () => stored,
    similar: (pageIds: readonly number[]) => similarByFeatures(reads, pageId, pageIds),
    hopeless: async () => {
      if (await reads.isGone(pageId)) return 'gone' as const;
      return (await reads.ownFeatures(pageId)) === '' ? ('no_features' as const) : null;
    },
  };
  const selection = await selectNeighbors(reads, candidates, filter, narrowing, offset);
  const why = narrowing.explain ? await featureWhy(reads, pageId) : null;
  const list = await selectedList(reads, selection, subject, relation.measure, why, narrowing);
  const isCut = stored.end >= relation.neighborLimit;
  const hasCrowds = (foundFeatures(facts.card.parameters)?.crowded_feature_count ?? 0) > 0;
  return { ...list, tail: { complete: !isCut && !hasCrowds && !facts.hasWaiting } };
}

/** Pages with their exact similarities to a page, in their order. */
async function similarByFeatures(
  reads: Reads,
  pageId: number,
  pageIds: readonly number[],
): Promise<NeighborSpan> {
  const [own, ...others] = await Promise.all(
    [pageId, ...pageIds].map(async (id) => featureSetOf(unpackFeatures(await reads.ownFeatures(id)))),
  );
  const figures = others.map((other) => sharedWeight(own!, other));
  return allOf({
    ids: Uint32Array.from(pageIds),
    shared: Float64Array.from(figures, ({ shared }) => shared),
    total: Float64Array.from(figures, ({ total }) => total),
  });
}

/** Why a page of a list is there: the features that both have. */
async function featureWhy(reads: Reads, pageId: number): Promise<Why> {
  const own = unpackFeatures(await reads.ownFeatures(pageId));
  return async (other) => {
    const terms = sharedFeatures(own, unpackFeatures(await reads.ownFeatures(other)));
    const shown = terms.reduce((sum, { share }) => sum + share, 0);
    return { why: { terms, remainder: sixDecimals(Math.max(0, 1 - shown)) } };
  };
}
