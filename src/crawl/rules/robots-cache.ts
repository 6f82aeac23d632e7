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

/** A request on the way to the rules of an origin. */
export interface RobotsRequest {
  readonly origin: string;
  readonly url: string;
  /** Redirects that led here. */
  readonly redirects: number;
}

export function robotsRequest(origin: string): RobotsRequest {
  return { origin, url: canonicalUrl(`${origin}/robots.txt`)!, redirects: 0 };
}

export class RobotsCache {
  readonly #agent: string;
  readonly #now: () => number;
  readonly #entries = new Map<string, { robots: Robots; expiresAtMs: number }>();

  /** @param now milliseconds since 1970. */
  constructor(agent: string, now: () => number) {
    this.#agent = agent;
    this.#now = now;
  }

  /** What is known and not too old; null where it has to be fetched. */
  known(origin: string): Robots | null {
    const entry = this.#entries.get(origin);
    return entry !== undefined && entry.expiresAtMs > this.#now() ? entry.robots : null;
  }

  /**
   * Takes in what came for a request.
   *
   * @returns the rules of its origin: none where the server says that there is no file (4xx); the request that a redirect
   *          leads to; or null where nothing may be fetched: at errors of the server, 429 among them, failures of the
   *          network, and for a file that cannot be unpacked.
   */
  take({ origin, url, redirects }: RobotsRequest, result: Exchange | Failure): Robots | RobotsRequest | null {
    if (result.kind === 'failure' || !isAnswer(result)) return null;
    const headers = headersOf(result);
    const target = redirectTarget(result, headers, url);
    if (target === null) {
      const robots = this.#read(result, headers);
      return robots && this.#keep(origin, robots);
    }
    // As if there were no file: the RFC's word for a chain without end.
    if (redirects === MAX_REDIRECTS) return this.#keep(origin, Robots.allowAll);
    return { origin, url: target, redirects: redirects + 1 };
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
    this.#entries.set(origin, { robots, expiresAtMs: this.#now() + KEPT_MS });
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
