/**
 * One turn of a back queue: what may be fetched, the fetch, and when the host and the origin may be asked again. What a failure means is
 * decided here; what a response means, in `outcomes.ts`.
 */
import { setImmediate } from 'node:timers/promises';
import type { Exchange, Failure } from '../net/exchange.ts';
import type { Fetcher } from '../net/fetcher.ts';
import { firstValue } from '../sources/http/headers.ts';
import { type FetchedPage, PARTIAL, type QueuedUrl } from '../store/frontier/records.ts';
import type { CrawlCounts, RefusalReason } from './folder/counts.ts';
import type { CrawlFolder } from './folder/crawl-folder.ts';
import { isAskedIfChanged } from './folder/page-history.ts';
import type { BackQueue, Frontier } from './frontier/frontier.ts';
import { originOf } from './frontier/origin-holds.ts';
import type { Outcomes } from './outcomes.ts';
import { headersOf } from './response/read-response.ts';
import { MAX_SITEMAP_BYTES } from './response/sitemap.ts';
import { branchesOf } from './rules/copy-stop.ts';
import { type CrawlWorld, userAgentHeader } from './rules/options.ts';
import { backoffMs, gapMs, MAX_RETRY_AFTER_MS, retryAfterMs } from './rules/politeness.ts';
import { MAX_ROBOTS_BYTES, Robots } from './rules/robots.ts';
import { RobotsCache, type RobotsRequest, robotsRequest } from './rules/robots-cache.ts';

/** Fetches of one URL. */
const MAX_ATTEMPTS = 3;
/** Failures of a server in a row until it is given up, for this run. */
const MAX_FAILURES = 6;
const MAX_FAILING_ORIGINS = 100_000;
/** The server cannot answer now; any other status is about the page. */
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** What a turn works on. */
interface TurnParts {
  readonly folder: CrawlFolder;
  readonly fetcher: Fetcher;
  readonly frontier: Frontier;
  readonly outcomes: Outcomes;
  readonly world: CrawlWorld;
}

export class Turns {
  readonly #folder: CrawlFolder;
  readonly #fetcher: Fetcher;
  readonly #world: CrawlWorld;
  readonly #frontier: Frontier;
  readonly #robots: RobotsCache;
  readonly #outcomes: Outcomes;
  readonly #headers: Readonly<Record<string, string>>;
  /** Failures in a row. A host may answer over http and not over https: they are counted by origin. */
  readonly #failures = new Map<string, number>();

