/** The filters of a list, applied to pages: in place, and in a shard that searches for pages by itself. */
import type { FilterPages, ListFilter } from '../schemas/list-filter.ts';
import { LIST_FILTERS } from '../schemas/list-filters.ts';
import type { StoredFilter } from '../shards/shard-reads.ts';
import type { Accept } from './catalog.ts';
import type { Generation } from './generation.ts';

const ROWS: Readonly<Record<string, ListFilter>> = LIST_FILTERS;

/**
 * Whether a page is what `filter` asks for; `idHere` gives the id among the pages of `generation` of a page of the index.
 *
 * Errors  Error for a filter that is not known.
 */
export function acceptBy(
  filter: StoredFilter,
  { catalog, reader }: Generation,
  idHere: FilterPages['idHere'] = (wholeId) => wholeId,
): Accept {
  const pages: FilterPages = {
    lang: (pageId) => catalog.lang(pageId),
    fetched: (pageId) => catalog.fetched(pageId),
    site: (pageId) => catalog.site(pageId),
    findSite: (name) => reader.findSite(name),
    card: (pageId) => reader.pageCards.get(pageId),
    idHere,
  };
  const tests = Object.entries(filter).map(([name, wanted]) => {
    const judge = Object.hasOwn(ROWS, name) ? ROWS[name]!.judge : null;
    if (judge === null) throw new Error(`there is no filter ${name}`);
    return judge.accept(wanted as never, pages);
  });
  return Object.assign((pageId: number) => tests.every((accepts) => accepts(pageId)), { filter });
}
