/**
 * Addresses of hosts, remembered for a while: a crawl asks for the same few hosts again and again, and the system's
 * resolver answers four questions at a time.
 */
import { lookup } from 'node:dns/promises';

interface Endpoint {
  readonly address: string;
  readonly family: number;
  /** To connect to instead of the port of the URL. */
  readonly port?: number;
}

/** All addresses of a host name. Throws where there are none. */
export type Resolve = (host: string) => Promise<readonly Endpoint[]>;

/** What other programs of this machine would get, its hosts file included. */
export const systemResolve: Resolve = (host) => lookup(host, { all: true, order: 'verbatim' });

const FOUND_MS = 5 * 60_000;
const NOT_FOUND_MS = 60_000;
/** A resolver that does not answer must not hold a fetch for minutes. */
const TIME_LIMIT_MS = 15_000;
const MAX_HOSTS = 20_000;

interface Entry {
  readonly endpoints: Promise<readonly Endpoint[]>;
  expiresAtMs: number;
}

export class DnsCache {
  readonly #resolve: Resolve;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();

  constructor(resolve: Resolve, now: () => number) {
    this.#resolve = resolve;
    this.#now = now;
  }

  /** Errors  those of the resolver, remembered too, and `ETIMEOUT`. */
  addressesOf(host: string): Promise<readonly Endpoint[]> {
    const known = this.#entries.get(host);
    if (known !== undefined && known.expiresAtMs > this.#now()) return known.endpoints;
    const entry = { endpoints: limited(host, this.#resolve(host)), expiresAtMs: Infinity };
    entry.endpoints.then(
      () => (entry.expiresAtMs = this.#now() + FOUND_MS),
      () => (entry.expiresAtMs = this.#now() + NOT_FOUND_MS),
    );
    this.#entries.delete(host);
    if (this.#entries.size >= MAX_HOSTS) this.#entries.delete(this.#entries.keys().next().value!);
    this.#entries.set(host, entry);
    return entry.endpoints;
  }
}

async function limited<Result>(host: string, answer: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error(`the resolver does not answer for ${host}`), { code: 'ETIMEOUT' });
    timer = setTimeout(() => reject(error), TIME_LIMIT_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
