import { cutText } from '../../../lib/cut-text.ts';
import { COPY } from '../../../relations/copy.ts';
import { type RelationName, relationOf } from '../../../relations/relations.ts';
import type { ClusterRecord } from '../../../store/records.ts';
import { Problem, parameterProblem } from '../../http/problems/problem.ts';
import { type ListQuestion, makeCursor } from '../../http/question/request-key.ts';
import { sixDecimals } from '../../http/six-decimals.ts';
import type { Reads } from '../../reads/reads.ts';
import type {
  ClusterAnswer,
  ClusterByIdAnswer,
  ClusterListAnswer,
  ClusterSummaryAnswer,
} from '../../schemas/answers/cluster-answers.ts';
import type { ClusterListQuery, ClusterQuery, ListQuery } from '../../schemas/parameters/parameters.ts';
import { clusterAt } from '../copies/cluster-copies.ts';
import { nearestCopy } from '../copies/keep.ts';
import { clusteringLevel, listedLevel } from './clustering.ts';

const MAX_CHILDREN = 100;
/** Copies among which the best one is sought. */
const MAX_JUDGED = 1000;

export async function clusterSummary(
  reads: Reads,
  by: RelationName,
  cluster: ClusterRecord,
): Promise<ClusterSummaryAnswer> {
  const { url, title, fetched } = await reads.page(cluster.centerId);
  const center = { url, title, fetched };
  const { key: id, level, size, radius, label } = cluster;
  const clustering =
    relationOf(by).clusters === 'clusterings' ? reads.facts.card.copyClusterings[level]!.name : null;
  return { id, by, level, clustering, center, size, radius: sixDecimals(radius), label };
}

async function memberPages(
  reads: Reads,
  cluster: ClusterRecord,
  limit: number,
  offset: number,
): Promise<ClusterByIdAnswer['members']> {
  const found = await reads.members(cluster.id, limit, offset);
  return Promise.all(
    found.map(async ({ pageId, similarity }) => {
      const { url, title, fetched } = await reads.page(pageId);
      return { url, title, fetched, similarity: sixDecimals(similarity) };
    }),
  );
}

async function memberPage(
  reads: Reads,
  cluster: ClusterRecord,
  { query: { limit }, offset, hash }: ListQuestion<ListQuery>,
): Promise<Pick<ClusterByIdAnswer, 'members' | 'next'>> {
  const members = await memberPages(reads, cluster, limit, offset);
  const next = offset + limit < cluster.size ? makeCursor(reads.facts.state, hash, offset + limit) : null;
  return { members, next };
}

/** The body of GET /cluster. Errors  Problem `relation-not-in-index`. */
export async function clusterOfPage(
  reads: Reads,
  pageId: number,
  question: ListQuestion<ClusterQuery>,
): Promise<ClusterAnswer> {
  const { query } = question;
  const relation = reads.facts.relation(query.by);
  const level = clusteringLevel(reads.facts, query.by, query.clustering);
  const [{ url, title }, clusters] = await Promise.all([
    reads.page(pageId),
    reads.clusters(relation.id, pageId),
  ]);
  const asked = clusterAt(clusters, level);
  const [levels, { members, next }] = await Promise.all([
    Promise.all(clusters.map((cluster) => clusterSummary(reads, relation.name, cluster))),
    asked === undefined ? { members: [], next: null } : memberPage(reads, asked, question),
  ]);
  const head = { url, title, by: relation.name, generation: reads.facts.id };
  const best = await bestOf(reads, asked, query);
  return {
    ...head,
    cluster: levels.find((one) => one.level === level) ?? null,
    ...best,
    members,
    levels,
    next,
  };
}

/** The copy that is best for the reader that the question names; nothing where it names none. Errors  Problem `invalid-parameters`. */
async function bestOf(
  reads: Reads,
  cluster: ClusterRecord | undefined,
  { by, near, near_lang: lang }: ClusterQuery,
): Promise<Pick<ClusterAnswer, 'best'>> {
  if (near === undefined && lang === undefined) return {};
  if (by !== COPY.name) {
    const parameter = near === undefined ? 'near_lang' : 'near';
    throw parameterProblem(parameter, 'is for copies', near ?? lang, `by=${COPY.name}`);
  }
  if (cluster === undefined) return { best: null };
  const members = await reads.members(cluster.id, MAX_JUDGED, 0);
  const pageId = await nearestCopy(
    reads,
    { near: near ?? null, lang: lang ?? null },
    members.map((member) => member.pageId),
  );
  const page = await reads.page(pageId);
  return { best: { url: page.url, title: page.title, fetched: page.fetched } };
}

/** The body of GET /clusters/{id}. Errors  Problem `cluster-not-found`. */
export async function clusterByKey(
  reads: Reads,
  question: ListQuestion<ListQuery & { readonly id: string }>,
): Promise<ClusterByIdAnswer> {
  const { id: key } = question.query;
  const found = await reads.clusterByKey(key);
  if (found === null) {
    throw new Problem(
      'cluster-not-found',
      `this index has no cluster "${cutText(key, 100)}"; GET /clusters lists them`,
    );
  }
  const name = nameOfRelation(reads, found);
  const [summary, children, members] = await Promise.all([
    clusterSummary(reads, name, found),
    childrenOf(reads, name, found),
    memberPage(reads, found, question),
  ]);
  return { ...summary, generation: reads.facts.id, children, ...members };
}

async function childrenOf(
  reads: Reads,
  name: RelationName,
  cluster: ClusterRecord,
): Promise<ClusterSummaryAnswer[]> {
  const children = await reads.children(cluster, MAX_CHILDREN);
  return Promise.all(children.map((child) => clusterSummary(reads, name, child)));
}

function nameOfRelation({ facts }: Reads, cluster: ClusterRecord): RelationName {
  return facts.card.relations.find(({ id }) => id === cluster.relationId)!.name;
}

/** The body of GET /clusters. Errors  Problem `relation-not-in-index`. */
export async function clusterList(
  reads: Reads,
  { query, offset, hash }: ListQuestion<ClusterListQuery>,
): Promise<ClusterListAnswer> {
  const { facts } = reads;
  const relation = facts.relation(query.by);
  const { sort, limit, fetched, label, examples } = query;
  const level = listedLevel(facts, query.by, query.level, query.clustering) ?? 0;
  const choice = { level, isFetchedOnly: fetched === 'only', labelPart: label.toLowerCase() };
  const [total, listed] = await Promise.all([
    reads.clusterTotal(relation.id, choice),
    reads.clusterList(relation.id, { ...choice, sort, limit, offset }),
  ]);
  const clusters = await Promise.all(
    listed.map(async (cluster) => {
      const [summary, members] = await Promise.all([
        clusterSummary(reads, relation.name, cluster),
        examples === 0 ? null : memberPages(reads, cluster, examples + 1, 0),
      ]);
      if (members === null) return summary;
      const others = members.slice(1).map(({ url, title, fetched }) => ({ url, title, fetched }));
      return { ...summary, examples: others };
    }),
  );
  const next = offset + limit < total ? makeCursor(facts.state, hash, offset + limit) : null;
  return { by: relation.name, level, sort, generation: facts.id, total, clusters, next };
}
