/** Adds a filter to those of lists; to be imported before anything that lists pages. */
import { Type } from 'typebox';
import { optional } from '../../src/service/schemas/parameter.ts';
import { type FilterPages, judge } from '../../src/service/schemas/parameters/list-filter.ts';
import { LIST_FILTERS } from '../../src/service/schemas/parameters/list-filters.ts';

/** Whose pages the filter has judged. */
export const judged = new Set<FilterPages>();

const notSite = optional(Type.String({ maxLength: 100, description: 'Leaves out the pages of this site.' }), {
  ...judge(
    (name: string) => ({ name }),
    ({ name }, pages) => {
      judged.add(pages);
      const site = pages.findSite(name);
      return (pageId) => pages.site(pageId) !== site;
    },
  ),
  normal: (name: string) => (name.includes('.') ? name.toLowerCase() : null),
  must: ['must be a site', 'such as example.org'],
  flag: ['<SITE>', 'leave out the pages of this site'],
});

Object.assign(LIST_FILTERS, { not_site: notSite });
