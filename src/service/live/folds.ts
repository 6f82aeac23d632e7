/** Has the pages of a journal folded into the index, one fold at a time: when enough wait, when they have waited long, or when asked. */
import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { GenerationHolder } from '../index/generation-holder.ts';
import { type LivePages, sweepName } from './live-pages.ts';

/** Adds a file of records to the index, as a sweep of this name; true where the index has them then. */
export type RunFold = (recordsPath: string, sweep: string, stop: AbortSignal) => Promise<boolean>;

export interface FoldRules {
  /** Share of the pages of the index from which on pending ones are folded in. */
  readonly share: number;
  /** Longest that a page waits before. */
  readonly waitMs: number;
}

export interface Fold {
  readonly id: string;
  state: 'running' | 'done' | 'failed';
  /** Pages up to this number. */
  readonly sequence: number;
  readonly startedMs: number;
  endedMs: number | null;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
}

interface FoldsOptions {
  readonly live: LivePages;
  readonly holder: GenerationHolder;
  readonly run: RunFold;
  readonly rules: FoldRules;
}

const KEPT = 20;
const LOOK_MS = 1000;
/** After a fold that failed. */
const RETRY_MS = 60_000;

export class Folds {
  readonly #options: FoldsOptions;
  readonly #folds: Fold[] = [];
  readonly #stopping = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(options: FoldsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#foldIfDue(), LOOK_MS).unref();
  }

  /** The one under way; null where there is none. */
  get running(): Fold | null {
    return this.#folds.find(({ state }) => state === 'running') ?? null;
  }

  find(id: string): Fold | undefined {
    return this.#folds.find((fold) => fold.id === id);
  }

  /** Begins one, or gives the one under way. */
  begin(): Fold {
    const { live } = this.#options;
    const running = this.running;
    if (running !== null) return running;
    const sequence = live.journal.lastSequence;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const startedMs = Date.now();
    const fold: Fold = { id: randomUUID(), state: 'running', sequence, startedMs, endedMs: null, ended };
    this.#folds.push(fold);
    if (this.#folds.length > KEPT) this.#folds.shift();
    void this.#run(fold.id, sequence)
      .catch(() => false)
      .then((isDone) => {
        fold.state = isDone ? 'done' : 'failed';
        fold.endedMs = Date.now();
        resolve();
      });
    return fold;
  }

  /** Waits for the end of a fold, so long at most. */
  async wait({ ended }: Fold, ms: number): Promise<void> {
    await Promise.race([ended, delay(ms, undefined, { ref: false })]);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.running?.ended;
  }

  async #run(id: string, sequence: number): Promise<boolean> {
    const { live, holder, run } = this.#options;
    // Another process may have published a fold just now.
    if (holder.loaded) live.forgetFolded(holder.current().facts);
    if (live.journal.figures().count === 0) return true;
    // A name of its own: a process that a killed server began may read another one still.
    const path = `${live.journal.path}.${id}.jsonl`;
    try {
      await writeRecords(path, live.journal.records(sequence));
      const isAdded = await run(path, sweepName(live.journal.id, sequence), this.#stopping.signal);
      await holder.check();
      if (holder.loaded) live.forgetFolded(holder.current().facts);
      return isAdded;
    } finally {
      await rm(path, { force: true });
    }
  }

  #foldIfDue(): void {
    const { live, holder, rules } = this.#options;
    const last = this.#folds.at(-1);
    const isWaiting = last?.state === 'failed' && Date.now() - last.endedMs! < RETRY_MS;
    if (this.running !== null || isWaiting || !holder.loaded) return;
    const { facts } = holder.current();
    live.forgetFolded(facts);
    const { count, oldestMs } = live.journal.figures();
    const isMany = count > 0 && count >= rules.share * facts.card.pageCount;
    if (isMany || (oldestMs !== null && Date.now() - oldestMs >= rules.waitMs)) this.begin();
  }
}

/** Reads as many at a time as go well between the questions of others. */
async function writeRecords(path: string, records: Iterable<string>): Promise<void> {
  const file = await open(path, 'w', 0o640);
  try {
    for (const record of records) await file.appendFile(`${record}\n`);
  } finally {
    await file.close();
  }
}