  /** @param agent product token of the crawler. */
  constructor({ folder, fetcher, frontier, outcomes, world }: TurnParts, agent: string) {
    this.#folder = folder;
    this.#fetcher = fetcher;
    this.#world = world;
    this.#frontier = frontier;
    this.#outcomes = outcomes;
    this.#headers = {
      'user-agent': userAgentHeader(folder.state.settings),
      accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.1',
      'accept-encoding': 'gzip, br, deflate',
    };
    this.#robots = new RobotsCache(agent, world.now);
  }

  get #counts(): CrawlCounts {
    return this.#folder.state.counts;
  }

  /** Gives a back queue one fetch, if it has a URL that may be fetched, and sets the time of its next turn. */
  async take(queue: BackQueue): Promise<void> {
    const errand = queue.errands.shift();
    const item = errand === undefined ? this.#nextAllowed(queue) : null;
    if (errand !== undefined) {
      const { request, of } = errand;
      if (this.#frontier.isHeld(originOf(request.url))) this.#endRobots(of, request, null);
      else await this.#askRobots(queue, request, of);
    } else if (item === null) {
      // A long list of what may not be fetched must not hold up the others.
      await setImmediate();
    } else {
      const origin = originOf(item.url);
      const robots = this.#robots.known(origin);
      if (robots === null) await this.#askRobots(queue, robotsRequest(origin), queue);
      else await this.#fetch(queue, item, robots);
    }
    this.#frontier.handBack(queue);
  }

  /** The next URL of a back queue, once those are dropped that may not be fetched. */
  #nextAllowed(queue: BackQueue): QueuedUrl | null {
    const { perHost } = this.#folder.state.settings;
    if (perHost > 0 && queue.fetched >= perHost) {
      this.#retire(queue, 'per_host');
      return null;
    }
    for (let item = queue.urls[0]; item !== undefined; item = queue.urls[0]) {
      const reason = this.#refusal(queue, item);
      if (reason === null) return item;
      queue.urls.shift();
      this.#folder.store.leaveOver(queue.hostId, item);
      this.#outcomes.leaveOut(item.url, reason);
    }
    return null;
  }

  #refusal({ stopped }: BackQueue, { url, depth }: QueuedUrl): RefusalReason | null {
    if (this.#robots.known(originOf(url))?.allows(url) === false) return 'robots';
    // Seeds are always fetched.
    if (depth > 0 && stopped.size > 0 && branchesOf(url).some((branch) => stopped.has(branch)))
      return 'copies';
    return null;
  }

  /**
   * Makes a request on the way to the rules of an origin.
   *
   * @param queue that has its turn. @param asking that of the origin: another one where a redirect has led to this host.
   */
  async #askRobots(queue: BackQueue, request: RobotsRequest, asking: BackQueue): Promise<void> {
    const { url, origin } = request;
    const result = await this.#fetchRobots(url);
    const answer = this.#robots.take(request, result);
    const asked = originOf(url);
    this.#leaveAlone(queue, this.#robots.known(asked), result);
    if (asked !== origin && isFailed(result) && !isRefused(result)) this.#putOff(queue, asked, result);
    if (answer !== null && !(answer instanceof Robots)) {
      this.#frontier.send({ of: asking, request: answer });
      return;
    }
    if (answer !== null) {
      this.#outcomes.addSitemaps(answer.sitemaps, `${origin}/`, 0);
      const at = new Date(this.#world.now()).toISOString();
      const { shortenedRules } = answer;
      if (shortenedRules > 0) this.#folder.log({ at, origin, shortenedRules });
    }
    this.#endRobots(asking, request, result);
  }

  /** @param result the last fetch for the rules, which are known now or cannot be had; null where it is of another turn. */
  #endRobots(asking: BackQueue, { origin }: RobotsRequest, result: Exchange | Failure | null): void {
    const robots = this.#robots.known(origin);
    if (result !== null) this.#leaveAlone(asking, robots, result);
    if (robots === null) this.#putOff(asking, origin, result);
    this.#frontier.endErrand(asking);
  }

  /** Sets the time of the next turn of a host, at the end of a fetch. */
  #leaveAlone(queue: BackQueue, robots: Robots | null, result: Exchange | Failure): void {
    const { delayMs } = this.#folder.state.settings;
    const untilMs = this.#world.now() + gapMs(delayMs, answerMs(result), crawlDelayMs(robots));
    queue.nextAtMs = Math.max(queue.nextAtMs, untilMs);
  }

  async #fetch(queue: BackQueue, item: QueuedUrl, robots: Robots): Promise<void> {
    const { store, state } = this.#folder;
    const { maxPageBytes } = state.settings;
    queue.urls.shift();
    const known = item.kind === 'page' ? store.page(queue.hostId, item.url) : null;
    const result = await this.#fetcher.fetch(item.url, {
      headers: { ...this.#headers, ...(state.readsWhole !== true && validators(known)) },
      maxBytes: item.kind === 'sitemap' ? MAX_SITEMAP_BYTES : maxPageBytes,
      wantsBody: (status, contentType) => this.#outcomes.wantsBody(item, status, contentType),
    });
    this.#leaveAlone(queue, robots, result);
    const isFault = isFailed(result);
    const origin = originOf(item.url);
    if (isFault) this.#putOff(queue, origin, result);
    else this.#failures.delete(origin);
    if (result.kind === 'failure' || (isFault && item.attempts + 1 < MAX_ATTEMPTS)) {
      this.#outcomes.logFetch(item.url, result, { attempt: item.attempts + 1 });
      // Else it is left to the next run with all of its host.
      if (!isRefused(result)) this.#tryAgain(queue, item, result);
      return;
    }
    if (isFault) store.markPartial(queue.hostId, PARTIAL.fetches);
    queue.fetched++;
    store.countFetch(queue.hostId);
    this.#outcomes.take(queue, item, result, known);
  }

  /** Puts a URL back, unless it was tried often enough or another try would end the same. */
  #tryAgain(queue: BackQueue, item: QueuedUrl, result: Exchange | Failure): void {
    if (isFinal(result) || item.attempts + 1 >= MAX_ATTEMPTS) {
      this.#folder.store.leaveOver(queue.hostId, item);
      this.#folder.store.markPartial(queue.hostId, PARTIAL.fetches);
      return;
    }
    this.#counts.retries++;
    this.#frontier.putBack(queue, item);
  }

  /**
   * Leaves an origin alone after a failure, longer each time; after too many failures it is given up.
   *
   * @param result null where the failure is that of another origin.
   */
  #putOff(queue: BackQueue, origin: string, result: Exchange | Failure | null): void {
    const now = this.#world.now();
    if (isRefused(result)) {
      this.#retire(queue, 'address');
      return;
    }
    const asked =
      result?.kind === 'response' ? retryAfterMs(firstValue(headersOf(result), 'retry-after'), now) : null;
    const isTooLong = asked !== null && asked > MAX_RETRY_AFTER_MS;
    const isHopeless = isTooLong || (result?.kind === 'failure' && result.reason === 'port');
    const failures = isHopeless ? MAX_FAILURES : (this.#failures.get(origin) ?? 0) + 1;
    if (this.#failures.size >= MAX_FAILING_ORIGINS) this.#failures.clear();
    this.#failures.set(origin, failures);
    if (failures === MAX_FAILURES) {
      this.#counts.retiredHosts++;
      this.#folder.log({ at: new Date(now).toISOString(), origin, retired: 'unreachable' });
      this.#frontier.hold(queue, origin, Infinity);
      return;
    }
    // Waiting does not help with these.
    if (isFinal(result)) return;
    this.#frontier.hold(queue, origin, now + (asked ?? backoffMs(this.#world.retryMs, failures)));
  }

  #retire(queue: BackQueue, reason: RefusalReason): void {
    this.#counts.retiredHosts++;
    this.#frontier.retire(queue, reason);
    this.#folder.log({ at: new Date(this.#world.now()).toISOString(), host: queue.host, retired: reason });
  }

  async #fetchRobots(url: string): Promise<Exchange | Failure> {
    const result = await this.#fetcher.fetch(url, {
      headers: this.#headers,
      maxBytes: MAX_ROBOTS_BYTES,
      wantsBody: () => true,
    });
    this.#counts.robots++;
    this.#outcomes.logFetch(url, result, { kind: 'robots' });
    return result;
  }
}

