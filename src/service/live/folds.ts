/** Has the pages of a journal folded into the index, one fold at a time: when enough wait, when they have waited long, or when asked. */
import { randomUUID } from 'node:crypto';
import { open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { TransientError } from '../../errors.ts';
import type { GenerationHolder } from '../index/generation-holder.ts';
import { type LivePages, sweepName } from './live-pages.ts';

/**
 * Adds files of records to the index, in this order, as a sweep of this name, and says what it does; true where the index has them
 * then, false where it was stopped. What it throws says why it failed; a TransientError that the same may go well later.
 */
export type RunFold = (
  paths: readonly string[],
  sweep: string,
  stop: AbortSignal,
  say: (text: string) => void,
) => Promise<boolean>;

/** Archives that are folded in together with the journal, which has their pages already, and does not say all that they do. */
export interface Archives {
  /** Stands before the name of the last sweep. */
  readonly name: string;
  readonly sweeps: readonly {
    readonly paths: readonly string[];
    /** Pages of the journal up to this number are not newer. */
    readonly sequence: number;
  }[];
  /** Since when the first of them waits. */
  readonly sinceMs: number;
}

export interface FoldRules {
  /** Share of the pages of the index from which on pending ones are folded in. */
  readonly share: number;
  /** Longest that a page waits before. */
  readonly waitMs: number;
  /** From a fold that failed to the next one at least; default: a minute. */
  readonly retryMs?: number;
  /** Default: none. */
  readonly archives?: () => Archives | null;
}

export interface Fold {
  readonly id: string;
  state: 'running' | 'done' | 'failed';
  /** Pages up to this number. */
  readonly sequence: number;
  readonly startedMs: number;
  endedMs: number | null;
  /** Why it failed; null where it did not. */
  detail: string | null;
  /** Whether the same would fail again. */
  isLasting: boolean;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
}

interface FoldsOptions {
  readonly live: LivePages;
  readonly holder: GenerationHolder;
  readonly run: RunFold;
  readonly rules: FoldRules;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'error'>;
}

const KEPT = 20;
const LOOK_MS = 1000;
const RETRY_MS = 60_000;

export class Folds {
  readonly #options: FoldsOptions;
  readonly #folds: Fold[] = [];
  readonly #stopping = new AbortController();
  /** Names what the last one was of. */
  #lastOf = '';
  /** When one failed last, by the clock of the process, which is never set back. */
  #failedMs = Number.NEGATIVE_INFINITY;
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
    const id = randomUUID();
    const fold: Fold = {
      id,
      state: 'running',
      sequence,
      startedMs,
      endedMs: null,
      detail: null,
      isLasting: false,
      ended,
    };
    this.#lastOf = this.#waiting();
    this.#folds.push(fold);
    if (this.#folds.length > KEPT) this.#folds.shift();
    void this.#run(id, sequence)
      .then((isDone) => (isDone ? null : 'it was stopped'))
      .catch((error: unknown) => {
        this.#options.log.error({ fold: id, err: error }, 'fold failed');
        fold.isLasting = !(error instanceof TransientError);
        return (error as Error).message;
      })
      .then((detail) => {
        fold.state = detail === null ? 'done' : 'failed';
        if (detail !== null) this.#failedMs = performance.now();
        fold.detail = detail;
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
    const { live, holder, run, rules, log } = this.#options;
    // Another process may have published a fold just now.
    if (holder.loaded) live.forgetFolded(holder.current().facts);
    const archives = rules.archives?.() ?? null;
    if (live.journal.figures().count === 0 && archives === null) return true;
    const files: string[] = [];
    const paths: string[] = [];
    let from = 0;
    const takeRecords = async (to: number) => {
      // Names of their own: a process that a killed server began may read others still.
      const file = `${live.journal.path}.${id}.${files.length}.jsonl`;
      files.push(file);
      if (await writeRecords(file, live.journal.records(from, to))) paths.push(file);
      from = to;
    };
    try {
      for (const sweep of archives?.sweeps ?? []) {
        // What was handed over of it stands before it, and so is of the same sweep.
        await takeRecords(Math.min(sweep.sequence, sequence));
        paths.push(...sweep.paths);
      }
      await takeRecords(sequence);
      const name = `${archives === null ? '' : `${archives.name}-`}${sweepName(live.journal.id, sequence)}`;
      const isAdded = await run(paths, name, this.#stopping.signal, (text) => log.info({ fold: id }, text));
      await holder.check();
      if (holder.loaded) live.forgetFolded(holder.current().facts);
      return isAdded;
    } finally {
      for (const file of files) await rm(file, { force: true });
    }
  }

  /** Names all that a fold would be of. */
  #waiting(): string {
    const { live, holder, rules } = this.#options;
    const generation = holder.loaded ? holder.current().id : '';
    return JSON.stringify([generation, live.journal.lastSequence, rules.archives?.() ?? null]);
  }

  #foldIfDue(): void {
    const { live, holder, rules } = this.#options;
    const last = this.#folds.at(-1);
    if (this.running !== null || !holder.loaded) return;
    if (last?.state === 'failed') {
      const isTooSoon = performance.now() - this.#failedMs < (rules.retryMs ?? RETRY_MS);
      // Where the same would fail again, none begins by itself until something else waits.
      if (isTooSoon || (last.isLasting && this.#waiting() === this.#lastOf)) return;
    }
    const { facts } = holder.current();
    live.forgetFolded(facts);
    const { count, oldestMs } = live.journal.figures();
    const isMany = count > 0 && count >= rules.share * facts.card.pageCount;
    const sinceMs = Math.min(oldestMs ?? Infinity, rules.archives?.()?.sinceMs ?? Infinity);
    const waitedMs = Date.now() - sinceMs;
    // A clock that was set back says nothing of how long that is.
    const isLong = waitedMs >= rules.waitMs || (waitedMs < 0 && sinceMs < Infinity);
    if (isMany || live.isFull || isLong) this.begin();
  }
}

/** Removes what the folds of a killed server have left beside its journal, which this process has now. */
export async function removeRecordFiles(journalPath: string): Promise<void> {
  const folder = dirname(journalPath);
  const start = `${basename(journalPath)}.`;
  for (const name of await readdir(folder)) {
    const isLeft = name.startsWith(start) && LEFT.test(name.slice(start.length));
    if (isLeft) await rm(join(folder, name), { force: true });
  }
}

const LEFT = /^[0-9a-f-]{36}\.\d+\.jsonl$/;

/** Whether there are any. Reads as many at a time as go well between the questions of others. */
async function writeRecords(path: string, records: Iterable<string>): Promise<boolean> {
  const file = await open(path, 'w', 0o640);
  let isAny = false;
  try {
    for (const record of records) {
      await file.appendFile(`${record}\n`);
      isAny = true;
    }
  } finally {
    await file.close();
  }
  return isAny;
}
