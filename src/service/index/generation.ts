import assert from 'node:assert/strict';
import { andThen, endedBy, type OrLater } from '../../lib/or-later.ts';
import type { RelationName } from '../../relations/relations.ts';
import { isByLinks, relationOf } from '../../relations/relations.ts';
import type { IndexCard } from '../../store/records.ts';
import { type EmptyAnswers, noEmptyAnswers } from '../http/hooks/metrics.ts';
import type { Answered } from '../http/reply.ts';
import type { IndexFacts } from '../reads/facts.ts';
import type { LocalIndex } from '../reads/file/local-index.ts';
import type { OpenFile } from '../reads/file/open-file.ts';
import type { OpenIndex } from '../reads/file/open-index.ts';
import type { LiveIndex } from '../reads/live/live-index.ts';
import type { SegmentChange } from '../reads/live/segment.ts';
import type { Reads } from '../reads/reads.ts';
import type { Work } from '../reads/work.ts';
import type { Rules } from '../rules/rules.ts';
import type { EmptyReason } from '../schemas/answers/list-answers.ts';
import type { HeldPages } from '../snapshot/snapshot.ts';
import type { Job, Threads } from '../threads/threads.ts';

interface GenerationParts {
  /** Null: what would be answered on a thread is answered in place. */
  readonly threads: Threads | null;
  /** Numbers of shards that threads are not to ask now. Default none. */
  readonly lostNow?: () => readonly number[];
  /** The same index, where it takes pages. */
  readonly live?: LiveIndex | null;
  /** Where empty answers are counted. */
  readonly emptyAnswers?: EmptyAnswers;
}

/** One published state of an index, opened for reading. Closes when retired and no longer leased. */
export class Generation {
  readonly id: string;
  /** With the pages that wait; null where none are taken. */
  readonly live: LiveIndex | null;
  readonly #index: OpenIndex;
  readonly #threads: Threads | null;
  readonly #lostNow: () => readonly number[];
  readonly #emptyAnswers: EmptyAnswers;
  #leaseCount = 0;
  #retired = false;
  #isClosed = false;
  /** `lastModified`: to write a date takes 3 microseconds, a twentieth of a list. */
  #modified = { ms: -1, text: '' };

  constructor(index: OpenIndex, { threads, lostNow, live, emptyAnswers }: GenerationParts) {
    this.#index = index;
    this.#threads = threads;
    this.#lostNow = lostNow ?? (() => []);
    this.#emptyAnswers = emptyAnswers ?? noEmptyAnswers();
    this.live = live ?? null;
    this.id = index.facts.id;
  }

  /** As they are now: pages that wait change them. */
  get facts(): IndexFacts {
    return this.#index.facts;
  }

  /** Names what is answered from now. */
  get state(): string {
    return this.facts.state;
  }

  /** For the Last-Modified header: when the index was built, or a page written since. */
  get lastModified(): string {
    const { card, rules } = this.facts;
    const ms = Math.max(card.builtAtMs, rules.changedMs, this.live?.segment.changedMs ?? 0);
    if (this.#modified.ms !== ms) this.#modified = { ms, text: new Date(ms).toUTCString() };
    return this.#modified.text;
  }

  /** Takes other rules for all lists that are asked for from now on. */
  takeRules(rules: Rules): void {
    for (const facts of [this.facts, this.#index.local?.facts]) if (facts !== undefined) facts.rules = rules;
    this.#threads?.tell(rules.change);
  }

  /** Puts pages into all answers that are asked for from now on. */
  take(change: SegmentChange): void {
    this.live!.segment.apply(change);
    this.#threads?.tell(change);
  }

  /** Has threads open the index, with the pages that wait, before a question needs them. */
  startThreads(): void {
    this.#threads?.start();
  }

  get card(): IndexCard {
    return this.facts.card;
  }

  /** Null where other processes have the files. */
  get local(): LocalIndex | null {
    return this.#index.local;
  }

  /** The one file that is read; null where there are several shards. */
  get file(): OpenFile | null {
    return this.#index.file;
  }

  /** What plain lists are put together from; null where there is no snapshot, for good or so far. */
  get held(): HeldPages | null {
    const { live } = this;
    return live !== null && live.segment.pages.length > 0 ? live.held : (this.file?.snapshot ?? null);
  }

  /** As `OpenFile.whole`. */
  get whole(): Promise<void> {
    return this.file?.whole ?? Promise.resolve();
  }

  /** Whether there are threads for what takes long. */
  get hasThreads(): boolean {
    return this.#threads !== null;
  }

  /** What `make` makes of the reads of this generation, which stays open meanwhile. Errors  those of `OpenIndex.answer`. */
  answer<Value>(make: (reads: Reads) => OrLater<Value>, work?: Work): OrLater<Answered<Value>> {
    this.lease();
    const made = () =>
      andThen(this.#index.answer(make, work), (answer) => {
        this.#count(answer.value);
        return answer;
      });
    return endedBy(made, () => this.release());
  }

  /** The answer of a route, made on a thread; null where none can be had. Errors  those of `Threads.run`. */
  async answerAside(
    route: string,
    question: Job['question'],
    gone: AbortSignal,
  ): Promise<Answered<unknown> | null> {
    this.lease();
    try {
      await this.#loadLinks(question.query);
      const { held: links } = this.#index.links;
      const job = { route, question, links, lost: this.#lostNow() };
      const answer = (await this.#threads?.run(job, gone)) ?? null;
      this.#count(answer?.value);
      return answer;
    } finally {
      this.release();
    }
  }

  /** Those that a thread would otherwise read for itself. */
  async #loadLinks({ by }: { readonly by?: RelationName }): Promise<void> {
    if (by !== undefined && isByLinks(relationOf(by)) && this.facts.holds(by)) await this.#index.links.get();
  }

  #count(value: unknown): void {
    if (typeof value !== 'object' || value === null || !('empty_reason' in value)) return;
    const reason = value.empty_reason as EmptyReason | null;
    if (reason !== null) this.#emptyAnswers[reason]++;
  }

  /** For work that goes on after the current turn of the event loop; each lease is to be released. */
  lease(): void {
    assert.ok(!this.#isClosed, 'a generation is leased before it closes');
    this.#leaseCount++;
  }

  release(): void {
    this.#leaseCount--;
    this.#closeIfIdle();
  }

  /** No new leases come but while others last. */
  retire(): void {
    this.#retired = true;
    this.#closeIfIdle();
  }

  #closeIfIdle(): void {
    if (!this.#retired || this.#leaseCount > 0 || this.#isClosed) return;
    this.#isClosed = true;
    this.#index.close();
    this.#threads?.close();
  }
}
