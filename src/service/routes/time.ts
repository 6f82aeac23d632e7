/** Questions about pages over the sweeps. */
import { COPY } from '../../relations/copy.ts';
import { locateStored } from '../answers/pages/locate.ts';
import { historyAnswer } from '../answers/time/history.ts';
import { movedAnswer } from '../answers/time/moved.ts';
import type { IndexFacts } from '../reads/facts.ts';
import { HISTORY, MOVED } from '../schemas/parameters.ts';
import { HistorySchema, MovedSchema } from '../schemas/time-answers.ts';
import { route } from './route.ts';

/** Past texts are compared by what is stored of them for copies. */
const requires = (facts: IndexFacts) => {
  facts.relation(COPY.name);
};

export const TIME_ROUTES = {
  moved: route({
    method: 'GET',
    path: '/moved',
    summary: 'Where the content of a URL that is gone lives now',
    tag: 'time',
    query: MOVED,
    answers: MovedSchema,
    says: 'Pages that its content may have gone to, and what speaks for each.',
    problems: [404, 410],
    requires,
    answer: (reads, { query, offset, hash }) => movedAnswer(reads, query.url, query, offset, hash),
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
    answer: async (reads, { query, offset, hash }) =>
      historyAnswer(reads, await locateStored(reads, query.url), query.limit, offset, hash),
  }),
};
