/**
 * Threads that answer for posted documents and searches, each with the index open for itself: a document of 4 MB takes seconds, which
 * the event loop spends on others.
 *
 *   run(job) -> waiting -> thread 0: any document
 *                      `-> thread 1: small ones, which so never wait behind a large one
 *
 * A thread is started by the first job that needs it. One that ends (a document that took all its memory, or too long)
 * takes its request with it; the next job starts another.
 *
 * Memory  a heap a thread, the lists of frequent words that it looked up, and what documents need.
 */
import { Worker } from 'node:worker_threads';
import { receivedError, type SentError } from '../../errors.ts';
import type { LinkGraph } from '../../join/links/link-graph.ts';
import type { EmptyAnswers } from '../http/metrics.ts';
import { Problem, type ProblemCode, type ProblemExtra } from '../http/problem.ts';

/** Which index files are to be read: others may have taken their places. */
export interface DocumentOrder {
  readonly paths: readonly string[];
  readonly generation: string;
  readonly exactSearchUs: number;
}

/** What a thread is asked; the bytes of its body are handed over. */
export interface DocumentJob {
  readonly kind: 'similar' | 'compare' | 'group' | 'search' | 'reads';
  readonly query: object;
  readonly body: {
    readonly mediaType: string;
    readonly charset: string | null;
    readonly bytes: Uint8Array<ArrayBuffer>;
  } | null;
  /** Those of the index, where they are in memory: shared, not copied. */
  readonly links?: LinkGraph | null;
}

/** What a thread says: that it is ready, an answer, what the request is refused with, or how it failed. */
export type DocumentReply =
  | { readonly ready: true }
  | { readonly answer: string; readonly emptyAnswers: EmptyAnswers }
  | {
      readonly problem: { readonly code: ProblemCode; readonly detail: string; readonly extra: ProblemExtra };
    }
  | { readonly error: SentError };

export interface DocumentLimits {
  /** Documents that wait for a thread at most; more are refused. */
  readonly maxWaiting: number;
  /** Bodies up to this size are small. */
  readonly smallBodyBytes: number;
  /** Longest that a document may take a thread. */
  readonly maxMs: number;
  readonly maxHeapMegabytes: number;
}

export const DOCUMENT_LIMITS: DocumentLimits = {
  maxWaiting: 32,
  smallBodyBytes: 64 * 1024,
  maxMs: 30_000,
  maxHeapMegabytes: 1024,
};

const RETRY_SECONDS = 2;

interface DocumentAnswer {
  readonly answer: string;
  readonly emptyAnswers: EmptyAnswers;
}

interface Waiting {
  readonly job: DocumentJob;
  readonly resolve: (answer: DocumentAnswer | null) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly takesLarge: boolean;
  /** Null until it is needed. */
  worker: Worker | null;
  isReady: boolean;
  job: Waiting | null;
  timer: NodeJS.Timeout | undefined;
}

export class DocumentThreads {
  readonly #url: URL;
  readonly #order: DocumentOrder;
  readonly #limits: DocumentLimits;
  readonly #waiting: Waiting[] = [];
  readonly #threads = [true, false].map((takesLarge): Thread => {
    return { takesLarge, worker: null, isReady: false, job: null, timer: undefined };
  });

  /** `url` is the file that a thread runs. */
  constructor(url: URL, order: DocumentOrder, limits: DocumentLimits) {
    this.#url = url;
    this.#order = order;
    this.#limits = limits;
  }

  /**
   * Null where no thread can be had: another index stands at the path by now.
   *
   * Errors  Problem `overloaded` where too many wait, or the document took too long; what the thread threw.
   */
  run(job: DocumentJob): Promise<DocumentAnswer | null> {
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

  /** Gives each idle thread the first job that it takes; a job that finds none idle has one started. */
  #assign(): void {
    for (const thread of this.#threads) {
      if (thread.job !== null || (thread.worker !== null && !thread.isReady)) continue;
      const at = this.#waiting.findIndex(({ job }) => thread.takesLarge || !this.#isLarge(job));
      if (at < 0) continue;
      thread.job = this.#waiting.splice(at, 1)[0]!;
      thread.worker ??= this.#start(thread);
      if (thread.isReady) this.#send(thread);
    }
  }

  #start(thread: Thread): Worker {
    const worker = new Worker(this.#url, {
      workerData: this.#order,
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.maxHeapMegabytes },
    });
    worker.unref();
    let fault: Error | undefined;
    worker.on('message', (reply: DocumentReply) => {
      if ('ready' in reply) {
        thread.isReady = true;
        this.#send(thread);
      } else {
        settle(thread, reply);
        this.#assign();
      }
    });
    worker.on('error', (error: Error) => {
      fault = error;
    });
    worker.on('exit', () => {
      const { isReady, job, timer } = thread;
      clearTimeout(timer);
      Object.assign(thread, { worker: null, isReady: false, job: null });
      if (!isReady) job?.resolve(null);
      else job?.reject(fault ?? new Problem('not-ready', 'the service is stopping'));
      if (job !== null) this.#assign();
    });
    return worker;
  }

  #send(thread: Thread): void {
    const { worker, job } = thread;
    const { maxMs } = this.#limits;
    thread.timer = setTimeout(() => {
      thread.job?.reject(overloaded(`the document took longer than ${maxMs / 1000} seconds`));
      void worker!.terminate();
    }, maxMs);
    const { body } = job!.job;
    worker!.postMessage(job!.job, body === null ? [] : [body.bytes.buffer]);
  }

  #isLarge({ body }: DocumentJob): boolean {
    return body !== null && body.bytes.length > this.#limits.smallBodyBytes;
  }
}

function settle(thread: Thread, reply: Exclude<DocumentReply, { ready: true }>): void {
  const { resolve, reject } = thread.job!;
  clearTimeout(thread.timer);
  thread.job = null;
  if ('answer' in reply) resolve(reply);
  else if ('error' in reply) reject(receivedError(reply.error));
  else reject(new Problem(reply.problem.code, reply.problem.detail, reply.problem.extra));
}

function overloaded(detail: string): Problem {
  const headers = { 'retry-after': String(RETRY_SECONDS) };
  return new Problem('overloaded', `${detail}; come again in ${RETRY_SECONDS} seconds`, { headers });
}
