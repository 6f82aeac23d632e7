/**
 * Threads that answer for posted documents and searches, each with the index open for itself: a document of 4 MB takes seconds, which
 * the event loop spends on others.
 *
 *   run(job) -> waiting -> thread 0: any document
 *                      `-> thread 1: small ones, which so never wait behind a large one
 *
 * A thread is started by the first job that needs it. One that ends (a document that took all its memory, or too long)
 * takes its requests with it; the next job starts another. A thread that reads files has one job at a time; one that asks
 * servers, which it waits for, several.
 *
 * Memory  a heap a thread, the lists of frequent words that it looked up, and what documents need.
 */
import { Worker } from 'node:worker_threads';
import { receivedError, type SentError } from '../../errors.ts';
import type { LinkGraph } from '../../join/links/link-graph.ts';
import { Problem, type ProblemCode, type ProblemExtra } from '../http/problems/problem.ts';
import type { Answered } from '../http/reply.ts';
import type { PeersOrder } from '../reads/shards/peers.ts';

/** Which index files are to be read: others may have taken their places. */
export interface ThreadOrder {
  readonly paths: readonly string[];
  /** Instead of files. */
  readonly peers?: PeersOrder;
  readonly generation: string;
  readonly exactSearchUs?: number;
}

/** What a thread is asked; the bytes of its body are handed over. */
export interface Job {
  readonly kind: 'similar' | 'compare' | 'group' | 'search' | 'reads';
  readonly query: object;
  readonly body: {
    readonly mediaType: string;
    readonly charset: string | null;
    readonly bytes: Uint8Array<ArrayBuffer>;
  } | null;
  /** Those of the index, where they are in memory: shared, not copied. */
  readonly links?: LinkGraph | null;
  /** Numbers of shards that cannot be asked now. */
  readonly lost?: readonly number[];
}

/** What a thread says of a job: an answer, what the request is refused with, or how it failed. */
export type Reply =
  | Answered<unknown>
  | {
      readonly problem: { readonly code: ProblemCode; readonly detail: string; readonly extra: ProblemExtra };
    }
  | { readonly error: SentError };

export interface ThreadLimits {
  /** Documents that wait for a thread at most; more are refused. */
  readonly maxWaiting: number;
  /** Bodies up to this size are small. */
  readonly smallBodyBytes: number;
  /** Longest that a document may take a thread. */
  readonly maxMs: number;
  readonly maxHeapMegabytes: number;
}

export const THREAD_LIMITS: ThreadLimits = {
  maxWaiting: 32,
  smallBodyBytes: 64 * 1024,
  maxMs: 30_000,
  maxHeapMegabytes: 1024,
};

const RETRY_SECONDS = 2;

interface Waiting {
  readonly job: Job;
  readonly resolve: (answer: Answered<unknown> | null) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly takesLarge: boolean;
  /** Null until it is needed. */
  worker: Worker | null;
  isReady: boolean;
  /** By the number that the thread knows them by. */
  readonly jobs: Map<number, Waiting>;
  readonly timers: Map<number, NodeJS.Timeout>;
}

/** What a thread gets and gives, with the number of the job. */
export type Numbered<Value> = readonly [number: number, value: Value];

/** Of a thread that asks servers. */
const JOBS_AT_A_TIME = 8;

export class Threads {
  readonly #url: URL;
  readonly #order: ThreadOrder;
  readonly #limits: ThreadLimits;
  readonly #waiting: Waiting[] = [];
  readonly #threads = [true, false].map((takesLarge): Thread => {
    return { takesLarge, worker: null, isReady: false, jobs: new Map(), timers: new Map() };
  });
  #jobCount = 0;

  /** `url` is the file that a thread runs. */
  constructor(url: URL, order: ThreadOrder, limits: ThreadLimits) {
    this.#url = url;
    this.#order = order;
    this.#limits = limits;
  }

  /**
   * Null where no thread can be had: another index stands at the path by now.
   *
   * Errors  Problem `overloaded` where too many wait, or the document took too long; what the thread threw.
   */
  run(job: Job): Promise<Answered<unknown> | null> {
    if (this.#waiting.length >= this.#limits.maxWaiting) {
      return Promise.reject(overloaded('too many documents wait'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject });
      this.#assign();
    });
  }

  close(): void {
    for (const { worker } of this.#threads) void worker?.terminate();
    for (const { reject } of this.#waiting.splice(0))
      reject(new Problem('not-ready', 'the service is stopping'));
  }

  /** Gives each thread that has room the first jobs that it takes; a job that finds none has one started. */
  #assign(): void {
    const most = this.#order.peers === undefined ? 1 : JOBS_AT_A_TIME;
    for (const thread of this.#threads) {
      // The first job starts it; it takes more when it is there.
      while (thread.jobs.size < (thread.isReady ? most : 1)) {
        const at = this.#waiting.findIndex(({ job }) => thread.takesLarge || !this.#isLarge(job));
        if (at < 0) break;
        const number = this.#jobCount++;
        thread.jobs.set(number, this.#waiting.splice(at, 1)[0]!);
        thread.worker ??= this.#start(thread);
        if (thread.isReady) this.#send(thread, number);
      }
    }
  }

  #start(thread: Thread): Worker {
    const worker = new Worker(this.#url, {
      workerData: this.#order,
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.maxHeapMegabytes },
    });
    worker.unref();
    let fault: Error | undefined;
    worker.on('message', (message: { readonly ready: true } | Numbered<Reply>) => {
      if ('ready' in message) {
        thread.isReady = true;
        for (const number of thread.jobs.keys()) this.#send(thread, number);
      } else finish(thread, ...message);
      this.#assign();
    });
    worker.on('error', (error: Error) => {
      fault = error;
    });
    worker.on('exit', () => {
      const { isReady } = thread;
      const jobs = [...thread.jobs.values()];
      for (const timer of thread.timers.values()) clearTimeout(timer);
      thread.jobs.clear();
      thread.timers.clear();
      Object.assign(thread, { worker: null, isReady: false });
      for (const { resolve, reject } of jobs) {
        if (!isReady) resolve(null);
        else reject(fault ?? new Problem('not-ready', 'the service is stopping'));
      }
      if (jobs.length > 0) this.#assign();
    });
    return worker;
  }

  #send(thread: Thread, number: number): void {
    const { worker, jobs, timers } = thread;
    const { maxMs } = this.#limits;
    const endIt = () => {
      const problem = overloaded(`the document took longer than ${maxMs / 1000} seconds`);
      for (const { reject } of jobs.values()) reject(problem);
      // Takes no more of them.
      thread.isReady = false;
      void worker!.terminate();
    };
    timers.set(number, setTimeout(endIt, maxMs));
    const { job } = jobs.get(number)!;
    worker!.postMessage([number, job], job.body === null ? [] : [job.body.bytes.buffer]);
  }

  #isLarge({ body }: Job): boolean {
    return body !== null && body.bytes.length > this.#limits.smallBodyBytes;
  }
}

function finish({ jobs, timers }: Thread, number: number, reply: Reply): void {
  const { resolve, reject } = jobs.get(number)!;
  clearTimeout(timers.get(number));
  jobs.delete(number);
  timers.delete(number);
  if ('value' in reply) resolve(reply);
  else if ('error' in reply) reject(receivedError(reply.error));
  else reject(new Problem(reply.problem.code, reply.problem.detail, reply.problem.extra));
}

function overloaded(detail: string): Problem {
  const headers = { 'retry-after': String(RETRY_SECONDS) };
  return new Problem('overloaded', `${detail}; come again in ${RETRY_SECONDS} seconds`, { headers });
}
