/** Pages over the sweeps. */
import { COPY } from '../../relations/copy.ts';
import { stateOf } from '../answers/pages/last-seen.ts';
import { changesOf, sweepPlace } from '../answers/time/changed-pages.ts';
import { isLost } from '../answers/time/lost.ts';
import { movedAnswer } from '../answers/time/moved.ts';
import type { IndexFacts } from '../reads/facts.ts';
import { ChangeRowSchema, MovedRowSchema } from '../schemas/answers/row-answers.ts';
import { CHANGES, MOVED } from '../schemas/parameters/parameters.ts';
import { exportKind, PAGE_FILTERS } from './export-row.ts';

/** Past texts are compared by what is stored of them for copies. */
const copies = (facts: IndexFacts) => {
  facts.relation(COPY.name);
};

const { min_containment, limit } = MOVED;

export const MOVED_EXPORT = exportKind({
  describes: 'a lost page and a place of its text, as GET /moved finds it; one without a place has one row',
  query: {
    min_containment,
    limit: { ...limit, schema: { ...limit.schema, default: 1 }, plain: 1 },
  },
  row: MovedRowSchema,
  requires: copies,
  // A page that waits as gone is not one that was read.
  pages: () => ({ fetched: 'include' }),
  rowsOf: async (reads, { id, url, title }, query) => {
    const { state, last_seen: seen } = await stateOf(reads, id);
    if (!isLost(state) || (await reads.idOf(url)) < 0) return [];
    const question = { query: { url, ...query }, offset: 0, hash: '' };
    const { candidates, complete } = await movedAnswer(reads, question);
    const page = { url, title, state, last_sweep: seen?.sweep ?? null };
    if (candidates.length === 0) return [{ ...page, rank: null, moved_to: null, complete }];
    return candidates.map((one, i) => {
      return {
        ...page,
        rank: i + 1,
        moved_to: one.url,
        moved_title: one.title,
        strength: one.strength,
        share: one.containment?.asked_in_result ?? null,
        resemblance: one.resemblance,
        measure: one.measure,
        evidence: one.evidence,
        moved_state: one.state,
        gone_since: one.gone_since?.fetched_at ?? null,
        now_at: one.now_at?.url ?? null,
        passage: one.passage,
        complete,
      };
    });
  },
});

export const CHANGES_EXPORT = exportKind({
  describes:
    'a capture of a page against the one before, or that no sweep has it since: news as GET /changes',
  query: {
    sweep: {
      ...CHANGES.sweep,
      schema: { ...CHANGES.sweep.schema, description: 'A sweep as GET /index names it. By default all.' },
    },
    news: CHANGES.news,
    lang: PAGE_FILTERS.lang,
  },
  row: ChangeRowSchema,
  requires: (facts, { sweep }) => {
    copies(facts);
    if (sweep !== undefined) sweepPlace(facts, sweep);
  },
  // Of a page that was never read there is no capture; one that waits as gone is to be looked at.
  pages: ({ lang }) => ({ fetched: 'include', ...(lang && { lang }) }),
  rowsOf: async (reads, { id, url, title }, { sweep, news }) => {
    const changes = await changesOf(reads, id, { sweep, news: news.length === 0 ? null : news });
    if (changes.length === 0) return [];
    const { state } = await stateOf(reads, id);
    return changes.map(({ containment, ...change }) => {
      return { url, title, state, ...change, ...containment };
    });
  },
});
