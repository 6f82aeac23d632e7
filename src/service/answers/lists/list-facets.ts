import type { OrLater } from '../../../lib/or-later.ts';
import { type FieldScalar, fieldValues } from '../../../page/fields/page-fields.ts';
import type { Reads } from '../../reads/reads.ts';
import type { FieldFacetAnswer, RelatedAnswer } from '../../schemas/answers/list-answers.ts';
import type { Narrowing } from '../../schemas/parameters/list-parameters.ts';
import type { FoundList } from './found-list.ts';
import { requireFields } from './selection/field-names.ts';
import { type ListPlace, rulesShown } from './selection/held-rules.ts';
import type { ListAsk } from './selection/list-ask.ts';

/** Pages of a list that are counted: as many as one answer can hold. */
const MAX_COUNTED = 100;
/** Values that are listed. */
const MAX_VALUES = 100;
const NOTHING_SHOWN = {
  limit: MAX_COUNTED,
  explain: false,
  cards: false,
  fields: [],
  fallback: 'none',
} as const;

type ListOf<Query extends Narrowing> = (ask: ListAsk<Query>) => OrLater<Pick<FoundList, 'pageIds'>>;

/** What is said beside the pages of a list where that is asked for: facets of fields, and with `explain` the rules that hold. */
export function besideList<Query extends Narrowing>(
  ask: ListAsk<Query>,
  subject: ListPlace,
  listOf: ListOf<Query>,
): OrLater<Pick<RelatedAnswer, 'facets' | 'rules'>> {
  const { facets, explain } = ask.narrowing;
  return facets.length === 0 && !explain ? {} : whatIsBeside(ask, subject, listOf);
}

async function whatIsBeside<Query extends Narrowing>(
  ask: ListAsk<Query>,
  subject: ListPlace,
  listOf: ListOf<Query>,
): Promise<Pick<RelatedAnswer, 'facets' | 'rules'>> {
  const { reads, narrowing } = ask;
  const facets = narrowing.facets.length === 0 ? {} : await listFacets(ask, listOf);
  return { ...facets, ...(narrowing.explain && (await rulesShown(reads, subject))) };
}

/**
 * Of the fields that are asked for, how many of the first 100 pages of a list have each value.
 *
 * Cost    that of a list of 100.
 * Errors  Problem `invalid-parameters` for a field that the index does not have.
 */
async function listFacets<Query extends Narrowing>(
  { reads, narrowing }: ListAsk<Query>,
  listOf: ListOf<Query>,
): Promise<{ facets: FieldFacetAnswer[] }> {
  requireFields(reads.facts, 'facets', narrowing.facets, narrowing.within);
  const { pageIds } = await listOf({ reads, narrowing: { ...narrowing, ...NOTHING_SHOWN }, offset: 0 });
  return { facets: await fieldFacets(reads, narrowing.facets, pageIds) };
}

/** How many of some pages have each value of each of some fields. A page counts once for each of its values. */
export async function fieldFacets(
  reads: Reads,
  names: readonly string[],
  pageIds: ArrayLike<number>,
): Promise<FieldFacetAnswer[]> {
  if (names.length === 0) return [];
  const read = await Promise.all(Array.from(pageIds, (pageId) => reads.pageFields(pageId)));
  const pages = read.filter((_, i) => !reads.isOutOfReach(pageIds[i]!));
  return names.map((name) => {
    const valuesOfPages = pages.map((fields) => new Set(fieldValues(fields, name)));
    const counts = new Map<FieldScalar, number>();
    for (const value of valuesOfPages.flatMap((values) => [...values])) {
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const values = Array.from(counts, ([value, count]) => ({ value, pages: count }));
    values.sort((a, b) => b.pages - a.pages || (String(a.value) < String(b.value) ? -1 : 1));
    return {
      name,
      values: values.slice(0, MAX_VALUES),
      rest: values.slice(MAX_VALUES).reduce((sum, { pages }) => sum + pages, 0),
      without: valuesOfPages.filter(({ size }) => size === 0).length,
      counted: pages.length,
    };
  });
}