/** Whether the fetch itself failed; a 404, for example, is a valid answer about the page. */
function isFailed(result: Exchange | Failure): boolean {
  if (result.kind === 'failure') return true;
  return BUSY.has(result.status) || result.cut === 'time' || result.cut === 'disconnect';
}

/** How long a server took to answer. One that did not answer says nothing of how fast its host is: it is left alone itself. */
function answerMs(result: Exchange | Failure): number {
  return result.kind === 'response' ? result.durationMs : 0;
}

function crawlDelayMs(robots: Robots | null): number | null {
  const seconds = robots?.crawlDelaySeconds ?? null;
  return seconds === null ? null : seconds * 1000;
}

/** Whether the address of a host is none that may be asked. */
function isRefused(result: Exchange | Failure | null): boolean {
  return result?.kind === 'failure' && result.reason === 'address';
}

/** Whether another try would end the same. */
function isFinal(result: Exchange | Failure | null): boolean {
  return result?.kind === 'failure' && ['tls', 'protocol', 'port'].includes(result.reason);
}

/** With these headers a server does not send an unchanged page again. */
function validators(known: FetchedPage | null): Record<string, string> {
  if (known === null || !isAskedIfChanged(known)) return {};
  return {
    ...(known.etag !== null && { 'if-none-match': known.etag }),
    'if-modified-since': known.lastModified ?? new Date(known.fetchedAtMs).toUTCString(),
  };
}
