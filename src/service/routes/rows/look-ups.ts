/** Questions about pages of the index. */

import { andThen, type OrLater } from '../../../lib/or-later.ts';
import { isOfCopies } from '../../../relations/relations.ts';
import { missingAnswer, relatedAnswer } from '../../answers/lists/related.ts';
import { relatedHtml } from '../../answers/lists/related-html.ts';
import { type Worded, worded } from '../../answers/pages/fragment-words.ts';
import { indexAnswer } from '../../answers/pages/index-card.ts';
import { isKnown, locateStored, locateWithin } from '../../answers/pages/locate.ts';
import { pageAnswer } from '../../answers/pages/page.ts';
import { readSearch, requireSearch, searchAnswer } from '../../answers/search/search.ts';
import { suggestAnswer } from '../../answers/search/suggest.ts';
import { replayedPage } from '../../answers/time/replayed.ts';
import type { Reads } from '../../reads/reads.ts';
import { IndexSchema, PageSchema } from '../../schemas/answers/index-answers.ts';
import { type RelatedAnswer, RelatedBatchSchema, RelatedSchema } from '../../schemas/answers/list-answers.ts';
import { SearchSchema, SuggestSchema } from '../../schemas/answers/search-answers.ts';
import { BatchBody } from '../../schemas/parameters/bodies.ts';
import {
  type Narrowing,
  RELATED,
  RELATED_HTML,
  type RelatedQuery,
} from '../../schemas/parameters/list-parameters.ts';
import { PAGE, SEARCH, SUGGEST } from '../../schemas/parameters/parameters.ts';
import { route } from '../route/route.ts';
import { relatedBatch } from './related-batch.ts';

/** The list of a page; of a URL that is not in the index as `missing` says. */
function relatedOrMissing(
  reads: Reads,
  query: Narrowing & Pick<RelatedQuery, 'url' | 'missing'>,
  offset: number,
  hash: string,
): OrLater<RelatedAnswer> {
  const { url, missing, within } = query;
  return andThen(missing === '200' ? isKnown(reads, url, within) : true, (known) => {
    if (!known) return missingAnswer({ reads, narrowing: query, offset }, url, hash);
    return andThen(locateWithin(reads, url, within), (pageId) =>
      relatedAnswer({ reads, narrowing: query, offset }, pageId, hash),
    );
  });
}

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
    answer: (reads, { query, offset, hash }) => relatedOrMissing(reads, query, offset, hash),
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
    answer: (reads, { query, hash }) => {
      const copies = query.exclude_copies ?? !isOfCopies(query.by);
      const plain = { explain: false, fields: [], facets: [], exclude_copies: copies };
      return worded(reads, relatedOrMissing(reads, { ...query, ...plain }, 0, hash));
    },
    shown: ({ words, ...answer }: Worded<RelatedAnswer>, { cards, heading }) =>
      relatedHtml(answer, cards, heading ?? words.related),
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
