import type { Static } from 'typebox';
import { Type } from '../../../lib/json-schema.ts';
import { DEFAULT_RELATION, RELATIONS } from '../../../relations/relations.ts';
import {
  answer,
  by,
  closed,
  closedAs,
  count,
  exact,
  FALLBACKS,
  flag,
  generation,
  listOf,
  next,
  nullableText,
  orNull,
  ref,
  share,
} from '../fields.ts';
import { listCardFields } from './card-fields.ts';
import { ClusterSummarySchema } from './cluster-answers.ts';
import { ResultContainmentSchema, ResultGroupSchema } from './copy-answers.ts';
import { ProblemSchema } from './problem-answers.ts';
import { LentTermSchema, SharedTermSchema, TermSchema } from './term-answers.ts';

const similarity = share(
  `${RELATIONS.map((relation) => `For ${relation.name}: ${relation.similarity}.`).join(' ')} At most six decimals.`,
);
export const NearSchema = exact('Near', {
  count: count('How many of its 20 nearest pages are among the pages nearest to the one asked about.'),
  urls: Type.Array(Type.String(), { description: 'The nearest of these, at most three.' }),
});

export const NearByVectorsSchema = exact(
  'NearByVectors',
  {
    vectors: Type.String({ description: 'Their name.' }),
    similarity: share('Their cosine, an estimate.'),
  },
  {
    description:
      'Of a list that goes by words and by vectors (GET /index: blend): how near the vectors of both are. A page that shares no word, or few, is there by this.',
  },
);

export const WhySchema = exact('Why', {
  terms: Type.Optional(
    listOf(
      ref(SharedTermSchema),
      'For relations by words or own features: those of the greatest shares, at most ten.',
    ),
  ),
  remainder: Type.Optional(
    share('Share of all else that both have, links included: with the shares of `terms` it makes 1.'),
  ),
  near: Type.Optional(ref(NearSchema)),
  meaning: Type.Optional(ref(NearByVectorsSchema)),
  through: Type.Optional(
    listOf(
      ref(LentTermSchema),
      'Where neighbors lend words (--lend): words that both have in common with what these lend to them, the heaviest first, at most five. A page with no `terms` is near by way of these pages alone.',
    ),
  ),
  like: Type.Optional(listOf(share(), 'Of a list by examples: the similarity of this page to each of them.')),
  pinned_for: Type.Optional(
    Type.Enum(['page', 'site', 'all'], {
      description:
        'Of a page that is pinned: whether the rule is for the page asked about, for its site or for all pages.',
    }),
  ),
  unlike: Type.Optional(listOf(share(), 'The same for each counter-example.')),
  citations: Type.Optional(
    listOf(
      Type.String(),
      'Pages that link to both, or that both link to: for relations by links those with the fewest links first, for ' +
        'topic, where links are part of what pages are compared by, those of the greatest shares first; ' +
        'for scores, pages around the one asked about that link to this one, the best hub first. At most three.',
    ),
  ),
  citation_count: Type.Optional(count('How many of these there are.')),
});

export const RelatedPageSchema = exact('RelatedPage', {
  url: Type.String(),
  title: Type.String(),
  fetched: Type.Boolean({ description: 'False for a page that is known by links alone.' }),
  similarity,
  measure: Type.Enum(['exact', 'estimate', 'score'], {
    description:
      'Which kind of figure `similarity` is. score: no similarity, but what the list is ordered by as a share of its greatest; not to be compared with other lists.',
  }),
  containment: Type.Optional(ref(ResultContainmentSchema)),
  same_site: Type.Boolean(),
  pinned: Type.Optional(
    Type.Literal(true, { description: 'It stands here by a rule (PUT /rules), whatever its similarity.' }),
  ),
  fallback: Type.Optional(
    Type.Enum([...FALLBACKS], {
      description: 'It is not related: it fills the list, as `fallback` asked.',
    }),
  ),
  score: Type.Optional(
    Type.Number({
      minimum: 0,
      description:
        'With boost, what the first 32 pages are ordered by: similarity times freshness. Else with explain: what the list is ordered by, from the similarity, the Hellinger affinity, the cosine of vectors where lists go by them, and the votes of the neighbors of this page. A page that is clearly the nearest stands first whatever its score. Pages beyond the stored neighbors have none and follow by similarity.',
    }),
  ),
  why: Type.Optional(ref(WhySchema)),
  ...listCardFields,
});

export const EMPTY_REASONS = [
  'not_indexed',
  'gone',
  'too_little_text',
  'no_known_words',
  'no_links',
  'no_features',
  'no_vector',
  'below_threshold',
  'template',
  'excluded',
] as const;

