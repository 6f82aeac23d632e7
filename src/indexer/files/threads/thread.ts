import type { TransferListItem } from 'node:worker_threads';
import { receivedError } from '../../../errors.ts';
import { SqliteThread } from '../../../store/sqlite-thread.ts';
import type { ThreadOrder, ThreadReply } from './thread-task.ts';

/** A thread ended while somebody waited for its answer: it ran out of memory or stack, or something stopped it. */
export class ThreadEndError extends Error {
  override readonly name = 'ThreadEndError';
  readonly code: string;
  /** Whether the thread was at this message; others waited behind it. */
  readonly wasRunning: boolean;

  constructor(cause: unknown, exitCode: number, wasRunning: boolean) {
    const { code, message } = (cause ?? {}) as { code?: string; message?: string };
    super(message ?? `a thread ended with code ${exitCode}`, { cause });
    this.code = code ?? 'ERR_WORKER_ENDED';
    this.wasRunning = wasRunning;
  }
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A small nursery: what a page leaves behind is dead at once, and each thread would else hold up to 100 MB of it. */
export const THREAD_LIMITS = { maxYoungGenerationSizeMb: 16 };

/** An isolate, with all who wait for its replies, which come in order. */
class Isolate {
  readonly #worker: SqliteThread;
  readonly #waiting: Waiting[] = [];
  #isEnding = false;
  end: { readonly cause: unknown; readonly exitCode: number } | null = null;

  constructor() {
    if (isolates.size === 0) heldBytes = process.memoryUsage.rss();
    isolates.add(this);
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const file = new URL(`./thread-main.${extension}`, import.meta.url);
    this.#worker = new SqliteThread(file, heldBytes, { resourceLimits: THREAD_LIMITS });
    let cause: unknown;
    this.#worker.on('message', (reply: ThreadReply) => {
      if (this.#isEnding) return;
      const { resolve, reject } = this.#waiting.shift()!;
      if ('error' in reply) reject(receivedError(reply.error));
      else resolve(reply.result);
    });
    this.#worker.on('error', (error) => {
      cause = error;
    });
    this.#worker.once('exit', (exitCode) => {
      this.end = { cause, exitCode };
      isolates.delete(this);
      idle.delete(this);
      const waiting = this.#waiting.splice(0);
      for (const [i, { reject }] of waiting.entries()) reject(new ThreadEndError(cause, exitCode, i === 0));
    });
  }

  get isBusy(): boolean {
    return this.#waiting.length > 0;
  }

  post(order: ThreadOrder, transferList: readonly TransferListItem[] = []): void {
    this.#worker.postMessage(order, transferList);
  }

  ask(order: ThreadOrder, transferList: readonly TransferListItem[] = []): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    if (this.end === null) {
      this.#waiting.push({ resolve, reject });
      this.post(order, transferList);
    } else reject(new ThreadEndError(this.end.cause, this.end.exitCode, false));
    return promise;
  }

  /** An idle one does not keep the process from ending. */
  set isIdle(isIdle: boolean) {
    if (isIdle) {
      this.#worker.unref();
      idle.add(this);
    } else {
      idle.delete(this);
      this.#worker.ref();
    }
  }

  async terminate(): Promise<void> {
    idle.delete(this);
    this.#isEnding = true;
    await this.#worker.terminate();
  }
}

const isolates = new Set<Isolate>();
/** What the process held when the first of them started. */
let heldBytes = 0;

/** Isolates without a task. A stage takes those of the one before: what all tasks share is loaded and compiled there. */
const idle = new Set<Isolate>();

/** How many threads are at work. */
export function busyThreadCount(): number {
  let count = 0;
  for (const isolate of isolates) if (isolate.isBusy) count++;
  return count;
}

let ending: NodeJS.Timeout | undefined;

/** Ends the isolates that have no task; where `keptMs` is given, those that another build has not taken until then. */
export async function endIdleThreads(keptMs = 0): Promise<void> {
  clearTimeout(ending);
  if (keptMs > 0) ending = setTimeout(endIdleThreads, keptMs).unref();
  else await Promise.all([...idle].map((isolate) => isolate.terminate()));
}

/**
 * One thread that answers messages in their order by the task of a module. An error that the task throws keeps its class,
 * code and hint; a RangeError ends the thread.
 */
export class Thread<Message, Result> {
  readonly #isolate: Isolate;

  /** @param moduleUrl of the module that exports `task`, without its extension: `.ts`, or `.js` once compiled. */
  constructor(moduleUrl: URL, data: unknown) {
    const [free] = idle;
    this.#isolate = free ?? new Isolate();
    this.#isolate.isIdle = false;
    this.#isolate.post({ moduleUrl: moduleUrl.href, data });
  }

  get hasEnded(): boolean {
    return this.#isolate.end !== null;
  }

  /** Errors  what the task threw, as it was there; ThreadEndError where the thread ended. */
  ask(message: Message, transferList: readonly TransferListItem[] = []): Promise<Result> {
    return this.#isolate.ask({ message }, transferList) as Promise<Result>;
  }

  /** Ends the task, whatever it is at. What it held in memory is free when this is done. */
  async stop(): Promise<void> {
    if (this.hasEnded) return;
    if (this.#isolate.isBusy) return this.#isolate.terminate();
    try {
      await this.#isolate.ask('close');
      this.#isolate.isIdle = true;
    } catch (error) {
      if (!(error instanceof ThreadEndError)) throw error;
    }
  }
}
