/** Pages over the sweeps. */
import { COPY } from '../../relations/copy.ts';
import { historyAnswer } from '../answers/time/history.ts';
import type { IndexFacts } from '../reads/facts.ts';
import { exportKind, PAGE_FILTERS } from './export-row.ts';

/** Past texts are compared by what is stored of them for copies. */
const copies = (facts: IndexFacts) => {
  facts.relation(COPY.name);
};

export const CHANGES_EXPORT = exportKind({
  describes: 'a capture of a page against the one before, as GET /history says it',
  query: { fetched: PAGE_FILTERS.fetched, lang: PAGE_FILTERS.lang },
  columns: () => [
    ...['url', 'state', 'sweep', 'fetched_at', 'token_count', 'changed', 'resemblance'],
    ...['before_in_this', 'this_in_before', 'measure'],
  ],
  requires: copies,
  pages: (query) => query,
  rowsOf: async (reads, { id, url }) => {
    const { captures, state } = await historyAnswer(reads, id, Number.MAX_SAFE_INTEGER, 0, '');
    return captures.map(({ digest: _digest, containment, ...capture }) => {
      return { url, state, ...capture, ...containment };
    });
  },
});
