/**
 * A thread: runs a file, which opens what its order names and answers jobs by `answerJobs` (`jobs.ts`). What reading takes of
 * memory ends with it, or a little later: one that is let go waits for the next that would run its file, as what it has
 * compiled is worth .2 seconds of processor time.
 *
 *   new Thread(order) -> { order } -> open -> 'ready'
 *   Thread.run(job) -> [number, job] -> answerJobs -> [number, reply] -> what `run` resolves to
 */
import type { Worker } from 'node:worker_threads';
import { receivedError } from '../../errors.ts';
import { SqliteThread } from '../../store/sqlite-thread.ts';
import { Problem } from '../http/problems/problem.ts';
import type { News, Numbered, Opened, Order, Reply } from './jobs.ts';

/** A thread that could not be had. */
export class NoThreadError extends Error {}

interface ThreadOptions {
  readonly maxHeapMegabytes?: number;
  readonly maxYoungMegabytes?: number;
  /** Longest that a job may take; the thread ends with it. */
  readonly maxMs?: number;
}

/** So long are those kept that were let go, and so many at most. */
const KEPT_MS = 10_000;
const MOST_KEPT = 4;

interface Kept {
  /** What they run, and with what limits. */
  readonly runs: string;
  readonly worker: Worker;
  readonly timer: NodeJS.Timeout;
  end(): void;
}

const kept: Kept[] = [];

