/** The filters of a list, applied to pages: in place, and in a shard that searches for pages by itself. */
import type { FilterPages, ListFilter } from '../schemas/parameters/list-filter.ts';
import { LIST_FILTERS } from '../schemas/parameters/list-filters.ts';

/** What is asked of the pages of a list, one by one: by the names of filters. */
export type StoredFilter = Readonly<Record<string, unknown>>;

/** Whether a page may be in a list. */
export type Accept = (pageId: number) => boolean;

const ROWS: Readonly<Record<string, ListFilter>> = LIST_FILTERS;

/** Whether a page is what `filter` asks for. Errors  Error for a filter that is not known. */
export function acceptBy(filter: StoredFilter, pages: FilterPages): Accept {
  const tests = Object.entries(filter).map(([name, wanted]) => judgeOf(name).accept(wanted as never, pages));
  return (pageId) => tests.every((accepts) => accepts(pageId));
}

/** Whether a filter asks what pages say of themselves, or for the fields of their owners. */
export function readsWhat(filter: StoredFilter, what: 'cards' | 'fields'): boolean {
  return Object.keys(filter).some((name) => judgeOf(name).reads === what);
}

function judgeOf(name: string): NonNullable<ListFilter['judge']> {
  const judge = Object.hasOwn(ROWS, name) ? ROWS[name]!.judge : null;
  if (judge === null) throw new Error(`there is no filter ${name}`);
  return judge;
}
