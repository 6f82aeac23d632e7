/**
 * Fetches one URL: one request, one response, no redirect followed. Everything a server can do is bounded: time to
 * connect, time to the head, time for all of it, bytes of the head and of the body. Every address is shown to the guard
 * before a connection is made, and the address of the socket again before a byte is sent.
 */
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { DnsCache, type Resolve } from './dns-cache.ts';
import { type Cut, type Exchange, type Failure, failureReason } from './exchange.ts';

export interface FetcherOptions {
  readonly guard: AddressGuard;
  readonly resolve: Resolve;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From the request to the last byte of the body. */
  readonly timeLimitMs: number;
  /** Whether a certificate that cannot be trusted ends the fetch. */
  readonly requireTrust: boolean;
}

export interface FetchRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of the body, as sent, that are taken; the rest is cut off. */
  readonly maxBytes: number;
  /** Asked once the head is there; where it says no, the connection is closed and the body not read. */
  readonly wantsBody: (status: number, contentType: string | null) => boolean;
}

const CONNECT_LIMIT_MS = 15_000;
const MAX_HEAD_BYTES = 65_536;
/** A host is asked once a second or less often: a connection should outlive the gap. */
const KEEP_ALIVE_MS = 30_000;

type Connector = ReturnType<typeof buildConnector>;

/** One connection a host at a time, kept alive; HTTP/2 where the server offers it. */
export class Fetcher {
  readonly #options: FetcherOptions;
  readonly #agent: Agent;
  readonly #dns: DnsCache;
  /** Of the connection made last, by origin. */
  readonly #addresses = new Map<string, string>();

  constructor(options: FetcherOptions) {
    this.#options = options;
    this.#dns = new DnsCache(options.resolve, options.now);
    this.#agent = new Agent({
      connect: this.#connector(),
      connections: 1,
      pipelining: 1,
      allowH2: true,
      maxHeaderSize: MAX_HEAD_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      headersTimeout: options.timeLimitMs,
      bodyTimeout: options.timeLimitMs,
    });
  }

  /** @param url an absolute http(s) URL without credentials. */
  fetch(url: string, request: FetchRequest): Promise<Exchange | Failure> {
    const pathAt = url.indexOf('/', url.indexOf('//') + 2);
    const origin = url.slice(0, pathAt);
    return new Promise((resolve) => {
      const { now, timeLimitMs } = this.#options;
      const collector = new Collector(request, now, timeLimitMs, (result) => {
        resolve(
          result.kind === 'failure' ? result : { ...result, address: this.#addresses.get(origin) ?? null },
        );
      });
      this.#agent.dispatch(
        { origin, path: url.slice(pathAt), method: 'GET', headers: request.headers },
        collector,
      );
    });
  }

  /** Ends the connections; fetches under way fail. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #connector(): Connector {
    const connect = buildConnector({
      timeout: CONNECT_LIMIT_MS,
      rejectUnauthorized: this.#options.requireTrust,
      allowH2: true,
      lookup: (host, options, callback) => {
        this.#checkedAddresses(host).then(
          (endpoints) => {
            if (options.all === true) callback(null, [...endpoints]);
            else callback(null, endpoints[0]!.address, endpoints[0]!.family);
          },
          (error: NodeJS.ErrnoException) => callback(error, []),
        );
      },
    } as Parameters<typeof buildConnector>[0]);
    return (options, callback) => {
      const { hostname, protocol } = options;
      const literal = hostname.replace(/^\[(.*)\]$/, '$1');
      const origin = `${protocol}//${options.host ?? hostname}`;
      this.#checkedAddresses(literal).then(
        (endpoints) => {
          const port = endpoints[0]!.port;
          const to = { ...options, hostname: literal, ...(port !== undefined && { port: String(port) }) };
          connect(to, (...[error, socket]) => {
            if (error !== null) return callback(error, null);
            const address = socket.remoteAddress ?? '';
            if (!this.#options.guard.allows(address)) {
              socket.destroy();
              return callback(refusal(literal, address), null);
            }
            this.#addresses.set(origin, address);
            socket.once('close', () => this.#addresses.delete(origin));
            callback(null, socket);
          });
        },
        (error: Error) => callback(error, null),
      );
    };
  }

  /** One address that is refused refuses the host: it has no honest reason to lead there too. */
  async #checkedAddresses(host: string) {
    const { guard } = this.#options;
    const isLiteral = /^[\d.]+$|:/.test(host);
    const endpoints = isLiteral
      ? [{ address: host, family: host.includes(':') ? 6 : 4 }]
      : await this.#dns.addressesOf(host);
    if (endpoints.length === 0)
      throw Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
    for (const { address } of endpoints) if (!guard.allows(address)) throw refusal(host, address);
    return endpoints as readonly { address: string; family: number; port?: number }[];
  }
}

function refusal(host: string, address: string): Error {
  const where = host === address ? host : `${host} (${address})`;
  return Object.assign(new Error(`${where} is not a public address`), { code: 'ADDRESS_REFUSED' });
}

type Outcome = Omit<Exchange, 'address'> | Failure;

/** Takes a response as it comes, and settles once: when it is whole, when it is cut, or when it failed. */
class Collector implements Dispatcher.DispatchHandler {
  readonly #request: FetchRequest;
  readonly #now: () => number;
  readonly #settle: (outcome: Outcome) => void;
  readonly #startedAtMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #sizeBytes = 0;
  #head: Pick<Exchange, 'status' | 'reason' | 'headers' | 'protocol'> | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #isSettled = false;

  constructor(
    request: FetchRequest,
    now: () => number,
    timeLimitMs: number,
    settle: (outcome: Outcome) => void,
  ) {
    this.#request = request;
    this.#now = now;
    this.#settle = settle;
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
    if (this.#isSettled) controller.abort(new Error('too late'));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    reason = '',
  ): void {
    // 1xx: the response proper is still to come.
    if (status < 200 || this.#isSettled) return;
    const contentType = headers['content-type'];
    const raw = controller.rawHeaders;
    this.#head = {
      status,
      reason,
      headers: Array.isArray(raw) ? pairsOf(raw) : listed(headers),
      protocol: Array.isArray(raw) ? 'HTTP/1.1' : 'HTTP/2',
    };
    const type = Array.isArray(contentType) ? (contentType[0] ?? null) : (contentType ?? null);
    if (!this.#request.wantsBody(status, type)) this.#cut('unwanted');
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isSettled) return;
    const room = this.#request.maxBytes - this.#sizeBytes;
    this.#chunks.push(chunk.length <= room ? chunk : chunk.subarray(0, room));
    this.#sizeBytes += Math.min(chunk.length, room);
    if (chunk.length > room) this.#cut('length');
  }

  onResponseEnd(): void {
    if (!this.#isSettled && this.#head !== null) this.#finish(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#isSettled) return;
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
    this.#settle({ kind: 'response', ...this.#head!, body, cut, ...this.#times() });
  }

  #fail(error: Error): void {
    if (!this.#end()) return;
    const cause = error instanceof AggregateError ? (error.errors[0] as Error) : error;
    const reason = failureReason((error as { code?: unknown }).code === undefined ? cause : error);
    this.#settle({ kind: 'failure', reason, detail: cause.message, ...this.#times() });
  }

  #end(): boolean {
    const isFirst = !this.#isSettled;
    this.#isSettled = true;
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

function listed(headers: Readonly<Record<string, string | string[] | undefined>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined || name.startsWith(':')) return [];
    return (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, one]);
  });
}
