/** Questions about whole sites. */
import { sitePagesAnswer, sitesAnswer } from '../../answers/sites/sites.ts';
import { SitePagesSchema, SitesSchema } from '../../schemas/answers/site-answers.ts';
import { SITE_PAGES, SITES } from '../../schemas/parameters/parameters.ts';
import { route } from '../route/route.ts';

export const SITE_ROUTES = {
  sites: route({
    method: 'GET',
    path: '/sites',
    summary: 'The sites of the index, with their numbers of pages',
    tag: 'look-ups',
    query: SITES,
    answers: SitesSchema,
    says: 'Those of most pages first.',
    problems: [410],
    isLong: () => true,
    answer: sitesAnswer,
  }),
  sitePages: route({
    method: 'GET',
    path: '/pages',
    summary: 'The pages of a site',
    tag: 'look-ups',
    query: SITE_PAGES,
    answers: SitePagesSchema,
    says: 'In the order of their URLs, those that wait and were not there before come last; `next` leads on also where an answer has none.',
    problems: [410],
    isLong: () => true,
    answer: sitePagesAnswer,
  }),
};
