import type { Static } from 'typebox';
import { Type } from '../../../lib/json-schema.ts';
import { FACETS } from '../../../store/read/search/search-reader.ts';
import {
  answer,
  closed,
  count,
  EXAMPLE_BEGUN,
  EXAMPLE_WORDS,
  exact,
  generation,
  listOf,
  next,
  nullableText,
  orNull,
  ref,
} from '../fields.ts';
import { cardFields } from './card-fields.ts';
import { FieldFacetSchema } from './list-answers.ts';

export const SnippetSchema = exact('Snippet', {
  text: Type.String({ description: 'A passage of the page, plain text; empty where no text is at hand.' }),
  marks: listOf(
    Type.Array(count(), { minItems: 2, maxItems: 2 }),
    'Where the words stand in it: UTF-16 offsets, start inclusive, end exclusive, ascending.',
  ),
});

export const SearchResultSchema = exact('SearchResult', {
  url: Type.String(),
  title: Type.String(),
  site: Type.String({ description: 'Registrable domain.' }),
  lang: nullableText,
  fetched: Type.Boolean({ description: 'False for a page that is known by links alone.' }),
  snippet: ref(SnippetSchema),
  copies: count(
    'Near copies further down that are not listed, as far as they are among the 200 best or before the end of this page.',
  ),
  ...cardFields,
});

/** How the pages found divide. */
export const FacetSchema = exact('Facet', {
  name: Type.Enum([...FACETS]),
  values: listOf(
    closed({
      value: orNull(Type.String(), {
        description: 'A site, or a language; null for pages that name none.',
      }),
      pages: Type.Integer({ minimum: 1 }),
    }),
    'Those of most pages first, at most 100.',
  ),
  rest: count('Pages with values that are not listed.'),
});

export const SearchSchema = answer(
  'Search',
  {
    query: Type.String(),
    generation,
    total: count('Pages that match, copies included.'),
    corrected: listOf(
      closed({
        word: Type.String({ description: 'As it was typed.' }),
        instead: Type.String({ description: 'The word that was looked for.' }),
      }),
      'Words that are on no page or hardly any, and what was looked for instead; a word that is on a page was looked ' +
        'for, too.',
    ),
    left_out: Type.Optional(
      listOf(
        Type.String(),
        'Words, phrases and hosts of the query that do not count, as they stand behind the 16 that do; only where there are some.',
      ),
    ),
    facets: Type.Optional(
      listOf(
        Type.Union([ref(FacetSchema), ref(FieldFacetSchema)]),
        'In the order asked for; left out where none was.',
      ),
    ),
    results: listOf(
      ref(SearchResultSchema),
      'Best first; the best 1,000 can be had, copies that are folded not counted, of the best 4,000 pages.',
    ),
    next,
  },
  {
    examples: [
      {
        query: 'prune roses',
        generation: '3f7a9c0de1b24586',
        total: 1,
        corrected: [],
        results: [
          {
            url: 'https://example.org/roses/',
            title: 'Growing roses',
            site: 'example.org',
            lang: 'en',
            fetched: true,
            snippet: {
              text: 'When to prune roses, and how.',
              marks: [
                [8, 13],
                [14, 19],
              ],
            },
            copies: 0,
            description: 'A guide for beginners.',
            published_at: '2026-01-02',
          },
        ],
        next: null,
      },
    ],
  },
);

export const SuggestSchema = answer(
  'Suggestions',
  {
    query: Type.String(),
    generation,
    suggestions: listOf(
      closed({
        text: Type.String({ description: 'The query with its last word made whole.' }),
        pages: Type.Integer({ minimum: 1, description: 'Pages that have all its words.' }),
      }),
      'Those of most pages first; empty where no word is begun, or none goes on so.',
    ),
  },
  {
    examples: [
      {
        query: EXAMPLE_BEGUN,
        generation: '3f7a9c0de1b24586',
        suggestions: [{ text: EXAMPLE_WORDS, pages: 1 }],
      },
    ],
  },
);

export type SearchResultAnswer = Static<typeof SearchResultSchema>;
/** GET /search. */
export type SearchAnswer = Static<typeof SearchSchema>;
export type FacetAnswer = Static<typeof FacetSchema>;
/** GET /search/suggest. */
export type SuggestAnswer = Static<typeof SuggestSchema>;
