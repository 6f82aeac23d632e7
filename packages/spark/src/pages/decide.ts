import { hash32 } from 'akin-web/rooms/lib/hash';
import { key53 } from 'akin-web/rooms/lib/keys/key-table';
import {
  type AnswerKind,
  fateOf,
  GONE,
  NOINDEX,
  PAGE,
  REDIRECT,
  sweepOf,
  takesPlace,
} from 'akin-web/rooms/sources/record/answers';
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
  /** Of what holds and is gone or a redirect, the one since which it is no page. */
  sweep: 'int',
  file: 'long',
  position: 'long',
  fetched_ms: 'double',
  site: 'text',
  to: 'text?',
  to_site: 'text?',
} as const;

const DECIDED = {
  ...ANSWER,
  /** `key53` and `hash32` of the URL. */
  url_key: 'long',
  url_hash: 'long',
  /** A page whose place an answer of another sweep took: it is kept as history, and is not the answer. */
  is_past: 'boolean',
  /** Of the last page that asked not to be indexed and held then: its place among all captures. What is older is not kept. */
  erased_before: 'long?',
  /** Pages whose place another answer of their sweep took, by sweep: JSON. */
  duplicates: 'text?',
} as const;

/**
 * The stage `decide`: of each URL the answer that holds, as the local alias book has it, and the pages that held in other
 * sweeps. It holds one answer at a time, however many a URL has.
 */
export const decideStage = defineStage({
  name: 'decide',
  doc: 'of each URL the answer that holds: a page, a page that asks not to be indexed, a redirect, or gone',
  order: 'by url, file, position',
  input: ANSWER,
  output: DECIDED,
  open() {
    let standing: RowOf<typeof ANSWER> | null = null;
    let erasedBefore: number | null = null;
    let duplicates: Record<number, number> = {};
    const tell = (answer: RowOf<typeof ANSWER>, isPast: boolean, emit: Emit<RowOf<typeof DECIDED>>) => {
      const { url } = answer;
      const own = isPast || Object.keys(duplicates).length === 0 ? null : JSON.stringify(duplicates);
      emit({
        ...answer,
        url_key: key53(url),
        url_hash: hash32(url),
        is_past: isPast,
        erased_before: erasedBefore,
        duplicates: own,
      });
    };
    const decide = (emit: Emit<RowOf<typeof DECIDED>>) => {
      if (standing !== null) tell(standing, false, emit);
      standing = null;
      erasedBefore = null;
      duplicates = {};
    };
    const silence = (
      answer: RowOf<typeof ANSWER>,
      other: RowOf<typeof ANSWER>,
      emit: Emit<RowOf<typeof DECIDED>>,
    ) => {
      const fate = fateOf(answerOf(answer), answerOf(other));
      if (fate === 'duplicate') duplicates[answer.sweep] = (duplicates[answer.sweep] ?? 0) + 1;
      if (fate === 'past') tell(answer, true, emit);
    };
    return {
      take(row, emit) {
        const kind = KINDS[row.kind];
        if (kind === undefined) throw new Error(`"${row.kind}" is no kind of answer`);
        if (standing !== null && standing.url !== row.url) decide(emit);
        const before = standing;
        const holds = before === null || takesPlace(answerOf(row), answerOf(before));
        if (holds) standing = { ...row, sweep: sweepOf(answerOf(row), before && answerOf(before)) };
        if (holds && kind === NOINDEX) erasedBefore = captureNumber(row);
        if (before !== null) silence(holds ? before : row, holds ? row : before, emit);
      },
      end: decide,
    };
  },
});

function answerOf({ kind, sweep, fetched_ms }: RowOf<typeof ANSWER>) {
  return { kind: KINDS[kind]!, sweepId: sweep, fetchedAtMs: fetched_ms };
}

/** Files have fewer captures. */
export const FILE_CAPTURES = 2 ** 32;

/** The place of a capture among those of all files. */
function captureNumber({ file, position }: { readonly file: number; readonly position: number }): number {
  return file * FILE_CAPTURES + position;
}
