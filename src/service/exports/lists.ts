/** Related pages of every page. */
import { isOfCopies, relationOf } from '../../relations/relations.ts';
import { pageList } from '../answers/lists/related.ts';
import { subjectPage } from '../answers/lists/selection/page-filter.ts';
import { listCardFields } from '../schemas/answers/card-fields.ts';
import { RelatedRowSchema } from '../schemas/answers/row-answers.ts';
import { LIST_FILTERS } from '../schemas/parameters/list-filters.ts';
import { exportKind, FETCHED } from './export-row.ts';

const { facets: _facets, ...listed } = LIST_FILTERS;
const { fields: _fields, ...card } = listCardFields;
const CARD = Object.keys(card);

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
  row: RelatedRowSchema,
  hasColumn: (name, { by, boost, cards, explain, fallback, fields }, { rules }) => {
    const hasContainment = relationOf(by).neighbors === 'shared shingles';
    const isAsked: Readonly<Record<string, boolean>> = {
      asked_in_result: hasContainment,
      result_in_asked: hasContainment,
      complete: isOfCopies(by),
      fallback: fallback !== 'none',
      pinned: rules.rules.some(({ pin }) => pin !== undefined),
      score: explain || boost !== undefined,
      why: explain,
      fields: cards || fields.length > 0,
      ...Object.fromEntries(CARD.map((one) => [one, cards])),
    };
    return isAsked[name] ?? true;
  },
  requires: (facts, { by }) => facts.require(by),
  // A page outside is none that may be asked about.
  pages: ({ fetched, within }) => ({ fetched, ...(within !== undefined && { within }) }),
  rowsOf: async (reads, page, query) => {
    const { items, tail } = await pageList(
      { reads, narrowing: { ...query, facets: [] }, offset: 0 },
      await subjectPage(reads, page.id),
    );
    return items.map(({ url, title, containment, ...rest }, i) => {
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
