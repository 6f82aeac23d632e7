/**
 * Threads that answer what takes long - posted documents, searches - each with the index open for itself: a document of 4 MB
 * takes seconds, which the event loop spends on others.
 *
 *   run(job) -> waiting -> thread 0: any job
 *                      `-> thread 1: small ones, which so never wait behind a large document
 *
 * A thread is started by the first job that needs it. One that ends (a document that took all its memory, or too long)
 * takes its requests with it; the next job starts another. A thread that reads files has one job at a time; one that asks
 * servers, which it waits for, several. A job whose client has gone is not begun, and stopped where it is under way.
 *
 * Memory  a heap a thread, the lists of frequent words that it looked up, and what documents need.
 */
import type { LinkGraph } from '../../join/links/link-graph.ts';
import { unwanted } from '../http/gone.ts';
import { Problem } from '../http/problems/problem.ts';
import type { Answered } from '../http/reply.ts';
import { NoThreadError, overloaded, Thread } from './thread.ts';

/** A question to a route; the bytes of its body are handed over. */
export interface Job {
  /** By its name in the table. */
  readonly route: string;
  readonly question: {
    readonly query: object;
    readonly body: { readonly bytes: Uint8Array<ArrayBuffer> } | null;
  };
  /** Those of the index, where they are in memory: shared, not copied. */
  readonly links: LinkGraph | null;
  /** Numbers of shards that cannot be asked now. */
  readonly lost: readonly number[];
  /** Shared: not 0 from the time on that no client waits for the answer. */
  readonly stop: Int32Array;
}

export interface ThreadLimits {
  /** Jobs that wait for a thread at most; more are refused. */
  readonly maxWaiting: number;
  /** Bodies up to this size are small. */
  readonly smallBodyBytes: number;
  /** Longest that a job may take a thread. */
  readonly maxMs: number;
  readonly maxHeapMegabytes: number;
  /** Of new objects; undefined for as much as V8 takes. */
  readonly maxYoungMegabytes?: number;
}

export const THREAD_LIMITS: ThreadLimits = {
  maxWaiting: 32,
  smallBodyBytes: 64 * 1024,
  maxMs: 30_000,
  maxHeapMegabytes: 1024,
};

/**
 * Of threads that make pages ready. Below 2 GB V8 lets a heap grow by half or less before it collects all of it: every fifty pages,
 * which then took 10 to 20 ms more; and what is new needs no 60 MB.
 */
export const LIVE_LIMITS: Partial<ThreadLimits> = { maxHeapMegabytes: 2048, maxYoungMegabytes: 24 };

interface Waiting extends PromiseWithResolvers<Answered<unknown> | null> {
  readonly job: Job;
}

interface Place {
  readonly takesLarge: boolean;
  /** Null until it is needed. */
  thread: Thread<Job, Answered<unknown>> | null;
}

export class Threads {
  readonly #file: URL;
  readonly #order: () => object;
  readonly #jobsAtATime: number;
  readonly #limits: ThreadLimits;
  readonly #waiting: Waiting[] = [];
  readonly #places: readonly Place[] = [
    { takesLarge: true, thread: null },
    { takesLarge: false, thread: null },
  ];

  /** `file` is what a thread runs, `order` tells it which index it answers for, as that is when the thread starts. */
  constructor(file: URL, order: () => object, jobsAtATime: number, limits: ThreadLimits) {
    this.#file = file;
    this.#order = order;
    this.#jobsAtATime = jobsAtATime;
    this.#limits = limits;
  }

  /**
   * Null where no thread can be had: another index stands at the path by now.
   *
   * Errors  Problem `overloaded` where too many wait, or the job took too long; `request-timeout` where the client has gone;
   *         what the thread threw.
   */
  run(given: Omit<Job, 'stop'>, gone: AbortSignal): Promise<Answered<unknown> | null> {
    if (gone.aborted) return Promise.reject(unwanted());
    if (this.#waiting.length >= this.#limits.maxWaiting) {
      return Promise.reject(overloaded('too many questions that take long wait'));
    }
    const job = { ...given, stop: new Int32Array(new SharedArrayBuffer(4)) };
    const waiting = { ...Promise.withResolvers<Answered<unknown> | null>(), job };
    this.#waiting.push(waiting);
    const leave = () => {
      const at = this.#waiting.indexOf(waiting);
      if (at >= 0) this.#waiting.splice(at, 1);
      Atomics.store(job.stop, 0, 1);
      waiting.reject(unwanted());
    };
    gone.addEventListener('abort', leave);
    this.#assign();
    return waiting.promise.finally(() => gone.removeEventListener('abort', leave));
  }

  /** Starts those that do not run yet: a job that finds one waits for less. */
  start(): void {
    for (const place of this.#places) {
      if (place.thread?.hasEnded) place.thread = null;
      place.thread ??= this.#start();
    }
  }

  /** Tells the threads that run, before the jobs that come from now on. */
  tell(news: object): void {
    for (const { thread } of this.#places) if (thread?.hasEnded === false) thread.tell(news);
  }

  close(): void {
    const stopping = new Problem('not-ready', 'the service is stopping');
    for (const { thread } of this.#places) thread?.letGo(stopping);
    for (const { reject } of this.#waiting.splice(0)) reject(stopping);
  }

  /** Gives each thread that has room the first jobs that it takes; a job that finds none has one started. */
  #assign(): void {
    const { smallBodyBytes } = this.#limits;
    const isSmall = ({ job: { question } }: Waiting) => (question.body?.bytes.length ?? 0) <= smallBodyBytes;
    for (const place of this.#places) {
      for (;;) {
        if (place.thread?.hasEnded) place.thread = null;
        // The first job starts it; it takes more when it is there.
        if ((place.thread?.jobCount ?? 0) >= (place.thread?.isReady ? this.#jobsAtATime : 1)) break;
        const at = this.#waiting.findIndex((one) => place.takesLarge || isSmall(one));
        if (at < 0) break;
        place.thread ??= this.#start();
        void this.#give(place.thread, this.#waiting.splice(at, 1)[0]!);
      }
    }
  }

  #start(): Thread<Job, Answered<unknown>> {
    const thread = new Thread<Job, Answered<unknown>>(this.#file, this.#order(), this.#limits).unref();
    thread.ready.then(
      () => this.#assign(),
      () => {},
    );
    return thread;
  }

  async #give(thread: Thread<Job, Answered<unknown>>, { job, resolve, reject }: Waiting): Promise<void> {
    const { body } = job.question;
    try {
      resolve(await thread.run(job, body === null ? [] : [body.bytes.buffer]));
    } catch (error) {
      if (error instanceof NoThreadError) resolve(null);
      else reject(error);
    }
    this.#assign();
  }
}
