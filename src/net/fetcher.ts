/**
 * Fetches one URL: one request, one response, no redirect followed. Everything a server can do is bounded: time to
 * connect, time to the head, time for all of it, bytes of the head and of the body. Every address is shown to the guard
 * before a connection is made, and the address of the socket again before a byte is sent.
 */
import { Agent, buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { badPortOf } from './bad-ports.ts';
import { Collector, type FetchRequest } from './collector.ts';
import { DnsCache, type Resolve } from './dns-cache.ts';
import type { Exchange, Failure } from './exchange.ts';

interface FetcherOptions {
  readonly guard: AddressGuard;
  readonly resolve: Resolve;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From the request to the last byte of the body. */
  readonly timeLimitMs: number;
  /** Whether a certificate that cannot be trusted ends the fetch. */
  readonly requireTrust: boolean;
}

const CONNECT_LIMIT_MS = 15_000;
const MAX_HEAD_BYTES = 65_536;
/** A host is asked once a second or less often: a connection should outlive the gap. */
const KEEP_ALIVE_MS = 30_000;

type Connector = ReturnType<typeof buildConnector>;

/**
 * One connection a host at a time, kept alive. HTTP/1.1 alone: of HTTP/2 undici takes a body for whole whose stream was reset in
 * the middle, and one fetch at a time gains nothing by it.
 */
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
      allowH2: false,
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
    const { now, timeLimitMs } = this.#options;
    const badPort = badPortOf(origin);
    if (badPort !== null) {
      const detail = `port ${badPort} is that of another protocol than HTTP`;
      return Promise.resolve({ kind: 'failure', reason: 'port', detail, startedAtMs: now(), durationMs: 0 });
    }
    return new Promise((resolve) => {
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
      allowH2: false,
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
