import { type TProperties, Type } from 'typebox';
import { RELATION_NAMES } from './parameters.ts';

/**
 * The shapes of all answers, as shared schemas that the OpenAPI document names. Answers are written
 * without them (serialising by schema is no faster); the tests hold every answer against them.
 */
const exact = <T extends TProperties>(id: string, properties: T, more: object = {}) =>
  Type.Object(properties, { $id: id, additionalProperties: false, ...more });

const similarity = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'For topic: weighted Jaccard of the two bags, at most six decimals.',
});
const next = Type.Union([Type.String(), Type.Null()], {
  description: 'The cursor of what follows, or null.',
});
const generation = Type.String({ description: 'The state of the index that answered.' });
const by = Type.Enum(RELATION_NAMES);
const nullableText = Type.Union([Type.String(), Type.Null()]);

export const ParameterFault = exact('ParameterFault', {
  parameter: Type.String(),
  detail: Type.String(),
  received: Type.Unknown({ description: 'As it came; null where nothing came.' }),
  allowed: Type.Unknown({ description: 'What is allowed, in words or as a list.' }),
});

export const ProblemSchema = exact(
  'Problem',
  {
    type: Type.String({ description: 'A relative URI that ends in the code.' }),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String(),
    instance: Type.String({ description: 'The request that met the problem.' }),
    code: Type.String(),
    errors: Type.Optional(Type.Array(Type.Ref('ParameterFault'))),
  },
  {
    description: 'RFC 9457 problem details.',
    examples: [
      {
        type: '/problems/page-not-indexed',
        title: 'The page is not in the index',
        status: 404,
        detail:
          'https://example.org/new is not in the index; POST /similar finds what is related to its content',
        instance: '/related?url=https%3A%2F%2Fexample.org%2Fnew',
        code: 'page-not-indexed',
      },
    ],
  },
);

export const Term = exact('Term', {
  term: Type.String(),
  part: Type.Enum(['content', 'title', 'anchor']),
  weight: Type.Number({ minimum: 0, maximum: 1, description: 'Share of the weight of the whole bag.' }),
});

export const SharedTerm = exact('SharedTerm', {
  term: Type.String(),
  part: Type.Enum(['content', 'title', 'anchor']),
  share: Type.Number({ minimum: 0, maximum: 1, description: 'Share of the overlap of the two bags.' }),
});

export const RelatedPage = exact('RelatedPage', {
  url: Type.String(),
  title: Type.String(),
  similarity,
  measure: Type.Enum(['exact', 'estimate'], { description: 'Which kind of figure `similarity` is.' }),
  same_site: Type.Boolean(),
  why: Type.Optional(
    Type.Object({ terms: Type.Array(Type.Ref('SharedTerm')) }, { additionalProperties: false }),
  ),
});

const list = {
  by,
  generation,
  related: Type.Array(Type.Ref('RelatedPage')),
  empty_reason: Type.Union([Type.Enum(['too_little_text', 'below_threshold', 'excluded']), Type.Null()], {
    description: 'Why nothing is listed; null where something is.',
  }),
  next,
};

export const Related = exact(
  'Related',
  { url: Type.String(), title: Type.String(), ...list },
  {
    examples: [
      {
        url: 'https://example.org/roses/',
        title: 'Growing roses',
        by: 'topic',
        generation: '3f7a9c0de1b24586',
        related: [
          {
            url: 'https://example.net/pruning',
            title: 'How to prune a rose',
            similarity: 0.214286,
            measure: 'exact',
            same_site: false,
            why: { terms: [{ term: 'roses', part: 'content', share: 0.31 }] },
          },
        ],
        empty_reason: null,
        next: null,
      },
    ],
  },
);

export const BatchAnswer = exact('RelatedBatch', {
  results: Type.Array(
    Type.Union([Type.Ref('Related'), Type.Object({ url: Type.String(), error: Type.Ref('Problem') })]),
  ),
});

export const Similar = exact('Similar', {
  url: nullableText,
  title: Type.String(),
  ...list,
  terms: Type.Array(Type.Ref('Term'), { description: 'What the document was understood to be about.' }),
  cluster: Type.Union([Type.Ref('ClusterSummary'), Type.Null()], {
    description: 'Where it would fall: the cluster of the nearest page, if that is near enough.',
  }),
});

const summary = {
  id: Type.String({ description: 'Stable across rebuilds for as long as the centre survives.' }),
  by,
  level: Type.Integer({ minimum: 0 }),
  centre: Type.Ref('PageName'),
  size: Type.Integer({ minimum: 1 }),
  radius: Type.Number({ description: 'Least similarity of a member to the centre; 1 where it is alone.' }),
  label: Type.String({ description: 'Top terms.' }),
};