export class Thread<Job, Value> {
  /** Whether it takes jobs by now. */
  isReady = false;
  /** Why it ended; null before. */
  #fault: Error | null = null;
  readonly #runs: string;
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  // biome-ignore lint/suspicious/noExplicitAny: of three events
  readonly #listeners: readonly (readonly [event: string, listener: (given: any) => void])[] = [
    ['message', (message: Opened | Numbered<Reply<Value>>) => this.#take(message)],
    ['error', (error: Error) => this.#fail(error)],
    ['exit', () => this.#fail(new Problem('not-ready', 'the service is stopping'))],
  ];
  readonly #started = Promise.withResolvers<void>();
  readonly #jobs = new Map<number, PromiseWithResolvers<Value>>();
  #jobCount = 0;
  #isBackground = false;

  /** `order` names what the file is to open. */
  constructor(file: URL, order: object, options: ThreadOptions = {}) {
    const { maxHeapMegabytes, maxYoungMegabytes } = options;
    this.#options = options;
    this.#runs = `${file.href} ${maxHeapMegabytes} ${maxYoungMegabytes}`;
    this.#worker =
      takeKept(this.#runs) ??
      new SqliteThread(file, null, {
        resourceLimits: {
          ...(maxHeapMegabytes && { maxOldGenerationSizeMb: maxHeapMegabytes }),
          ...(maxYoungMegabytes && { maxYoungGenerationSizeMb: maxYoungMegabytes }),
        },
      });
    for (const [event, listener] of this.#listeners) this.#worker.on(event, listener);
    this.#worker.postMessage({ order } satisfies Order<object>);
  }

  /** Errors  why it could not start. */
  get ready(): Promise<void> {
    return this.#started.promise;
  }

  get hasEnded(): boolean {
    return this.#fault !== null;
  }

  /** Those that it has been given, and not answered. */
  get jobCount(): number {
    return this.#jobs.size;
  }

  /**
   * `moved` is handed over, not copied, once the thread is there.
   *
   * Errors  NoThreadError where it could not start; what the job threw, or why the thread ended; Problem `overloaded` where it
   *         took too long.
   */
  async run(job: Job, moved: readonly ArrayBuffer[] = []): Promise<Value> {
    if (this.isReady && this.#fault !== null) throw this.#fault;
    const answer = Promise.withResolvers<Value>();
    const number = this.#jobCount++;
    this.#jobs.set(number, answer);
    this.#worker.ref();
    let timer: NodeJS.Timeout | undefined;
    this.ready.then(
      () => {
        this.#worker.postMessage([number, job] satisfies Numbered<Job>, moved);
        const { maxMs } = this.#options;
        if (maxMs !== undefined) timer = setTimeout(() => this.end(tookTooLong(maxMs)), maxMs);
      },
      (cause) => answer.reject(new NoThreadError('the thread could not start', { cause })),
    );
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      this.#jobs.delete(number);
      if (this.#isBackground && this.#jobs.size === 0) this.#worker.unref();
    }
  }

  /** Tells it something before the jobs that it is given from now on. */
  tell(news: unknown): void {
    this.#worker.postMessage({ news } satisfies News<unknown>);
  }

  /** The process may end while it has no job. */
  unref(): this {
    this.#isBackground = true;
    if (this.#jobs.size === 0) this.#worker.unref();
    return this;
  }

  /** Jobs that it works at fail with `fault`. */
  end(fault: Error): void {
    this.#fail(fault);
    void this.#worker.terminate();
  }

  /** As `end`, but that one without a job is kept for the next that runs its file. */
  letGo(fault: Error): void {
    const isIdle = this.isReady && !this.hasEnded && this.#jobs.size === 0;
    this.#fail(fault);
    if (!isIdle) return void this.#worker.terminate();
    this.#worker.postMessage('close' satisfies Order<object>);
    for (const [event, listener] of this.#listeners) this.#worker.off(event, listener);
    keep(this.#runs, this.#worker);
  }

  #take(message: Opened | Numbered<Reply<Value>>): void {
    if (message === 'ready') {
      this.isReady = true;
      this.#started.resolve();
    } else if ('failed' in message) this.end(receivedError(message.failed));
    else this.#finish(...message);
  }

  /** What was on its way when the thread was ended comes still, for a job that has failed. */
  #finish(number: number, reply: Reply<Value>): void {
    const answer = this.#jobs.get(number);
    if (answer === undefined) return;
    if ('value' in reply) answer.resolve(reply.value);
    else if ('error' in reply) answer.reject(receivedError(reply.error));
    else answer.reject(new Problem(reply.problem.code, reply.problem.detail, reply.problem.extra));
  }

  #fail(fault: Error): void {
    this.#fault ??= fault;
    if (this.isReady) for (const { reject } of this.#jobs.values()) reject(fault);
    else this.#started.reject(fault);
  }
}

/** Keeps one that has nothing open. */
function keep(runs: string, worker: Worker): void {
  const end = () => {
    kept.splice(kept.indexOf(one), 1);
    void worker.terminate();
  };
  const one: Kept = { runs, worker, end, timer: setTimeout(end, KEPT_MS).unref() };
  worker.once('error', end);
  worker.unref();
  kept.push(one);
  if (kept.length > MOST_KEPT) kept[0]!.end();
}

function takeKept(wanted: string): Worker | undefined {
  const at = kept.findLastIndex(({ runs }) => runs === wanted);
  if (at < 0) return undefined;
  const { worker, end, timer } = kept.splice(at, 1)[0]!;
  clearTimeout(timer);
  worker.off('error', end);
  worker.ref();
  return worker;
}

function tookTooLong(maxMs: number): Problem {
  return overloaded(`the question took longer than ${maxMs / 1000} seconds`);
}

const RETRY_SECONDS = 2;

export function overloaded(detail: string): Problem {
  const headers = { 'retry-after': String(RETRY_SECONDS) };
  return new Problem('overloaded', `${detail}; come again in ${RETRY_SECONDS} seconds`, { headers });
}

/** What is asked of a thread of its own, which is let go then, and ends when it is not wanted any more. Errors  as `run`. */
export async function withThread<Job, Value, Result>(
  file: URL,
  order: object,
  signal: AbortSignal | undefined,
  work: (ask: (job: Job, moved?: readonly ArrayBuffer[]) => Promise<Value>) => Promise<Result>,
): Promise<Result> {
  const thread = new Thread<Job, Value>(file, order);
  const fault = new Error('its job is done, or not wanted');
  const end = () => thread.end(fault);
  signal?.addEventListener('abort', end);
  try {
    return await work((job, moved) => thread.run(job, moved));
  } finally {
    signal?.removeEventListener('abort', end);
    thread.letGo(fault);
  }
}

/** One job for a thread of its own. Errors  as `withThread`. */
export function runOnce<Value>(file: URL, order: object): Promise<Value> {
  return withThread<null, Value, Value>(file, order, undefined, (ask) => ask(null));
}
