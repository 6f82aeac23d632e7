import type { Dispatcher } from 'undici';
import { type Cut, type Exchange, type Failure, failureReason } from './exchange.ts';

export interface FetchRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of the body, as sent, that are taken; the rest is cut off. */
  readonly maxBytes: number;
  /** Asked once the head is there; where it says no, the connection is closed and the body not read. */
  readonly wantsBody: (status: number, contentType: string | null) => boolean;
}

type Outcome = Omit<Exchange, 'address'> | Failure;

/** Takes a response as it comes, and is done once: when it is whole, when it is cut, or when it failed. */
export class Collector implements Dispatcher.DispatchHandler {
  readonly #request: FetchRequest;
  readonly #now: () => number;
  readonly #done: (outcome: Outcome) => void;
  readonly #startedAtMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #sizeBytes = 0;
  #head: Pick<Exchange, 'status' | 'reason' | 'headers'> | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #isDone = false;

  constructor(
    request: FetchRequest,
    now: () => number,
    timeLimitMs: number,
    done: (outcome: Outcome) => void,
  ) {
    this.#request = request;
    this.#now = now;
    this.#done = done;
    this.#startedAtMs = now();
    this.#timer = setTimeout(() => {
      const error = Object.assign(new Error(`no whole answer within ${timeLimitMs} ms`), {
        code: 'TIME_LIMIT',
      });
      if (this.#head === null) this.#fail(error);
      else this.#finish('time');
      this.#controller?.abort(error);
    }, timeLimitMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isDone) controller.abort(new Error('too late'));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    reason = '',
  ): void {
    // 1xx: the response proper is still to come.
    if (status < 200 || this.#isDone) return;
    const contentType = headers['content-type'];
    this.#head = {
      status,
      // A character a byte, as in headers; undici reads it as UTF-8.
      reason: Buffer.from(reason).toString('latin1'),
      headers: pairsOf(controller.rawHeaders as (Buffer | string)[]),
    };
    const type = Array.isArray(contentType) ? (contentType[0] ?? null) : (contentType ?? null);
    if (!this.#request.wantsBody(status, type)) this.#cut('unwanted');
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isDone) return;
    const room = this.#request.maxBytes - this.#sizeBytes;
    this.#chunks.push(chunk.length <= room ? chunk : chunk.subarray(0, room));
    this.#sizeBytes += Math.min(chunk.length, room);
    if (chunk.length > room) this.#cut('length');
  }

  onResponseEnd(): void {
    if (!this.#isDone && this.#head !== null) this.#finish(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#isDone) return;
    if (this.#head === null) this.#fail(error);
    else this.#finish(failureReason(error) === 'timeout' ? 'time' : 'disconnect');
  }

  #cut(cut: Cut): void {
    this.#finish(cut);
    this.#controller?.abort(new Error(`body cut: ${cut}`));
  }

  #finish(cut: Cut | null): void {
    if (!this.#end()) return;
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#sizeBytes);
    this.#done({ kind: 'response', ...this.#head!, body, cut, ...this.#times() });
  }

  #fail(error: Error): void {
    if (!this.#end()) return;
    const cause = error instanceof AggregateError ? (error.errors[0] as Error) : error;
    const reason = failureReason((error as { code?: unknown }).code === undefined ? cause : error);
    this.#done({ kind: 'failure', reason, detail: cause.message, ...this.#times() });
  }

  #end(): boolean {
    const isFirst = !this.#isDone;
    this.#isDone = true;
    clearTimeout(this.#timer);
    return isFirst;
  }

  #times() {
    return { startedAtMs: this.#startedAtMs, durationMs: Math.max(0, this.#now() - this.#startedAtMs) };
  }
}

function pairsOf(raw: readonly (Buffer | string)[]): [string, string][] {
  const text = (part: Buffer | string) => (typeof part === 'string' ? part : part.toString('latin1'));
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) pairs.push([text(raw[i]!), text(raw[i + 1]!)]);
  return pairs;
}
