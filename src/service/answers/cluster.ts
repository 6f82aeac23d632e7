import type { ClusterRecord } from '../../store/records.ts';
import type { Generation } from '../generation.ts';
import { Problem } from '../problem.ts';
import { makeCursor } from '../request-key.ts';
import type { ClusterListQuery, ClusterQuery, ListQuery } from '../schemas/parameters.ts';
import { sixDecimals } from './six-decimals.ts';

interface ClusterSummary {
  readonly id: string;
  readonly by: string;
  readonly level: number;
  readonly centre: { readonly url: string; readonly title: string };
  readonly size: number;
  readonly radius: number;
  readonly label: string;
}

export function clusterSummary(generation: Generation, by: string, cluster: ClusterRecord): ClusterSummary {
  const { url, title } = generation.reader.page(cluster.centerId);
  const { key: id, level, size, radius, label } = cluster;
  return { id, by, level, centre: { url, title }, size, radius: sixDecimals(radius), label };
}

function memberPage(
  generation: Generation,
  cluster: ClusterRecord,
  limit: number,
  offset: number,
  hash: string,
) {
  const members = generation.reader.clusters
    .members(cluster.id, limit, offset)
    .map(({ pageId, similarity }) => {
      const { url, title } = generation.reader.page(pageId);
      return { url, title, similarity: sixDecimals(similarity) };
    });
  const next = offset + limit < cluster.size ? makeCursor(generation.id, hash, offset + limit) : null;
  return { members, next };
}

/** The body of GET /cluster. Errors  Problem `relation-not-in-index`. */
export function clusterOfPage(
  generation: Generation,
  pageId: number,
  query: ClusterQuery,
  offset: number,
  hash: string,
) {
  const relation = generation.relation(query.by);
  const { url, title } = generation.reader.page(pageId);
  const clusters = generation.reader.clusters.ofPage(relation.id, pageId);
  const levels = clusters.map((cluster) => clusterSummary(generation, relation.name, cluster));
  const finest = clusters[0];
  const { members, next } =
    finest === undefined
      ? { members: [], next: null }
      : memberPage(generation, finest, query.limit, offset, hash);
  const head = { url, title, by: relation.name, generation: generation.id };
  return { ...head, cluster: levels[0] ?? null, members, levels, next };
}

/** The body of GET /clusters/{id}. Errors  Problem `cluster-not-found`. */
export function clusterByKey(
  generation: Generation,
  key: string,
  query: ListQuery,
  offset: number,
  hash: string,
) {
  const found = generation.reader.clusters.byKey(key);
  if (found === undefined) {
    throw new Problem(
      'cluster-not-found',
      `this index has no cluster "${key.slice(0, 100)}"; GET /clusters lists them`,
    );
  }
  const summary = clusterSummary(generation, relationOf(generation, found), found);
  return {
    ...summary,
    generation: generation.id,
    ...memberPage(generation, found, query.limit, offset, hash),
  };
}

/** The relation whose cluster this is: the one in which its centre is a member of it. */
function relationOf(generation: Generation, cluster: ClusterRecord): string {
  const holds = (relationId: number) =>
    generation.reader.clusters.ofPage(relationId, cluster.centerId).some(({ id }) => id === cluster.id);
  return generation.card.relations.find(({ id }) => holds(id))!.name;
}

/** The body of GET /clusters. Errors  Problem `relation-not-in-index`. */
export function clusterList(generation: Generation, query: ClusterListQuery, offset: number, hash: string) {
  const relation = generation.relation(query.by);
  const { level, sort, limit } = query;
  const total = generation.reader.clusters.total(relation.id, level);
  const clusters = generation.reader.clusters
    .list(relation.id, { level, sort, limit, offset })
    .map((cluster) => clusterSummary(generation, relation.name, cluster));
  const next = offset + limit < total ? makeCursor(generation.id, hash, offset + limit) : null;
  return { by: relation.name, level, sort, generation: generation.id, total, clusters, next };
}
