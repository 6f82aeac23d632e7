import type { StoredPage } from '../../../store/records.ts';
import type { FilterPages } from '../../schemas/parameters/list-filter.ts';
import { ROW_US, type Work } from '../work.ts';
import type { OpenFile } from './open-file.ts';
import type { PageIds } from './page-ids.ts';

/** The pages of a file, by their places in it, as filters ask for them. */
export function filterPages(
  { reader, snapshot }: OpenFile,
  work: Work,
  page: (place: number) => StoredPage,
  ids: PageIds,
): FilterPages {
  const traits = (place: number) => snapshot?.traits(place) ?? page(place);
  return {
    url: (place) => page(place).url,
    lang: (place) => traits(place).lang,
    fetched: (place) => traits(place).fetched,
    site: (place) => traits(place).siteId,
    findSite: (name) => reader.sites().find(name),
    card: (place) => {
      work.spend(ROW_US);
      return reader.pageCards.get(place);
    },
    hasField: (name, tests) => reader.fields.test(name, tests, work),
    idHere: (wholeId) => ids.place(wholeId),
  };
}
