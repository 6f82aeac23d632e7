import type { Static } from 'typebox';
import { Type } from '../../../lib/json-schema.ts';
import { CLUSTERED_RELATION_NAMES } from '../../../relations/relations.ts';
import { answer, count, exact, generation, listOf, next, orNull, ref } from '../fields.ts';

const by = Type.Enum([...CLUSTERED_RELATION_NAMES]);

const name = {
  url: Type.String(),
  title: Type.String(),
  fetched: Type.Boolean({ description: 'False for a page that is known by links alone.' }),
};

export const PageNameSchema = exact('PageName', name);

const summary = {
  id: Type.String({ description: 'Stable across rebuilds for as long as the center survives.' }),
  by,
  level: count('Of copies: the number of the clustering, from 0.'),
  clustering: orNull(Type.String({ description: 'Of copies, as GET /index names it.' })),
  center: ref(PageNameSchema),
  size: Type.Integer({ minimum: 1 }),
  radius: Type.Number({ description: 'Least similarity of a member to the center; 1 where it is alone.' }),
  label: Type.String({ description: 'Top terms.' }),
  examples: Type.Optional(
    listOf(
      ref(PageNameSchema),
      'Of GET /clusters with `examples`: the members nearest to the center, without it.',
    ),
  ),
};

export const ClusterSummarySchema = exact('ClusterSummary', summary);

export const ClusterMemberSchema = exact('ClusterMember', {
  ...name,
  similarity: Type.Number({
    description: 'To the center; in a clustering by containment the share of the one that is in the other.',
  }),
});

const members = listOf(ref(ClusterMemberSchema), 'The center first, then the nearest to it.');

const children = listOf(
  ref(ClusterSummarySchema),
  'Of a topic: the finer ones right below it, the 100 largest, largest first.',
);

export const ClusterSchema = answer('Cluster', { ...summary, generation, children, members, next });

export const ClusterOfPageSchema = answer('ClusterOfPage', {
  url: Type.String(),
  title: Type.String(),
  by,
  generation,
  cluster: orNull(ref(ClusterSummarySchema), {
    description: 'The finest that the page is in; of copies, the one of the clustering asked for.',
  }),
  best: Type.Optional(
    orNull(ref(PageNameSchema), {
      description:
        'With near or near_lang: the copy that is best there, of the 1,000 members nearest to the center; null where the page has no copies.',
    }),
  ),
  members,
  levels: listOf(
    ref(ClusterSummarySchema),
    'All that the page lies in, fine to broad; of copies, its cluster in each clustering.',
  ),
  next,
});

export const ClusterListSchema = answer('ClusterList', {
  by,
  level: Type.Integer(),
  sort: Type.Enum(['size', 'label']),
  generation,
  total: Type.Integer({ description: 'Clusters at this level, as far as they are asked for.' }),
  clusters: Type.Array(ref(ClusterSummarySchema)),
  next,
});

export type ClusterSummaryAnswer = Static<typeof ClusterSummarySchema>;
/** GET /clusters/{id}. */
export type ClusterByIdAnswer = Static<typeof ClusterSchema>;
/** GET /cluster. */
export type ClusterAnswer = Static<typeof ClusterOfPageSchema>;
/** GET /clusters. */
export type ClusterListAnswer = Static<typeof ClusterListSchema>;
