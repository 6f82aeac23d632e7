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
import { goneRecord, saidDigest } from '../../store/journal/journal-record.ts';
import type { JournalEntry, PageJournal, PendingEntry } from '../../store/journal/page-journal.ts';
import { UNDATED_MS } from '../../store/records.ts';
import { siteOf } from '../../url/site.ts';
import { Problem } from '../http/problems/problem.ts';
import type { IndexFacts } from '../reads/facts.ts';
import { datedLine, type GivenRecord } from './given-record.ts';
import type { KnownPage } from './known-pages.ts';
import type { KeptPage } from './ready-pages.ts';
import type { VectorNames } from './vector-names.ts';

export interface LiveLimits {
  /** Pages that wait for a fold at most. */
  readonly maxPending: number;
  /** Their bytes at most. */
  readonly maxPendingBytes: number;
}

/** What became of a record: deleted and missing are of those that say a page is gone. */
type WrittenState = 'added' | 'changed' | 'unchanged' | 'older' | 'deleted' | 'missing' | 'refused';

/** How pages are written; the conditions are those of RFC 9110. */
export interface WriteHow {
  /** If-None-Match: entity tags, or '*' for any; null, the default, for none. */
  readonly noneMatch?: readonly string[] | '*' | null;
  /** If-Match, in the same form. */
  readonly match?: readonly string[] | '*' | null;
  /** Whether who says that a page is gone has it: then it is gone under all URLs that it speaks for, which a crawl does not say. Default true. */
  readonly isOwner?: boolean;
  /** The one site of which pages may be written; null, the default, for any. */
  readonly site?: string | null;
}

export interface Written {
  readonly state: WrittenState;
  /** Entity tag of the page as it is now; null where there is none. */
  readonly tag: string | null;
  /** As it waits from now on, where something was written, with what is gone together with it. */
  readonly pending: readonly KeptPage[];
  /** What is wrong with one that was refused. */
  readonly fault?: string;
}

/** After which who found no room comes again: a fold is due by then. */
export const RETRY_SECONDS = 2;

/** How many lines are written together at most, and from how many characters on no more are added to them. */
export interface BatchSize {
  readonly lines: number;
  readonly chars: number;
}

const BATCH_LINES = 64;
const BATCH_CHARS = 2 ** 20;

export class LivePages {
  readonly journal: PageJournal;
  readonly #limits: LiveLimits;
  /** The generation that the journal was last compared with. */
  #comparedWith = '';
  #isFull = false;

  constructor(journal: PageJournal, limits: LiveLimits) {
    this.journal = journal;
    this.#limits = limits;
  }

