/**
 * A thread: runs a file, which answers jobs by `answerJobs` (`jobs.ts`). What reading takes of memory ends with it.
 *
 *   Thread.run(job) -> [number, job] -> answerJobs -> [number, reply] -> what `run` resolves to
 */
import { Worker } from 'node:worker_threads';
import { receivedError } from '../../errors.ts';
import { Problem } from '../http/problems/problem.ts';
import type { News, Numbered, Reply } from './jobs.ts';

/** A thread that could not be had. */
export class NoThreadError extends Error {}

interface ThreadOptions {
  readonly maxHeapMegabytes?: number;
  /** Longest that a job may take; the thread ends with it. */
  readonly maxMs?: number;
}

export class Thread<Job, Value> {
  /** Whether it takes jobs by now. */
  isReady = false;
  hasEnded = false;
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  readonly #started = Promise.withResolvers<void>();
  readonly #jobs = new Map<number, PromiseWithResolvers<Value>>();
  #jobCount = 0;
  #isBackground = false;

  /** `order` is what the file finds as its `workerData`. */
  constructor(file: URL, order: object, options: ThreadOptions = {}) {
    const { maxHeapMegabytes } = options;
    this.#options = options;
    this.#worker = new Worker(file, {
      workerData: order,
      ...(maxHeapMegabytes && { resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes } }),
    });
    this.#worker.on('message', (message: 'ready' | Numbered<Reply<Value>>) => {
      if (message !== 'ready') return this.#finish(...message);
      this.isReady = true;
      this.#started.resolve();
    });
    this.#worker.on('error', (error) => this.#fail(error as Error));
    this.#worker.on('exit', () => this.#fail(new Problem('not-ready', 'the service is stopping')));
  }

  /** Errors  why it could not start. */
  get ready(): Promise<void> {
    return this.#started.promise;
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

  #finish(number: number, reply: Reply<Value>): void {
    const { resolve, reject } = this.#jobs.get(number)!;
    if ('value' in reply) resolve(reply.value);
    else if ('error' in reply) reject(receivedError(reply.error));
    else reject(new Problem(reply.problem.code, reply.problem.detail, reply.problem.extra));
  }

  #fail(fault: Error): void {
    this.hasEnded = true;
    if (this.isReady) for (const { reject } of this.#jobs.values()) reject(fault);
    else this.#started.reject(fault);
  }
}

function tookTooLong(maxMs: number): Problem {
  return overloaded(`the question took longer than ${maxMs / 1000} seconds`);
}

const RETRY_SECONDS = 2;

export function overloaded(detail: string): Problem {
  const headers = { 'retry-after': String(RETRY_SECONDS) };
  return new Problem('overloaded', `${detail}; come again in ${RETRY_SECONDS} seconds`, { headers });
}

/** One job on a thread of its own. Errors  as `run`. */
export async function runOnce<Value>(file: URL, order: object): Promise<Value> {
  const thread = new Thread<null, Value>(file, order);
  try {
    return await thread.run(null);
  } finally {
    thread.end(new Error('its one job is done'));
  }
}
