import type { Static } from 'typebox';
import { Type } from '../../../lib/json-schema.ts';
import { COPY } from '../../../relations/copy.ts';
import {
  answer,
  closed,
  closedAs,
  exact,
  flag,
  generation,
  listOf,
  measure,
  nullableText,
  orNull,
  ref,
  share,
} from '../fields.ts';
import { SharedTermSchema } from './term-answers.ts';

/** For lists of copies. */
export const ResultContainmentSchema = exact(
  'ResultContainment',
  {
    asked_in_result: share('Share of the page or document asked about that is in the result.'),
    result_in_asked: share('Share of the result that is in the page or document asked about.'),
  },
  { description: 'For copy.' },
);

export const EstimateSchema = exact('Estimate', {
  value: share(),
  standard_error: Type.Number({ minimum: 0, description: '0 where the value is exact.' }),
});

export const ComparedTextSchema = exact('ComparedText', {
  url: nullableText,
  title: Type.String(),
  indexed: Type.Boolean({ description: 'Whether the text is the one that the index holds.' }),
  token_count: Type.Integer(),
  shingle_count: Type.Integer({ description: 'Distinct shingles.' }),
  text: Type.Optional(
    orNull(Type.String({ description: 'With include_text; null where the index does not keep it.' })),
  ),
});

const likeness = (similarity: string, terms: string) =>
  closed({
    similarity: share(similarity),
    measure: Type.Enum(['exact', 'estimate'], {
      description: 'estimate: a lost shard may have a page that a document links to, or is.',
    }),
    terms: Type.Array(ref(SharedTermSchema), { description: terms }),
  });

const span = closedAs('UTF-16 units of the text, end exclusive.', {
  start: Type.Integer(),
  end: Type.Integer(),
});

export const SharedPassageSchema = exact('SharedPassage', { a: span, b: span, token_count: Type.Integer() });

export const ComparisonSchema = answer(
  'Comparison',
  {
    a: ref(ComparedTextSchema),
    b: ref(ComparedTextSchema),
    generation: orNull(generation),
    equality: Type.Enum(['identical', 'lexically_equal', 'shingle_equal', 'different'], {
      description:
        'identical: title and text are the same. lexically_equal: the same words in the same order. shingle_equal: the same shingles. Where the index keeps no texts, identical ones are called lexically_equal.',
    }),
    topic: orNull(
      likeness(
        'Weighted Jaccard of the two bags.',
        'Words that both have, those of the greatest shares of the overlap, at most ten.',
      ),
    ),
    features: orNull(
      likeness(
        'Weighted Jaccard of the features that owners gave both; features is null where one has none.',
        'Features that both have, those of the greatest shares of the overlap, at most ten.',
      ),
    ),
    meaning: orNull(
      listOf(
        closed({
          vector: Type.String({ description: 'The name of the vectors.' }),
          similarity: share(),
          measure: Type.Literal('estimate'),
        }),
        'Cosine of the vectors that owners gave both, of one name and length, 0 where it is negative; null where there are none. Components are rounded: GET /index says how much that may be.',
      ),
    ),
    measure,
    resemblance: ref(EstimateSchema),
    containment: closedAs('Share of the shingles of the one that are in the other.', {
      a_in_b: ref(EstimateSchema),
      b_in_a: ref(EstimateSchema),
    }),
    edit_distance: orNull(
      closedAs(
        'Least number of words to insert, delete or replace that make one text of the other; null without the texts.',
        {
          value: Type.Integer(),
          exact: Type.Boolean({ description: 'false: the search was cut; the distance is value or more.' }),
        },
      ),
    ),
    segments: orNull(
      closedAs(
        'Texts cut at their natural breaks: sentences and lines, each with its words in their order. Null without the texts.',
        {
          a: Type.Integer({ description: 'Different ones of a.' }),
          b: Type.Integer({ description: 'Different ones of b.' }),
          shared: Type.Integer({ description: 'Those that both have, word for word.' }),
        },
      ),
    ),
    passages: orNull(
      listOf(
        ref(SharedPassageSchema),
        'Longest runs of the same words, in the order of a; the 1,000 longest.',
      ),
    ),
    passage_count: orNull(Type.Integer({ description: 'All there are.' })),
    passages_missing: orNull(
      Type.Enum(['text_not_kept', 'text_too_long'], { description: 'Why there are no passages.' }),
    ),
  },
  {
    examples: [
      {
        a: {
          url: 'https://example.org/a',
          title: 'Roses',
          indexed: true,
          token_count: 31,
          shingle_count: 22,
        },
        b: { url: null, title: '', indexed: false, token_count: 19, shingle_count: 10 },
        generation: '3f7a9c0de1b24586',
        equality: 'different',
        topic: {
          similarity: 0.512,
          measure: 'exact',
          terms: [{ term: 'roses', part: 'content', share: 0.4 }],
        },
        features: null,
        meaning: null,
        measure: 'exact',
        resemblance: { value: 0.28, standard_error: 0 },
        containment: {
          a_in_b: { value: 0.318182, standard_error: 0 },
          b_in_a: { value: 0.7, standard_error: 0 },
        },
        edit_distance: { value: 15, exact: true },
        segments: { a: 3, b: 2, shared: 1 },
        passages: [{ a: { start: 12, end: 97 }, b: { start: 0, end: 85 }, token_count: 16 }],
        passage_count: 1,
        passages_missing: null,
      },
    ],
  },
);