export const PageName = exact('PageName', { url: Type.String(), title: Type.String() });

export const ClusterSummary = exact('ClusterSummary', summary);

export const ClusterMember = exact('ClusterMember', {
  url: Type.String(),
  title: Type.String(),
  similarity: Type.Number({ description: 'To the centre.' }),
});

const members = Type.Array(Type.Ref('ClusterMember'), {
  description: 'The centre first, then the nearest to it.',
});

export const Cluster = exact('Cluster', { ...summary, generation, members, next });

export const ClusterOfPage = exact('ClusterOfPage', {
  url: Type.String(),
  title: Type.String(),
  by,
  generation,
  cluster: Type.Union([Type.Ref('ClusterSummary'), Type.Null()], {
    description: 'The finest that the page is in.',
  }),
  members,
  levels: Type.Array(Type.Ref('ClusterSummary'), {
    description: 'All that the page lies in, fine to broad.',
  }),
  next,
});

export const ClusterList = exact('ClusterList', {
  by,
  level: Type.Integer(),
  sort: Type.Enum(['size', 'label']),
  generation,
  total: Type.Integer({ description: 'Clusters at this level.' }),
  clusters: Type.Array(Type.Ref('ClusterSummary')),
  next,
});

export const Page = exact('Page', {
  url: Type.String(),
  title: Type.String(),
  site: Type.String({ description: 'Registrable domain.' }),
  lang: nullableText,
  generation,
  fetched: Type.Boolean({ description: 'False for a page that is known by links alone.' }),
  word_count: Type.Integer(),
  in_link_count: Type.Integer(),
  out_link_count: Type.Integer(),
  sweeps: Type.Array(
    Type.Object({
      sweep: Type.String(),
      fetched_at: Type.String(),
      media_type: Type.String(),
      charset: Type.String(),
      body_bytes: Type.Integer(),
    }),
  ),
  aliases: Type.Array(Type.Object({ url: Type.String(), kind: Type.Enum(['redirect', 'canonical']) })),
  bags: Type.Array(
    Type.Object({
      by,
      sum: Type.Integer({ description: 'Weight of the whole bag.' }),
      terms: Type.Record(Type.String(), Type.Array(Type.Ref('Term'))),
    }),
    { description: 'For each relation that has bags: the top terms of each part.' },
  ),
});

export const Index = exact(
  'Index',
  {
    generation,
    built_at: Type.String(),
    akin_version: Type.String(),
    page_count: Type.Integer(),
    fetched_page_count: Type.Integer(),
    alias_count: Type.Integer(),
    cluster_count: Type.Integer(),
    size_bytes: Type.Integer(),
    relations: Type.Array(
      Type.Object({
        by,
        profile: Type.String(),
        measure: Type.Enum(['exact', 'estimate']),
        neighbour_limit: Type.Integer({ description: 'Neighbours stored for a page at most.' }),
        floor: Type.Number({ description: 'Similarity below which nothing is listed.' }),
        s_curve: Type.Optional(
          Type.Array(Type.Object({ similarity: Type.Number(), recall: Type.Number() }), {
            description: 'Theoretical share of the pairs of a similarity that the sketches find.',
          }),
        ),
      }),
    ),
    sweeps: Type.Array(
      Type.Object({
        name: Type.String(),
        record_count: Type.Integer(),
        started_at: Type.String(),
        skipped: Type.Record(Type.String(), Type.Integer()),
      }),
    ),
    parameters: Type.Record(Type.String(), Type.Unknown()),
    stages: Type.Array(
      Type.Object({ name: Type.String(), record_count: Type.Integer(), duration_ms: Type.Number() }),
    ),
  },
  { description: 'The index card: what an index says about itself.' },
);

export const Alive = exact('Alive', { status: Type.Literal('alive') });

export const Ready = exact('Ready', {
  status: Type.Literal('ready'),
  generation,
  page_count: Type.Integer(),
  swap_count: Type.Integer(),
  loaded_at: Type.String(),
  fault: Type.Union([Type.Object({ code: Type.String(), at: Type.String() }), Type.Null()], {
    description: 'What keeps a newer index file from being served.',
  }),
});

/** In the order in which the OpenAPI document lists them. */
export const ANSWER_SCHEMAS = [
  ProblemSchema,
  ParameterFault,
  Related,
  RelatedPage,
  SharedTerm,
  BatchAnswer,
  Similar,
  Term,
  PageName,
  ClusterSummary,
  ClusterMember,
  Cluster,
  ClusterOfPage,
  ClusterList,
  Page,
  Index,
  Alive,
  Ready,
];