export const FieldFacetSchema = exact('FieldFacet', {
  name: Type.String(),
  values: listOf(
    closed({
      value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
      pages: Type.Integer({ minimum: 1 }),
    }),
    'Those of most pages first, at most 100.',
  ),
  rest: count('Pages with values that are not listed, for each of these.'),
  without: count('Pages that do not have the field.'),
  counted: count('Pages that were looked at: the first 100 of a list, the best 1,000 that a search found.'),
});

const list = {
  by,
  generation,
  related: Type.Array(ref(RelatedPageSchema)),
  empty_reason: orNull(Type.Enum([...EMPTY_REASONS]), {
    description:
      'Why nothing is listed; null where something is. not_indexed: with missing=200, the page is not in the index; without it that is a problem. gone: a sweep found the page gone, so it has no text to compare; GET /moved says where that went. too_little_text: fewer than three different words, and nothing is like them; for copies, no word at all. no_known_words: each of its words is on no other page of the index, or on too many to tell pages apart. no_links: the page has no links of the kind that the relation goes by. no_features: its owner gave it no features. no_vector: its owner gave it no vector of the name. below_threshold: no page is similar enough. template: for copies, pages are similar enough by the template of their host alone, and left_out counts them. excluded: the parameters leave out all that are.',
  }),
  next,
  facets: Type.Optional(
    listOf(ref(FieldFacetSchema), 'In the order of names; left out where none was asked for.'),
  ),
  rules: Type.Optional(
    closedAs('With explain: the rules (PUT /rules) that hold for this list, where any do.', {
      pin: Type.Array(Type.String()),
      block: Type.Array(Type.String()),
    }),
  ),
  complete: Type.Optional(
    flag(
      'For copy: false where a bound on the search left something out. For own-features: false where the build did not compare all that share a feature. For both: false where a shard is lost.',
    ),
  ),
  left_out: Type.Optional(
    count(
      'For copy: texts that share wording and were not compared, as far as they are known, and, beyond the first 4,000 pages of one wording, those that have it or had it in an earlier sweep; where empty_reason is template, pages that share little else. POST /similar with exact compares all; GET /cluster lists all pages of a cluster.',
    ),
  ),
};

export const RelatedSchema = answer(
  'Related',
  { url: Type.String(), title: Type.String(), ...list },
  {
    examples: [
      {
        url: 'https://example.org/roses/',
        title: 'Growing roses',
        by: DEFAULT_RELATION.name,
        generation: '3f7a9c0de1b24586',
        related: [
          {
            url: 'https://example.net/pruning',
            title: 'How to prune a rose',
            fetched: true,
            similarity: 0.214286,
            measure: 'exact',
            same_site: false,
            why: { terms: [{ term: 'roses', part: 'content', share: 0.31 }], remainder: 0.69 },
          },
        ],
        empty_reason: null,
        next: null,
      },
    ],
  },
);

export const RelatedBatchSchema = answer('RelatedBatch', {
  results: Type.Array(
    Type.Union([ref(RelatedSchema), Type.Object({ url: Type.String(), error: ref(ProblemSchema) })]),
  ),
  groups: Type.Optional(
    orNull(
      listOf(
        ref(ResultGroupSchema),
        'With group: the pages with their copies folded; null where the index holds no copies.',
      ),
    ),
  ),
});

export const SimilarSchema = answer('Similar', {
  url: nullableText,
  title: Type.String(),
  ...list,
  terms: Type.Array(ref(TermSchema), { description: 'What the document was understood to be about.' }),
  cluster: orNull(ref(ClusterSummarySchema), {
    description: 'Where it would fall: the cluster of the nearest page, if that is near enough.',
  }),
});

const urls = Type.Optional(Type.Array(Type.String()));

export const RulesSchema = exact('Rules', {
  rules: listOf(
    closed({ url: Type.Optional(Type.String()), site: Type.Optional(Type.String()), pin: urls, block: urls }),
    'In their one form.',
  ),
  not_indexed: listOf(
    Type.String(),
    'URLs of these that no page of the index has now, or one that is gone: rules for them wait for it.',
  ),
});

export type RulesAnswer = Static<typeof RulesSchema>;
export type FieldFacetAnswer = Static<typeof FieldFacetSchema>;
export type NearAnswer = Static<typeof NearSchema>;
export type RelatedPageAnswer = Static<typeof RelatedPageSchema>;
export type WhyAnswer = Static<typeof WhySchema>;
export type NearByVectorsAnswer = Static<typeof NearByVectorsSchema>;
/** GET /related. */
export type RelatedAnswer = Static<typeof RelatedSchema>;
export type EmptyReason = NonNullable<RelatedAnswer['empty_reason']>;
/** POST /related/batch. */
export type RelatedBatchAnswer = Static<typeof RelatedBatchSchema>;
/** POST /similar. */
export type SimilarAnswer = Static<typeof SimilarSchema>;
