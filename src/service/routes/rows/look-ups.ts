/** Questions about pages of the index. */

import { isOfCopies } from '../../../relations/relations.ts';
import { missingAnswer, relatedAnswer } from '../../answers/lists/related.ts';
import { relatedHtml } from '../../answers/lists/related-html.ts';
import { indexAnswer } from '../../answers/pages/index-card.ts';
import { isKnown, locateStored, locateWithin } from '../../answers/pages/locate.ts';
import { pageAnswer } from '../../answers/pages/page.ts';
import { readSearch, requireSearch, searchAnswer } from '../../answers/search/search.ts';
import { suggestAnswer } from '../../answers/search/suggest.ts';
import { replayedPage } from '../../answers/time/replayed.ts';
import { IndexSchema, PageSchema } from '../../schemas/answers/index-answers.ts';
import { type RelatedAnswer, RelatedBatchSchema, RelatedSchema } from '../../schemas/answers/list-answers.ts';
import { SearchSchema, SuggestSchema } from '../../schemas/answers/search-answers.ts';
import { BatchBody } from '../../schemas/parameters/bodies.ts';
import { RELATED, RELATED_HTML } from '../../schemas/parameters/list-parameters.ts';
import { PAGE, SEARCH, SUGGEST } from '../../schemas/parameters/parameters.ts';
import { route } from '../route/route.ts';
import { relatedBatch } from './related-batch.ts';

export const LOOK_UPS = {
  related: route({
    method: 'GET',
    path: '/related',
    scope: 'read',
    ofOneSite: 'list',
    summary: 'Pages related to a page',
    tag: 'look-ups',
    query: RELATED,
    answers: RelatedSchema,
    says: 'The list, nearest first; an empty one with its reason is an answer too.',
    problems: [404, 410],
    answer: async (reads, { query, offset, hash }) => {
      const { url, missing, within } = query;
      if (missing === '200' && !(await isKnown(reads, url, within))) {
        return missingAnswer(reads, url, query, hash);
      }
      return relatedAnswer(reads, await locateWithin(reads, url, within), query, offset, hash);
    },
  }),
  relatedHtml: route({
    method: 'GET',
    path: '/related.html',
    scope: 'read',
    ofOneSite: 'list',
    summary: 'The same as an HTML fragment, for pages without script',
    tag: 'look-ups',
    query: RELATED_HTML,
    answers: 'text/html',
    says: 'A section to stand in a page; empty, with data-reason, where nothing is related or the page is not in the index.',
    problems: [404],
    // Other sites may show the fragment in a frame; it holds nothing to click into doing something.
    headers: ({ cards }) => ({
      'x-frame-options': null,
      'content-security-policy': `default-src 'none'; ${cards ? 'img-src https: http:; ' : ''}frame-ancestors *`,
    }),
    answer: async (reads, { query, hash }) => {
      const { url, by, missing, within } = query;
      const copies = query.exclude_copies ?? !isOfCopies(by);
      const narrowing = { ...query, explain: false, fields: [], facets: [], exclude_copies: copies };
      if (missing === '200' && !(await isKnown(reads, url, within))) {
        return missingAnswer(reads, url, narrowing, hash);
      }
      return relatedAnswer(reads, await locateWithin(reads, url, within), narrowing, 0, hash);
    },
    shown: (answer: RelatedAnswer, { cards, heading }) => relatedHtml(answer, cards, heading),
  }),
  relatedBatch: route({
    method: 'POST',
    path: '/related/batch',
    scope: 'read',
    ofOneSite: 'lists',
    summary: 'Pages related to each of up to 100 pages',
    tag: 'look-ups',
    query: {},
    body: { 'application/json': BatchBody },
    bodyLimit: 512 * 1024,
    answers: RelatedBatchSchema,
    says: 'In the order of the URLs, each an answer of GET /related or its problem.',
    problems: [413, 415],
    act: relatedBatch,
  }),
  page: route({
    method: 'GET',
    path: '/page',
    summary: 'What is stored about a page',
    tag: 'look-ups',
    query: PAGE,
    answers: PageSchema,
    says: 'Title, language, sweeps, top terms, link counts and aliases.',
    problems: [404],
    answer: async (reads, { query }) => pageAnswer(reads, await locateStored(reads, query.url)),
    replayed: replayedPage,
  }),
  search: route({
    method: 'GET',
    path: '/search',
    scope: 'read',
    ofOneSite: 'list',
    summary: 'Pages by the words of their titles and texts',
    tag: 'look-ups',
    query: SEARCH,
    answers: SearchSchema,
    says: 'Best first, with a passage of each; near copies folded.',
    problems: [404, 410],
    requires: (facts, query) => {
      readSearch(query);
      requireSearch(facts);
    },
    // A word of every other page is looked up in each of them.
    isLong: () => true,
    answer: searchAnswer,
  }),
  suggest: route({
    method: 'GET',
    path: '/search/suggest',
    summary: 'How a query may go on while it is typed',
    tag: 'look-ups',
    query: SUGGEST,
    answers: SuggestSchema,
    says: 'The query with its last word made whole, by the number of pages that have all its words.',
    problems: [404],
    requires: requireSearch,
    isLong: () => true,
    answer: (reads, { query }) => suggestAnswer(reads, query),
  }),
  index: route({
    method: 'GET',
    path: '/index',
    summary: 'The index card',
    tag: 'operation',
    query: {},
    answers: IndexSchema,
    says: 'Counts, sweeps, parameters, stage times.',
    problems: [],
    stamp: ({ card }) => String(card.builtAtMs),
    answer: indexAnswer,
  }),
};