  /** Forgets what a generation has; to be called before the journal is asked. */
  forgetFolded({ id, sweeps }: IndexFacts): void {
    if (id === this.#comparedWith) return;
    const folded = foldedIn(sweeps, this.journal);
    if (folded > 0) {
      this.journal.forget(folded);
      this.#isFull = false;
    }
    this.#comparedWith = id;
  }

  /** Lines that are written together have room where nothing waits. */
  get batch(): BatchSize {
    const { maxPending, maxPendingBytes } = this.#limits;
    return { lines: Math.min(BATCH_LINES, maxPending), chars: Math.min(BATCH_CHARS, maxPendingBytes / 4) };
  }

  /** Whether there was no room for a page since the last fold. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /**
   * Writes records, all or none; on the disk when it returns. `known` says of each what the index knows of it, `names` which vectors it has.
   *
   * Errors  Problem `too-many-pending`, `journal-full`, `precondition-failed`.
   */
  write(
    records: readonly GivenRecord[],
    known: readonly KnownPage[],
    names: VectorNames,
    nowMs: number,
    how: WriteHow = {},
  ): Written[] {
    const { count, bytes } = this.journal.figures();
    let left = this.#limits.maxPending - count;
    let leftBytes = this.#limits.maxPendingBytes - bytes;
    try {
      return this.journal.write((put) => {
        const keep = (entry: Parameters<typeof put>[0], pending: PendingEntry | null) => {
          leftBytes -= Buffer.byteLength(entry.record);
          if (pending === null) left--;
          else leftBytes += pending.bytes;
          if (left < 0 || leftBytes < 0) {
            this.#isFull = true;
            throw tooMany();
          }
          put(entry);
        };
        return records.map((record, i) => this.#written(record, known[i]!, names, nowMs, how, keep));
      });
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
      throw new Problem('journal-full', 'the disk of the index has no room for more pages', { cause: error });
    }
  }

  #written(
    record: GivenRecord,
    known: KnownPage,
    names: VectorNames,
    nowMs: number,
    how: WriteHow,
    keep: (entry: JournalEntry, pending: PendingEntry | null) => void,
  ): Written {
    const { url, digest } = record;
    const { givenDigest: textDigest } = known;
    const waiting = this.journal.get(url);
    const before = asIs(waiting, known);
    requireConditions(before, how);
    // What asks not to be indexed is no page, either.
    const isGone = known.pending.said === null;
    const datedMs = record.datedMs ?? dateBehind(before.datedMs, nowMs);
    const { state, isKept } = stateOf(record, datedMs, isGone, textDigest, before);
    if (!isKept) return { state, tag: before.tag, pending: [] };
    const fault = isGone ? null : names.faultOf(url, record.vectors);
    if (fault !== null) return { state: 'refused', fault, tag: before.tag, pending: [] };
    keep(
      { url, record: datedLine(record, datedMs), isGone, digest, textDigest, datedMs, atMs: nowMs },
      waiting,
    );
    const pending: KeptPage[] = [{ ...known.pending, fetchedAtMs: datedMs, digest }];
    for (const alias of isGone && how.isOwner !== false ? known.aliases : []) {
      if (how.site != null && siteOf(alias.url) !== how.site) continue;
      const waiting = this.journal.get(alias.url);
      if (waiting?.isGone === false) continue;
      const fetchedAtMs = dateBehind(Math.max(alias.datedMs, waiting?.datedMs ?? UNDATED_MS), datedMs);
      const said = goneRecord(alias.url);
      const line = datedLine({ ...record, said }, fetchedAtMs);
      const entry = { url: alias.url, record: line, isGone, digest: saidDigest(said), textDigest: '' };
      keep({ ...entry, datedMs: fetchedAtMs, atMs: nowMs }, waiting);
      pending.push({ url: alias.url, pageId: -1, fetchedAtMs, said: null, digest: entry.digest });
    }
    return { state, tag: isGone ? null : tagOf(textDigest), pending };
  }
}

/** Number of the last page of a journal that is in an index of these sweeps; 0 for none. */
export function foldedIn(sweeps: readonly { readonly name: string }[], { id }: JournalReader): number {
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
  { isGone: isSaidGone, digest, datedMs: saidMs }: GivenRecord,
  datedMs: number,
  isGone: boolean,
  givenDigest: string,
  before: AsIs,
): { readonly state: WrittenState; readonly isKept: boolean } {
  // What the fold would not take is not kept.
  if (!takesPlaceOfEarlierSweep(datedMs, before.datedMs)) return { state: 'older', isKept: false };
  if (isGone && before.isThere) return { state: 'deleted', isKept: true };
  // What comes later and is dated between must not take its place.
  const isLater = datedMs > before.datedMs;
  if (isGone && saidMs !== null && before.datedMs !== UNDATED_MS)
    return { state: 'unchanged', isKept: isLater };
  if (isGone) return { state: isSaidGone ? 'missing' : 'unchanged', isKept: false };
  if (!before.isThere) return { state: 'added', isKept: true };
  if (digest === before.digest) return { state: 'unchanged', isKept: isLater };
  // Links and fields may be others all the same.
  return { state: givenDigest === before.textDigest ? 'unchanged' : 'changed', isKept: true };
}

/** Errors  Problem `precondition-failed`. */
function requireConditions({ tag }: AsIs, { noneMatch = null, match = null }: WriteHow): void {
  if (match !== null && !names(match, tag))
    throw new Problem('precondition-failed', 'the page is not the one that If-Match names');
  // A weak tag is of the same page here, and never of If-Match.
  if (noneMatch === '*' ? tag !== null : names(noneMatch?.map((one) => one.replace(/^W\//, '')) ?? [], tag)) {
    const what = noneMatch === '*' ? 'there already (If-None-Match: *)' : 'one that If-None-Match names';
    throw new Problem('precondition-failed', `the page is ${what}`);
  }
}

/** @param tag of the page; null where there is none. */
function names(tags: readonly string[] | '*', tag: string | null): boolean {
  return tag !== null && (tags === '*' || tags.includes(tag));
}

function tooMany(): Problem {
  const detail = `too many pages wait for the index; come again in ${RETRY_SECONDS} seconds`;
  return new Problem('too-many-pending', detail, { headers: { 'retry-after': String(RETRY_SECONDS) } });
}
