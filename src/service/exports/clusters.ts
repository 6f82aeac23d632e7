/** Which cluster each page is in. */
import { Type } from '../../lib/json-schema.ts';
import { clusterSummary } from '../answers/clusters/cluster.ts';
import { listedLevel } from '../answers/clusters/clustering.ts';
import { clusterAt } from '../answers/copies/cluster-copies.ts';
import { ClusterRowSchema } from '../schemas/answers/row-answers.ts';
import { optional } from '../schemas/parameter.ts';
import { CLUSTER } from '../schemas/parameters/parameters.ts';
import { exportKind, PAGE_FILTERS } from './export-row.ts';

const { by, clustering } = CLUSTER;

export const CLUSTERS_EXPORT = exportKind({
  describes: 'a page and a cluster that it is in; of topics one row a level',
  query: {
    by,
    clustering,
    level: optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'Of topics: 0 is the finest; by default all.',
      }),
      { flag: ['<N>', 'of topics only those of one level, 0 the finest (default all)'] as const },
    ),
    ...PAGE_FILTERS,
  },
  row: ClusterRowSchema,
  requires: (facts, query) => {
    facts.relation(query.by);
    listedLevel(facts, query.by, query.level, query.clustering);
  },
  pages: ({ by: _by, clustering: _clustering, level: _level, ...filters }) => filters,
  rowsOf: async (reads, { id, url, title }, query) => {
    if (await reads.isGone(id)) return [];
    const clusters = await reads.clusters(reads.facts.relation(query.by).id, id);
    const level = listedLevel(reads.facts, query.by, query.level, query.clustering);
    const asked =
      level === undefined ? clusters : [clusterAt(clusters, level)].filter((one) => one !== undefined);
    return Promise.all(
      asked.map(async (cluster) => {
        const { id: key, label, size, center } = await clusterSummary(reads, query.by, cluster);
        const isCenter = cluster.centerId === id;
        return {
          url,
          title,
          level: cluster.level,
          cluster: key,
          label,
          size,
          center_url: center.url,
          is_center: isCenter,
        };
      }),
    );
  },
});
