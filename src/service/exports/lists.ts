/** Related pages of every page. */
import { isOfCopies, relationOf } from '../../relations/relations.ts';
import { pageList } from '../answers/lists/related.ts';
import { subjectPage } from '../answers/lists/selection/page-filter.ts';
import { LIST_FILTERS } from '../schemas/parameters/list-filters.ts';
import { exportKind, FETCHED } from './export-row.ts';
import type { Row } from './row-format.ts';

const { facets: _facets, ...listed } = LIST_FILTERS;

/** The answers of GET /related, a row a related page; `rank` is its place, from 1. */
export const RELATED_EXPORT = exportKind({
  describes: 'a related page of a page, as GET /related lists them',
  query: {
    ...listed,
    fetched: FETCHED,
    cards: {
      ...LIST_FILTERS.cards,
      flag: ['', 'add image, description or passage, and dates of each'] as const,
    },
  },
  columns: ({ by, boost, cards, explain, fallback, fields }, { rules }) => [
    ...['url', 'rank', 'related_url', 'related_title', 'fetched', 'similarity', 'measure', 'same_site'],
    ...(relationOf(by).neighbors === 'shared shingles' ? ['asked_in_result', 'result_in_asked'] : []),
    ...(isOfCopies(by) ? ['complete'] : []),
    ...(fallback === 'none' ? [] : ['fallback']),
    ...(rules.rules.some(({ pin }) => pin !== undefined) ? ['pinned'] : []),
    ...(explain || boost !== undefined ? ['score'] : []),
    ...(explain ? ['why'] : []),
    ...(cards ? ['image', 'description', 'published_at', 'modified_at'] : []),
    ...(cards || fields.length > 0 ? ['fields'] : []),
    ...(cards ? ['passage'] : []),
  ],
  requires: (facts, { by }) => facts.require(by),
  // A page outside is none that may be asked about.
  pages: ({ fetched, within }) => ({ fetched, ...(within !== undefined && { within }) }),
  rowsOf: async (reads, page, query) => {
    const { items, tail } = await pageList(
      { reads, narrowing: { ...query, facets: [] }, offset: 0 },
      await subjectPage(reads, page.id),
    );
    return items.map(({ url, title, containment, ...rest }, i): Row => {
      return {
        url: page.url,
        rank: i + 1,
        related_url: url,
        related_title: title,
        ...rest,
        ...containment,
        ...(tail?.complete !== undefined && { complete: tail.complete }),
      };
    });
  },
});
