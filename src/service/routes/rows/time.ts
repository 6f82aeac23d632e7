/** Questions about pages over the sweeps. */

import { COPY } from '../../../relations/copy.ts';
import { type Worded, worded } from '../../answers/pages/fragment-words.ts';
import { locateStored } from '../../answers/pages/locate.ts';
import { changedPages } from '../../answers/time/changed-pages.ts';
import { historyAnswer } from '../../answers/time/history.ts';
import { lostAnswer } from '../../answers/time/lost.ts';
import { movedAnswer, unknownAnswer } from '../../answers/time/moved.ts';
import { movedHtml } from '../../answers/time/moved-html.ts';
import { replayedHistory, replayedLost, replayedMoved } from '../../answers/time/replayed.ts';
import type { ListQuestion } from '../../http/question/request-key.ts';
import type { IndexFacts } from '../../reads/facts.ts';
import type { Reads } from '../../reads/reads.ts';
import {
  ChangesSchema,
  HistorySchema,
  LostSchema,
  type MovedAnswer,
  MovedSchema,
} from '../../schemas/answers/time-answers.ts';
import {
  CHANGES,
  HISTORY,
  LOST,
  MOVED_HTML,
  MOVED_MISSING,
  type MovedQuery,
} from '../../schemas/parameters/parameters.ts';
import { route } from '../route/route.ts';

/** Other sites may show a fragment in a frame; it holds nothing to click into doing something. */
const FRAGMENT_HEADERS = {
  'x-frame-options': null,
  'content-security-policy': "default-src 'none'; frame-ancestors *",
};

/** Past texts are compared by what is stored of them for copies. */
const requires = (facts: IndexFacts) => {
  facts.relation(COPY.name);
};

/** The answer for a page that the index has not, too, where `missing` says that it is no error. */
async function movedOrUnknown(
  reads: Reads,
  question: ListQuestion<MovedQuery & { readonly missing: '200' | '404' }>,
): Promise<MovedAnswer> {
  const { url, missing } = question.query;
  if (missing === '200' && (await reads.find(url)).pageId < 0) return unknownAnswer(reads, url);
  return movedAnswer(reads, question);
}

export const TIME_ROUTES = {
  moved: route({
    method: 'GET',
    path: '/moved',
    summary: 'Where the content of a URL that is gone lives now',
    tag: 'time',
    query: MOVED_MISSING,
    answers: MovedSchema,
    says: 'Pages that its content may have gone to, and what speaks for each.',
    problems: [404, 410],
    requires,
    answer: movedOrUnknown,
    replayed: replayedMoved,
  }),
  movedHtml: route({
    method: 'GET',
    path: '/moved.html',
    summary: 'The same as an HTML fragment, for a page that says "not found"',
    tag: 'time',
    query: MOVED_HTML,
    answers: 'text/html',
    says: 'A section to stand in a page, by how sure each place is; empty, with data-reason, where nothing is known.',
    problems: [404],
    requires,
    headers: () => FRAGMENT_HEADERS,
    answer: (reads, question) => worded(reads, movedOrUnknown(reads, { ...question, offset: 0 })),
    shown: ({ words, ...answer }: Worded<MovedAnswer>) => movedHtml(answer, words),
  }),
  lost: route({
    method: 'GET',
    path: '/lost',
    summary: 'All lost pages, and where the content of each is likeliest to be now',
    tag: 'time',
    query: LOST,
    answers: LostSchema,
    says: 'Pages that a sweep found gone, or came by and did not meet, in the order of their URLs; `next` leads on also where an answer has none.',
    problems: [410],
    requires,
    answer: lostAnswer,
    replayed: replayedLost,
    isLong: () => true,
  }),
  changes: route({
    method: 'GET',
    path: '/changes',
    summary: 'Pages that a sweep found new, changed or no more',
    tag: 'time',
    query: CHANGES,
    answers: ChangesSchema,
    says: 'Pages with news, in the order of their URLs, those that wait and were not there before come last; `next` leads on also where an answer has none.',
    problems: [410],
    requires,
    answer: changedPages,
    isLong: () => true,
  }),
  history: route({
    method: 'GET',
    path: '/history',
    summary: 'A page over the sweeps, and how it changed',
    tag: 'time',
    query: HISTORY,
    answers: HistorySchema,
    says: 'Its captures, oldest first, each against the one before.',
    problems: [404, 410],
    requires,
    answer: async (reads, question) =>
      historyAnswer(reads, await locateStored(reads, question.query.url), question),
    replayed: replayedHistory,
  }),
};
