/** Questions about groups of pages. */
import { clusterByKey, clusterList, clusterOfPage } from '../../answers/clusters/cluster.ts';
import { locate } from '../../answers/pages/locate.ts';
import {
  ClusterListSchema,
  ClusterOfPageSchema,
  ClusterSchema,
} from '../../schemas/answers/cluster-answers.ts';
import { CLUSTER, CLUSTER_ID, CLUSTER_MEMBERS, CLUSTERS } from '../../schemas/parameters/parameters.ts';
import { route } from '../route/route.ts';

export const CLUSTER_ROUTES = {
  cluster: route({
    method: 'GET',
    path: '/cluster',
    summary: "A page's cluster, and the broader topics it lies in",
    tag: 'clusters',
    query: CLUSTER,
    answers: ClusterOfPageSchema,
    says: 'The finest cluster with its members, and all levels, fine to broad.',
    problems: [404, 410],
    answer: async (reads, question) =>
      clusterOfPage(reads, await locate(reads, question.query.url), question),
  }),
  clusters: route({
    method: 'GET',
    path: '/clusters',
    summary: 'All clusters of a level, or of a clustering of copies',
    tag: 'clusters',
    query: CLUSTERS,
    answers: ClusterListSchema,
    says: 'Largest first, or by label.',
    problems: [410],
    answer: clusterList,
  }),
  clusterById: route({
    method: 'GET',
    path: '/clusters/:id',
    summary: 'One cluster and its members',
    tag: 'clusters',
    query: CLUSTER_MEMBERS,
    inPath: CLUSTER_ID,
    answers: ClusterSchema,
    says: 'The center first, then the members nearest to it.',
    problems: [404, 410],
    answer: clusterByKey,
  }),
};
