/** The robots.txt of each origin, fetched before anything else of it and kept for a day at most. */
import type { Exchange, Failure } from '../../net/exchange.ts';
import { decodeBody, decodeText } from '../../page/decode.ts';
import type { Headers } from '../../sources/http/headers.ts';
import { decodeHttpBody } from '../../sources/http/http-body.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';
import { headersOf, redirectTarget } from '../response/read-response.ts';
import { MAX_ROBOTS_BYTES, Robots } from './robots.ts';

const KEPT_MS = 24 * 60 * 60_000;
/** The RFC asks for five at least. */
const MAX_REDIRECTS = 5;
const MAX_ORIGINS = 20_000;
/** Of a file that comes compressed. */
const MAX_DECODED_BYTES = 8 * MAX_ROBOTS_BYTES;

interface RobotsAccess {
  /** Fetches one URL with the headers of the crawler. */
  fetch(url: string, maxBytes: number): Promise<Exchange | Failure>;
  /** As long as a host is left alone after a fetch that took so long. */
  pause(lastFetchMs: number): Promise<unknown>;
  /** Milliseconds since 1970. */
  now(): number;
}

interface Asked {
  /** Null where the server could not be asked, or did not answer properly: nothing may be fetched then. */
  readonly robots: Robots | null;
  /** The last fetch, behind all redirects. */
  readonly last: Exchange | Failure;
}

export class RobotsCache {
  readonly #agent: string;
  readonly #access: RobotsAccess;
  readonly #entries = new Map<string, { robots: Robots; expiresAtMs: number }>();

  constructor(agent: string, access: RobotsAccess) {
    this.#agent = agent;
    this.#access = access;
  }

  /** What is known and not too old; null where it has to be fetched. */
  known(origin: string): Robots | null {
    const entry = this.#entries.get(origin);
    return entry !== undefined && entry.expiresAtMs > this.#access.now() ? entry.robots : null;
  }

  /**
   * Fetches the rules of an origin: none where the server says that there is no file (4xx). Errors of the server, 429
   * among them, failures of the network and a file that cannot be unpacked give null. Redirects are followed with the gap of any two fetches.
   */
  async load(origin: string): Promise<Asked> {
    let url = canonicalUrl(`${origin}/robots.txt`)!;
    for (let hop = 0; ; hop++) {
      const last = await this.#access.fetch(url, MAX_ROBOTS_BYTES);
      if (last.kind === 'failure' || !isAnswer(last)) return { robots: null, last };
      const headers = headersOf(last);
      const target = redirectTarget(last, headers, url);
      if (target === null) {
        const robots = this.#read(last, headers);
        return { robots: robots && this.#keep(origin, robots), last };
      }
      // As if there were no file: the RFC's word for a chain without end.
      if (hop === MAX_REDIRECTS) return { robots: this.#keep(origin, Robots.allowAll), last };
      url = target;
      await this.#access.pause(last.durationMs);
    }
  }

  /** Null where it cannot be unpacked, or is too large then. */
  #read(exchange: Exchange, headers: Headers): Robots | null {
    if (exchange.status < 200 || exchange.status >= 300) return Robots.allowAll;
    const decoded = decodeHttpBody(exchange.body, headers, MAX_DECODED_BYTES);
    if (decoded.fault !== null) return null;
    // A line is a rule whatever bytes stand elsewhere in the file.
    const { text } = decodeBody(decoded.body, 'utf-8') ?? decodeText(decoded.body);
    const isCut = exchange.cut !== null || text.length > MAX_ROBOTS_BYTES;
    return Robots.parse(isCut ? wholeLines(text.slice(0, MAX_ROBOTS_BYTES)) : text, this.#agent);
  }

  #keep(origin: string, robots: Robots): Robots {
    this.#entries.delete(origin);
    if (this.#entries.size >= MAX_ORIGINS) this.#entries.delete(this.#entries.keys().next().value!);
    this.#entries.set(origin, { robots, expiresAtMs: this.#access.now() + KEPT_MS });
    return robots;
  }
}

/** Without the last line, which may be cut: what is left of `allow: /a/b` would allow more. */
function wholeLines(text: string): string {
  return text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
}

/** Neither trouble of the server nor a file that broke off. */
function isAnswer({ status, cut }: Exchange): boolean {
  return status !== 429 && status < 500 && cut !== 'time' && cut !== 'disconnect';
}
