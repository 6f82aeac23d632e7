import type { Static } from 'typebox';
import { Type } from '../../../lib/json-schema.ts';
import { answer, count, exact, generation, listOf, next, nullableText, ref } from '../fields.ts';
import { listCardFields } from './card-fields.ts';

export const SiteSchema = exact('Site', {
  site: Type.String({ description: 'Registrable domain.' }),
  pages: Type.Integer({
    minimum: 1,
    description: 'Pages that are known of it, also by links alone; without those that are gone.',
  }),
  fetched_pages: count('Of them, those that were read.'),
});

export const SitesSchema = answer(
  'Sites',
  {
    generation,
    total: count('Sites with `name` in their names.'),
    sites: Type.Array(ref(SiteSchema), { description: 'Those of most pages read first.' }),
    next,
  },
  {
    examples: [
      {
        generation: '3f7a9c0de1b24586',
        total: 1,
        sites: [{ site: 'example.org', pages: 120, fetched_pages: 96 }],
        next: null,
      },
    ],
  },
);

export const SitePageSchema = exact('SitePage', {
  url: Type.String(),
  title: Type.String(),
  lang: nullableText,
  fetched: Type.Boolean({ description: 'False for a page that is known by links alone.' }),
  ...listCardFields,
});

export const SitePagesSchema = answer(
  'SitePages',
  {
    site: Type.String(),
    generation,
    pages: listOf(
      ref(SitePageSchema),
      'In the order of their URLs, those that wait and were not there before come last; none where no page of the index is of this site.',
    ),
    next,
  },
  {
    examples: [
      {
        site: 'example.org',
        generation: '3f7a9c0de1b24586',
        pages: [{ url: 'https://example.org/', title: 'Growing roses', lang: 'en', fetched: true }],
        next: null,
      },
    ],
  },
);

/** GET /sites. */
export type SitesAnswer = Static<typeof SitesSchema>;
/** GET /pages. */
export type SitePagesAnswer = Static<typeof SitePagesSchema>;
