import { Pool } from 'undici';

interface PeerOptions {
  /** From the request, once it has its turn, to the last byte of the answer. */
  readonly timeLimitMs: number;
  /** Longest answer that is taken. */
  readonly maxBytes: number;
}

interface PeerAnswer {
  readonly status: number;
  readonly text: string;
}

/** Requests at a time; more wait for their turn. */
const CONNECTIONS = 64;
const MAX_WAITING = 1024;
const KEEP_ALIVE_MS = 30_000;
/** Answers that say they are no longer are taken as they come: an own piece of memory costs .1 ms. */
const SHORT_BYTES = 2 ** 20;

/** Nothing is wrong with the other process: too much is asked of it from here. */
export class PeerBusyError extends Error {}

/**
 * Another process of the same service, whose address the operator has given: no guard stands before it. Connections are
 * kept.
 */
export class Peer {
  readonly url: string;
  /** `http://host:port`. */
  readonly origin: string;
  readonly #pool: Pool;
  readonly #path: string;
  readonly #options: PeerOptions;
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param url an http(s) URL; its path stands before the paths that are asked for. */
  constructor(url: string, options: PeerOptions) {
    const { origin, pathname } = new URL(url);
    this.url = url;
    this.origin = origin;
    this.#path = pathname.replace(/\/$/, '');
    this.#options = options;
    const { timeLimitMs } = options;
    this.#pool = new Pool(origin, {
      connections: CONNECTIONS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      connectTimeout: timeLimitMs,
      headersTimeout: timeLimitMs,
      bodyTimeout: timeLimitMs,
    });
  }

  /**
   * Sends JSON, or asks where `body` is null. `isWanted` is asked when the turn has come; null where it says no.
   *
   * Errors  PeerBusyError where too many wait; Error where there is no whole answer in time (`isTimeout`).
   */
  async ask(path: string, body: string | null): Promise<PeerAnswer>;
  async ask(path: string, body: string | null, isWanted: () => boolean): Promise<PeerAnswer | null>;
  async ask(path: string, body: string | null, isWanted = () => true): Promise<PeerAnswer | null> {
    await this.#turn();
    try {
      return isWanted() ? await this.#ask(path, body) : null;
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#underWay--;
      else next();
    }
  }

  async #turn(): Promise<void> {
    if (this.#underWay < CONNECTIONS) {
      this.#underWay++;
      return;
    }
    if (this.#waiting.length >= MAX_WAITING) throw new PeerBusyError(`too much is asked of ${this.origin}`);
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async #ask(path: string, body: string | null): Promise<PeerAnswer> {
    const { timeLimitMs } = this.#options;
    const answer = await this.#pool.request({
      path: this.#path + path,
      method: body === null ? 'GET' : 'POST',
      headers: { accept: 'application/json', ...(body !== null && { 'content-type': 'application/json' }) },
      ...(body !== null && { body }),
      signal: AbortSignal.timeout(timeLimitMs),
    });
    const { statusCode: status, body: bytes } = answer;
    const lengthBytes = Number(answer.headers['content-length'] ?? Number.POSITIVE_INFINITY);
    const isShort = lengthBytes <= Math.min(SHORT_BYTES, this.#options.maxBytes);
    const text = isShort ? await bytes.text() : await this.#longText(bytes);
    return { status, text };
  }

  /** Its memory is given back at once, the more so where it never ends: a collector would not come while nothing is asked. */
  async #longText(body: AsyncIterable<Buffer>): Promise<string> {
    const { maxBytes } = this.#options;
    const bytes = new ArrayBuffer(0, { maxByteLength: maxBytes });
    try {
      for await (const chunk of body) {
        const start = bytes.byteLength;
        if (start + chunk.length > maxBytes)
          throw new Error(`${this.origin} sends more than ${maxBytes} bytes`);
        bytes.resize(start + chunk.length);
        new Uint8Array(bytes, start).set(chunk);
      }
      return Buffer.from(bytes).toString('utf8');
    } finally {
      bytes.transfer(0);
    }
  }

  /** Ends the connections; what is under way fails. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

/** Whether the other process is there, and has not answered in time. */
export function isTimeout(error: unknown): boolean {
  const { name } = error as Error;
  return name === 'TimeoutError' || name === 'HeadersTimeoutError' || name === 'BodyTimeoutError';
}
