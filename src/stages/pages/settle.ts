import {
  type AnswerKind,
  GONE,
  NOINDEX,
  PAGE,
  REDIRECT,
  takesPlace,
} from '../../indexer/gather/extract/answers.ts';
import { hash32 } from '../../lib/hash.ts';
import { key53 } from '../../lib/key-table.ts';
import type { RowOf } from '../record/columns.ts';
import { defineStage, type Emit } from '../record/stage.ts';

const KINDS: Readonly<Record<string, AnswerKind>> = {
  page: PAGE,
  noindex: NOINDEX,
  redirect: REDIRECT,
  gone: GONE,
};

const ANSWER = {
  url: 'text',
  /** page, noindex, redirect, gone. */
  kind: 'text',
  file: 'long',
  position: 'long',
  fetched_ms: 'double',
  site: 'text',
  to: 'text?',
  to_site: 'text?',
} as const;

const SETTLED = {
  ...ANSWER,
  /** `key53` and `hash32` of the URL. */
  url_key: 'long',
  url_hash: 'long',
  /** Whether the URL was once gone, or asked not to be indexed: links make no page of it. */
  is_absent: 'boolean',
  /** Pages whose place another answer took. */
  duplicate_count: 'long',
  redirect_count: 'long',
} as const;

/** The stage `settle`: of each URL the answer that holds. It holds one answer at a time, however many a URL has. */
export const settleStage = defineStage({
  name: 'settle',
  doc: 'of each URL the answer that holds: a page, a page that asks not to be indexed, a redirect, or gone',
  order: 'by url, file, position',
  input: ANSWER,
  output: SETTLED,
  open() {
    let standing: RowOf<typeof ANSWER> | null = null;
    const counts = { isAbsent: false, pages: 0, redirects: 0 };
    const settle = (emit: Emit<RowOf<typeof SETTLED>>) => {
      if (standing === null) return;
      emit({
        ...standing,
        url_key: key53(standing.url),
        url_hash: hash32(standing.url),
        is_absent: counts.isAbsent,
        duplicate_count: counts.pages - (standing.kind === 'page' ? 1 : 0),
        redirect_count: counts.redirects,
      });
      standing = null;
      Object.assign(counts, { isAbsent: false, pages: 0, redirects: 0 });
    };
    return {
      take(row, emit) {
        const kind = KINDS[row.kind];
        if (kind === undefined) throw new Error(`"${row.kind}" is no kind of answer`);
        if (standing !== null && standing.url !== row.url) settle(emit);
        if (kind === PAGE) counts.pages++;
        if (kind === REDIRECT) counts.redirects++;
        if (kind === GONE || kind === NOINDEX) counts.isAbsent = true;
        if (standing === null || takesPlace(answerOf(row), answerOf(standing))) standing = row;
      },
      end: settle,
    };
  },
});

function answerOf({ kind, fetched_ms }: RowOf<typeof ANSWER>) {
  return { kind: KINDS[kind]!, sweepId: 1, fetchedAtMs: fetched_ms };
}
