import { parentPort, type TransferListItem, Worker, workerData } from 'node:worker_threads';
import { receivedError, type SentError, sentError } from '../../errors.ts';

/**
 * One thread that answers messages in their order. The module of the thread calls `serveThread`. An error that it throws
 * keeps its class, code and hint; a RangeError ends the thread.
 */

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

type Reply = { readonly result: unknown } | { readonly error: SentError };

interface Waiting<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export class Thread<Message, Result> {
  readonly #worker: Worker;
  readonly #waiting: Waiting<Result>[] = [];
  #end: { readonly cause: unknown; readonly exitCode: number } | null = null;

  /** `moduleUrl` without its extension: `.ts`, or `.js` once compiled. */
  constructor(moduleUrl: URL, data: unknown) {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    this.#worker = new Worker(new URL(`${moduleUrl.href}.${extension}`), {
      workerData: data,
      // A small nursery: what a page leaves behind is dead at once, and each thread would else hold 50 MB of it.
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    });
    let cause: unknown;
    this.#worker.on('message', (reply: Reply) => {
      const { resolve, reject } = this.#waiting.shift()!;
      if ('error' in reply) reject(receivedError(reply.error));
      else resolve(reply.result as Result);
    });
    this.#worker.on('error', (error) => {
      cause = error;
    });
    this.#worker.once('exit', (exitCode) => {
      this.#end = { cause, exitCode };
      const waiting = this.#waiting.splice(0);
      for (const [i, { reject }] of waiting.entries()) reject(new ThreadEndError(cause, exitCode, i === 0));
    });
  }

  get hasEnded(): boolean {
    return this.#end !== null;
  }

  /** Errors  what the thread threw, as it was there; ThreadEndError where the thread ended. */
  ask(message: Message, transferList: readonly TransferListItem[] = []): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    if (this.#end !== null) {
      reject(new ThreadEndError(this.#end.cause, this.#end.exitCode, false));
    } else {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(message, transferList);
    }
    return promise;
  }

  /** Ends the thread, whatever it is at. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Answers the messages of a `Thread` with what `open` returns for its data. Called once, by the module of the thread. */
export function serveThread<Data, Message, Result>(
  open: (data: Data) => (message: Message) => Result,
  transferListOf: (result: Result) => readonly TransferListItem[] = () => [],
): void {
  let answer: (message: Message) => Result;
  try {
    answer = open(workerData as Data);
  } catch (error) {
    // Whoever asks hears of it.
    answer = () => {
      throw error;
    };
  }
  parentPort!.on('message', (message: Message) => {
    try {
      const result = answer(message);
      parentPort!.postMessage({ result } satisfies Reply, transferListOf(result));
    } catch (error) {
      // The stack or an array was at its limit: what the thread holds may be half written.
      if (error instanceof RangeError) throw error;
      parentPort!.postMessage({ error: sentError(error) } satisfies Reply);
    }
  });
}
