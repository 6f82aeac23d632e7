import { type Static, Type } from 'typebox';
import { cardFields } from './card-fields.ts';
import { exact, generation, next, nullableText, ref } from './fields.ts';

export const SnippetSchema = exact('Snippet', {
  text: Type.String({ description: 'A passage of the page, plain text; empty where no text is at hand.' }),
  marks: Type.Array(Type.Array(Type.Integer({ minimum: 0 }), { minItems: 2, maxItems: 2 }), {
    description: 'Where the words stand in it: UTF-16 offsets, start inclusive, end exclusive, ascending.',
  }),
});

export const SearchResultSchema = exact('SearchResult', {
  url: Type.String(),
  title: Type.String(),
  site: Type.String({ description: 'Registrable domain.' }),
  lang: nullableText,
  fetched: Type.Boolean({ description: 'False for a page that is known by links alone.' }),
  snippet: ref(SnippetSchema),
  copies: Type.Integer({
    minimum: 0,
    description:
      'Near copies further down that are not listed, as far as they are among the 200 best or before the end of this page.',
  }),
  ...cardFields,
});

export const SearchSchema = exact(
  'Search',
  {
    query: Type.String(),
    generation,
    total: Type.Integer({ minimum: 0, description: 'Pages that match, copies included.' }),
    complete: Type.Boolean({
      description:
        'False where the words are so common that not every page that has them was weighed: `total` is then the ' +
        'least there are, and pages with the words in their titles come first.',
    }),
    results: Type.Array(ref(SearchResultSchema), {
      description:
        'Best first; the best 1,000 can be had, copies that are folded not counted, of the best 4,000 pages.',
    }),
    next,
  },
  {
    examples: [
      {
        query: 'prune roses',
        generation: '3f7a9c0de1b24586',
        total: 1,
        complete: true,
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

export type SearchResultAnswer = Static<typeof SearchResultSchema>;
/** GET /search. */
export type SearchAnswer = Static<typeof SearchSchema>;
