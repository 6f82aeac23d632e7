/**
 * Takes pages into the journal beside the index, and has them folded into it.
 *
 *   PUT, POST, DELETE /pages -> known to the index? (thread) -> journal (on the disk) -> answer
 *   journal -> a file of records -> akin add, in a process of its own -> rename -> the server changes -> journal forgets
 *
 * The index names its last fold as its sweep: so what is in it is known after any end of any process.
 */
import { TransientError } from '../../errors.ts';
import { LAST_MILLISECOND } from '../../sources/jsonl.ts';
import { takesPlaceOfEarlierSweep } from '../../sources/record/answers.ts';
import type { JournalReader } from '../../store/journal/journal-reader.ts';
import type { PageJournal, PendingEntry } from '../../store/journal/page-journal.ts';
import { UNDATED_MS } from '../../store/records.ts';
import { Problem } from '../http/problems/problem.ts';
import type { IndexFacts } from '../reads/facts.ts';
import { datedLine, type GivenRecord } from './given-record.ts';
import type { KnownPage } from './known-pages.ts';

export interface LiveLimits {
  /** Pages that wait for a fold at most. */
  readonly maxPending: number;
  /** Their bytes at most. */
  readonly maxPendingBytes: number;
}

/** What became of a record: deleted and missing are of those that say a page is gone. */
type WrittenState = 'added' | 'changed' | 'unchanged' | 'older' | 'deleted' | 'missing';

/** What a write asks of the page as it is, by RFC 9110. */
export interface Conditions {
  /** If-None-Match: *. */
  readonly isNew: boolean;
  /** If-Match; null for none. */
  readonly match: string | null;
}

export interface Written {
  readonly state: WrittenState;
  /** Entity tag of the page as it is now; null where there is none. */
  readonly tag: string | null;
  /** Whether something was written. */
  readonly isKept: boolean;
  /** Of what was written. */
  readonly datedMs: number;
}

const ANYHOW: Conditions = { isNew: false, match: null };
const RETRY_SECONDS = 10;

export class LivePages {
  readonly journal: PageJournal;
  readonly #limits: LiveLimits;
  /** The generation that the journal was last compared with. */
  #comparedWith = '';

  constructor(journal: PageJournal, limits: LiveLimits) {
    this.journal = journal;
    this.#limits = limits;
  }

  /** Forgets what a generation has; to be called before the journal is asked. */
  forgetFolded({ id, sweeps }: IndexFacts): void {
    if (id === this.#comparedWith) return;
    const folded = foldedIn(sweeps, this.journal);
    if (folded > 0) this.journal.forget(folded);
    this.#comparedWith = id;
  }

  /**
   * Writes records, all or none; on the disk when it returns. `known` says of each what the index knows of it.
   *
   * Errors  Problem `too-many-pending`, `journal-full`, `precondition-failed`.
   */
  write(
    records: readonly GivenRecord[],
    known: readonly KnownPage[],
    nowMs: number,
    conditions = ANYHOW,
  ): Written[] {
    const { count, bytes } = this.journal.figures();
    let left = this.#limits.maxPending - count;
    let leftBytes = this.#limits.maxPendingBytes - bytes;
    try {
      return this.journal.write((put) =>
        records.map((record, i) => {
          const pending = this.journal.get(record.url);
          const before = asIs(pending, known[i]!);
          requireConditions(before, conditions);
          // What asks not to be indexed is no page, either.
          const isGone = known[i]!.pending.said === null;
          const datedMs = record.datedMs ?? dateBehind(before.datedMs, nowMs);
          const { state, isKept } = stateOf(record, datedMs, isGone, known[i]!.givenDigest, before);
          if (!isKept) return { state, tag: before.tag, isKept, datedMs };
          const line = datedLine(record, datedMs);
          leftBytes -= Buffer.byteLength(line);
          if (pending === null) left--;
          else leftBytes += pending.bytes;
          if (left < 0 || leftBytes < 0) throw tooMany();
          const { givenDigest: textDigest } = known[i]!;
          const { url, digest } = record;
          put({ url, record: line, isGone, digest, textDigest, datedMs, atMs: nowMs });
          return { state, tag: isGone ? null : tagOf(textDigest), isKept, datedMs };
        }),
      );
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
      throw new Problem('journal-full', 'the disk of the index has no room for more pages', { cause: error });
    }
  }
}

/** Number of the last page of a journal that is in an index of these sweeps; 0 for none. */
export function foldedIn(sweeps: IndexFacts['sweeps'], { id }: JournalReader): number {
  const start = sweepName(id, '');
  const folded = sweeps.flatMap(({ name }) => {
    const at = name.indexOf(start);
    return at < 0 ? [] : [Number(name.slice(at + start.length))];
  });
  return Math.max(0, ...folded);
}

/** The sweep of a fold up to a sequence number. */
export function sweepName(journalId: string, sequence: number | ''): string {
  return `live-${journalId}-${sequence}`;
}

interface AsIs {
  readonly isThere: boolean;
  readonly digest: string;
  readonly textDigest: string;
  /** Of the later of what waits and what the index has; `UNDATED_MS` where it is not known. */
  readonly datedMs: number;
  readonly tag: string | null;
}

/** A page as the journal has it, else as the index does. */
function asIs(pending: PendingEntry | null, known: KnownPage): AsIs {
  const isThere = pending === null ? known.isThere : !pending.isGone;
  const { textDigest } = pending ?? known;
  return {
    isThere,
    digest: pending?.digest ?? '',
    textDigest,
    datedMs: Math.max(pending?.datedMs ?? UNDATED_MS, known.datedMs),
    tag: isThere ? tagOf(textDigest) : null,
  };
}

function tagOf(textDigest: string): string {
  return `"${textDigest}"`;
}

/** Of a record without a date: it is of now, and takes the place of what was there, however that is dated. */
function dateBehind(datedMs: number, nowMs: number): number {
  return Math.min(Math.max(nowMs, datedMs + 1), LAST_MILLISECOND);
}

function stateOf(
  { isGone: isSaidGone, digest }: GivenRecord,
  datedMs: number,
  isGone: boolean,
  givenDigest: string,
  before: AsIs,
): { readonly state: WrittenState; readonly isKept: boolean } {
  // What the fold would not take is not kept.
  if (!takesPlaceOfEarlierSweep(datedMs, before.datedMs)) return { state: 'older', isKept: false };
  if (isGone && before.isThere) return { state: 'deleted', isKept: true };
  if (isGone) return { state: isSaidGone ? 'missing' : 'unchanged', isKept: false };
  if (!before.isThere) return { state: 'added', isKept: true };
  if (digest === before.digest) return { state: 'unchanged', isKept: false };
  // Links and fields may be others all the same.
  return { state: givenDigest === before.textDigest ? 'unchanged' : 'changed', isKept: true };
}

/** Errors  Problem `precondition-failed`. */
function requireConditions({ isThere, tag }: AsIs, { isNew, match }: Conditions): void {
  if (isNew && isThere)
    throw new Problem('precondition-failed', 'the page is there already (If-None-Match: *)');
  if (match === null || (isThere && (match === '*' || match.split(',').some((one) => one.trim() === tag))))
    return;
  throw new Problem('precondition-failed', 'the page is not the one that If-Match names');
}

function tooMany(): Problem {
  const detail = `too many pages wait for the index; come again in ${RETRY_SECONDS} seconds`;
  return new Problem('too-many-pending', detail, { headers: { 'retry-after': String(RETRY_SECONDS) } });
}