export const rankedFields = {
  rank: Type.Integer({ description: 'Position in the list that was sent, from 0.' }),
  url: Type.String(),
  title: nullableText,
};

export const ResultGroupSchema = exact('ResultGroup', {
  representative: closed(rankedFields),
  members: listOf(
    closed({
      ...rankedFields,
      resemblance: orNull(share('To the representative; null where a text is not at hand.')),
      measure: orNull(measure),
    }),
    'The representative first, in the order of the list.',
  ),
  best: Type.Optional(
    closedAs(
      'With near or near_lang: the member that is best there, of those that the index has; else the representative.',
      rankedFields,
    ),
  ),
  hidden_count: Type.Integer({ description: 'Members besides the representative.' }),
  unknown: Type.Boolean({ description: 'The index has no text of it, and none was sent: a group of one.' }),
});

export const GroupsSchema = answer(
  'Groups',
  {
    by: Type.Literal(COPY.name),
    generation,
    threshold: share(),
    hidden_count: Type.Integer({ description: 'Of all groups.' }),
    groups: Type.Array(ref(ResultGroupSchema), { description: 'In the order of their representatives.' }),
  },
  {
    examples: [
      {
        by: COPY.name,
        generation: '3f7a9c0de1b24586',
        threshold: 0.5,
        hidden_count: 1,
        groups: [
          {
            representative: { rank: 0, url: 'https://example.org/a', title: 'Roses' },
            members: [
              { rank: 0, url: 'https://example.org/a', title: 'Roses', resemblance: 1, measure: 'exact' },
              {
                rank: 2,
                url: 'https://example.net/mirror/a',
                title: 'Roses',
                resemblance: 0.97,
                measure: 'exact',
              },
            ],
            hidden_count: 1,
            unknown: false,
          },
          {
            representative: { rank: 1, url: 'https://example.com/b', title: null },
            members: [{ rank: 1, url: 'https://example.com/b', title: null, resemblance: 1, measure: null }],
            hidden_count: 0,
            unknown: true,
          },
        ],
      },
    ],
  },
);

export const CoverPageSchema = exact('CoverPage', {
  url: Type.String(),
  title: Type.String(),
  share: share('Share of the text that it adds to what the pages before it hold.'),
  holds: share('Share of the text that it holds by itself.'),
});

export const CoverSchema = answer(
  'Cover',
  {
    generation,
    shingle_count: Type.Integer({ description: 'Different shingles of the text.' }),
    pages: listOf(
      ref(CoverPageSchema),
      'In the order in which they are taken: each adds most to those before it, ties by URL.',
    ),
    remainder: share('Share of the text that none of these pages holds; 1 for a text without words.'),
    measure,
    complete: flag('False where a bound on the search, or a lost shard, left something out.'),
  },
  {
    examples: [
      {
        generation: '3f7a9c0de1b24586',
        shingle_count: 410,
        pages: [{ url: 'https://example.org/guide/', title: 'Guide', share: 0.62, holds: 0.62 }],
        remainder: 0.38,
        measure: 'exact',
        complete: true,
      },
    ],
  },
);

export type CoverAnswer = Static<typeof CoverSchema>;
export type ContainmentAnswer = Static<typeof ResultContainmentSchema>;
export type EstimateAnswer = Static<typeof EstimateSchema>;
export type ComparedTextAnswer = Static<typeof ComparedTextSchema>;
export type SharedPassageAnswer = Static<typeof SharedPassageSchema>;
/** POST /compare. */
export type CompareAnswer = Static<typeof ComparisonSchema>;
/** POST /group. */
export type GroupAnswer = Static<typeof GroupsSchema>;
