import { type RelationName, relationOf } from '../../../relations/relations.ts';
import type { ClusterRecord } from '../../../store/records.ts';
import type { Generation } from '../../held/generation.ts';
import { sixDecimals } from '../../http/json-writer.ts';
import { Problem, parameterProblem } from '../../http/problem.ts';
import { makeCursor } from '../../http/request-key.ts';
import type {
  ClusterAnswer,
  ClusterByIdAnswer,
  ClusterListAnswer,
  ClusterSummaryAnswer,
} from '../../schemas/cluster-answers.ts';
import type { ClusterListQuery, ClusterQuery, ListQuery } from '../../schemas/parameters.ts';
import { clusterAt } from '../copies/cluster-copies.ts';
import { clusteringLevel } from './clustering.ts';

const MAX_CHILDREN = 100;

export function clusterSummary(
  generation: Generation,
  by: RelationName,
  cluster: ClusterRecord,
): ClusterSummaryAnswer {
  const { url, title, fetched } = generation.reader.page(cluster.centerId);
  const center = { url, title, fetched };
  const { key: id, level, size, radius, label } = cluster;
  const clustering =
    relationOf(by).clusters === 'clusterings' ? generation.card.copyClusterings[level]!.name : null;
  return { id, by, level, clustering, center, size, radius: sixDecimals(radius), label };
}

function memberPage(
  generation: Generation,
  cluster: ClusterRecord,
  limit: number,
  offset: number,
  hash: string,
): Pick<ClusterByIdAnswer, 'members' | 'next'> {
  const members = generation.reader.clusters
    .members(cluster.id, limit, offset)
    .map(({ pageId, similarity }) => {
      const { url, title, fetched } = generation.reader.page(pageId);
      return { url, title, fetched, similarity: sixDecimals(similarity) };
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
): ClusterAnswer {
  const relation = generation.relation(query.by);
  const { url, title } = generation.reader.page(pageId);
  const clusters = generation.reader.clusters.ofPage(relation.id, pageId);
  const level = clusteringLevel(generation, query.by, query.clustering);
  const levels = clusters.map((cluster) => clusterSummary(generation, relation.name, cluster));
  const asked = clusterAt(clusters, level);
  const { members, next } =
    asked === undefined
      ? { members: [], next: null }
      : memberPage(generation, asked, query.limit, offset, hash);
  const head = { url, title, by: relation.name, generation: generation.id };
  return { ...head, cluster: levels.find((one) => one.level === level) ?? null, members, levels, next };
}

/** The body of GET /clusters/{id}. Errors  Problem `cluster-not-found`. */
export function clusterByKey(
  generation: Generation,
  key: string,
  query: ListQuery,
  offset: number,
  hash: string,
): ClusterByIdAnswer {
  const found = generation.reader.clusters.byKey(key);
  if (found === undefined) {
    throw new Problem(
      'cluster-not-found',
      `this index has no cluster "${key.slice(0, 100)}"; GET /clusters lists them`,
    );
  }
  const name = nameOfRelation(generation, found);
  const children = generation.reader.clusters.children(found, MAX_CHILDREN);
  return {
    ...clusterSummary(generation, name, found),
    generation: generation.id,
    children: children.map((child) => clusterSummary(generation, name, child)),
    ...memberPage(generation, found, query.limit, offset, hash),
  };
}

function nameOfRelation(generation: Generation, cluster: ClusterRecord): RelationName {
  return generation.card.relations.find(({ id }) => id === cluster.relationId)!.name;
}

/** The body of GET /clusters. Errors  Problem `relation-not-in-index`. */
export function clusterList(
  generation: Generation,
  query: ClusterListQuery,
  offset: number,
  hash: string,
): ClusterListAnswer {
  const relation = generation.relation(query.by);
  const { sort, limit, clustering } = query;
  if (clustering !== undefined && query.level !== 0)
    throw parameterProblem('level', 'cannot be combined with clustering', query.level, 'left out');
  const level = clustering === undefined ? query.level : clusteringLevel(generation, query.by, clustering);
  const total = generation.reader.clusters.total(relation.id, level);
  const clusters = generation.reader.clusters
    .list(relation.id, { level, sort, limit, offset })
    .map((cluster) => clusterSummary(generation, relation.name, cluster));
  const next = offset + limit < total ? makeCursor(generation.id, hash, offset + limit) : null;
  return { by: relation.name, level, sort, generation: generation.id, total, clusters, next };
}
