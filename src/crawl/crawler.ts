/**
 * The loop of a crawl. Each slot takes the back queue that is due, gives it one fetch, and hands it back with the time
 * of its next turn. What a turn did is in the frontier, the archive and the log when it ends, and durable with the next
 * commit, which covers many turns.
 */
import { setImmediate } from 'node:timers/promises';
import type { Exchange, Failure } from '../net/exchange.ts';
import type { Fetcher } from '../net/fetcher.ts';
import { firstValue } from '../sources/headers.ts';
import type { FetchedPage, QueuedUrl } from '../store/frontier/frontier-store.ts';
import { branchesOf } from './copy-stop.ts';
import { type CrawlCounts, countOne, type SkipReason } from './counts.ts';
import type { CrawlFolder, Ending } from './crawl-folder.ts';
import { type BackQueue, Frontier } from './frontier.ts';
import type { CrawlWorld, Seed } from './options.ts';
import { Outcomes } from './outcomes.ts';
import { backoffMs, gapMs, MAX_RETRY_AFTER_MS, retryAfterMs } from './politeness.ts';
import { headersOf } from './read-response.ts';
import { Robots } from './robots.ts';
import { RobotsCache } from './robots-cache.ts';
import { MAX_SITEMAP_BYTES } from './sitemap.ts';

/** What ended since the last commit is fetched again after a crash, as what was being fetched. */
const MIN_COMMIT_MS = 100;
const MAX_COMMIT_MS = 1000;
/** Where the disk is slow, commits take at most this share of the time. */
const COMMIT_SHARE = 0.1;
/** Turns between two commits at most. */
const COMMIT_TURNS = 1000;
/** The loop wakes at least this often. */
const MAX_REST_MS = 60_000;
/** Fetches of one URL. */
const MAX_ATTEMPTS = 3;
/** Failures of a server in a row until it is given up, for this run. */
const MAX_FAILURES = 6;
const MAX_FAILING_ORIGINS = 100_000;
/** The server cannot answer now; any other status is about the page. */
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export class Crawler {
  readonly #folder: CrawlFolder;
  readonly #fetcher: Fetcher;
  readonly #world: CrawlWorld;
  readonly #frontier: Frontier;
  readonly #robots: RobotsCache;
  readonly #outcomes: Outcomes;
  readonly #headers: Readonly<Record<string, string>>;
  /** Failures in a row. A host may answer over http and not over https: they are counted by origin. */
  readonly #failures = new Map<string, number>();
  #inFlight = 0;
  #turnsSinceCommit = 0;
  #committedAtMs: number;
  #commitEveryMs = MIN_COMMIT_MS;
  #failed: unknown = null;
  #wake: () => void = () => {};

  constructor(folder: CrawlFolder, fetcher: Fetcher, world: CrawlWorld) {
    this.#folder = folder;
    this.#fetcher = fetcher;
    this.#world = world;
    const { slots, userAgent, contact, delayMs } = folder.state.settings;
    const agent = /^[A-Za-z_-]*/.exec(userAgent)![0];
    this.#headers = {
      'user-agent': contact === '' ? userAgent : `${userAgent} (${contact})`,
      accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.1',
      'accept-encoding': 'gzip, br, deflate',
    };
    const earliestMs = folder.isResumed ? world.now() + delayMs : 0;
    this.#frontier = new Frontier(folder.store, slots, world.random, earliestMs);
    this.#robots = new RobotsCache(agent, (url, maxBytes) => this.#fetchRobots(url, maxBytes), world.now);
    this.#outcomes = new Outcomes(folder, this.#frontier, agent);
    this.#committedAtMs = world.now();
  }

  /** Where the crawl begins, or what another part found for this one. */
  addSeeds(seeds: readonly Seed[]): void {
    this.#outcomes.addSeeds(seeds);
  }

  /** A page that was fetched outside this crawl. What the crawl itself knows of the page takes precedence. */
  knowPage(page: FetchedPage): void {
    this.#outcomes.knowPage(page);
  }

  /** Queues all pages fetched before. */
  addKnownPages(): void {
    this.#outcomes.addKnownPages();
  }

  /** Fetches being made. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /**
   * Crawls until nothing is left, enough is fetched or the signal comes; what is being fetched then is finished. All
   * that was done is committed at the end.
   *
   * Errors  of the disk; what was committed before is kept.
   */
  async run(signal: AbortSignal): Promise<Ending> {
    this.#folder.commit();
    const onAbort = () => this.#wake();
    signal.addEventListener('abort', onAbort);
    try {
      for (;;) {
        if (!signal.aborted) this.#startDue();
        const isEnding = signal.aborted || this.#isEnough() || this.#frontier.nextDueMs === Infinity;
        if (this.#inFlight === 0 && isEnding) break;
        await this.#rest();
        if (this.#failed !== null) throw this.#failed;
        if (this.#isCommitDue()) this.#commit();
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
    const { state } = this.#folder;
    const isComplete = this.#frontier.nextDueMs === Infinity;
    state.ending = isComplete ? 'complete' : signal.aborted ? 'stopped' : 'max_pages';
    state.endedAtMs = this.#world.now();
    this.#commit();
    return state.ending;
  }

  get #counts(): CrawlCounts {
    return this.#folder.state.counts;
  }

  #isEnough(): boolean {
    const { maxPages } = this.#folder.state.settings;
    return maxPages > 0 && this.#counts.responses + this.#inFlight >= maxPages;
  }

  #startDue(): void {
    const { slots } = this.#folder.state.settings;
    while (this.#inFlight < slots && !this.#isEnough()) {
      const queue = this.#frontier.next(this.#world.now());
      if (queue === null) return;
      this.#inFlight++;
      this.#turn(queue)
        .catch((error: unknown) => (this.#failed = error))
        .finally(() => {
          this.#inFlight--;
          this.#turnsSinceCommit++;
          this.#wake();
        });
    }
  }

  /** Until a turn ends, a back queue is due, or it is time to commit. */
  async #rest(): Promise<void> {
    const now = this.#world.now();
    const isFull = this.#inFlight >= this.#folder.state.settings.slots || this.#isEnough();
    const dueMs = isFull ? Infinity : this.#frontier.nextDueMs - now;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(
        resolve,
        Math.max(0, Math.min(dueMs, this.#turnsSinceCommit > 0 ? this.#commitEveryMs : MAX_REST_MS)),
      );
    });
    clearTimeout(timer);
  }

  #isCommitDue(): boolean {
    if (this.#turnsSinceCommit === 0) return false;
    return (
      this.#turnsSinceCommit >= COMMIT_TURNS || this.#world.now() - this.#committedAtMs >= this.#commitEveryMs
    );
  }

  #commit(): void {
    const startedAtMs = this.#world.now();
    this.#folder.commit();
    this.#turnsSinceCommit = 0;
    this.#committedAtMs = this.#world.now();
    const tookMs = this.#committedAtMs - startedAtMs;
    this.#commitEveryMs = Math.min(MAX_COMMIT_MS, Math.max(MIN_COMMIT_MS, tookMs / COMMIT_SHARE));
  }

  async #turn(queue: BackQueue): Promise<void> {
    const item = this.#nextAllowed(queue);
    if (item === null) {
      // A long list of what may not be fetched must not hold up the others.
      await setImmediate();
    } else {
      const origin = originOf(item.url);
      const robots = this.#robots.known(origin);
      if (robots === null) await this.#askRobots(queue, origin);
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
      this.#folder.store.remove(queue.hostId, item);
      countOne(this.#counts.skipped, reason);
    }
    return null;
  }

  #refusal({ stopped }: BackQueue, { url, depth }: QueuedUrl): SkipReason | null {
    const origin = originOf(url);
    if ((this.#failures.get(origin) ?? 0) >= MAX_FAILURES) return 'unreachable';
    if (this.#robots.known(origin)?.allows(url) === false) return 'robots';
    // Seeds are always fetched.
    if (depth > 0 && stopped.size > 0 && branchesOf(url).some((branch) => stopped.has(branch)))
      return 'copies';
    return null;
  }

  async #askRobots(queue: BackQueue, origin: string): Promise<void> {
    const { delayMs } = this.#folder.state.settings;
    const startedAtMs = this.#world.now();
    const robots = await this.#robots.load(origin);
    const now = this.#world.now();
    queue.nextAtMs = now + gapMs(delayMs, now - startedAtMs, null);
    if (robots instanceof Robots) this.#outcomes.addSitemaps(robots.sitemaps, `${origin}/`, 0);
    else this.#putOff(queue, origin, robots.last);
  }

  async #fetch(queue: BackQueue, item: QueuedUrl, robots: Robots): Promise<void> {
    const { delayMs, maxPageBytes } = this.#folder.state.settings;
    const { store } = this.#folder;
    queue.urls.shift();
    const known = item.kind === 'page' ? store.page(queue.hostId, item.url) : null;
    const result = await this.#fetcher.fetch(item.url, {
      headers: { ...this.#headers, ...validators(known) },
      maxBytes: item.kind === 'sitemap' ? MAX_SITEMAP_BYTES : maxPageBytes,
      wantsBody: (status, contentType) => this.#outcomes.wantsBody(item.kind, status, contentType),
    });
    const crawlDelayMs = robots.crawlDelaySeconds === null ? null : robots.crawlDelaySeconds * 1000;
    queue.nextAtMs = this.#world.now() + gapMs(delayMs, result.durationMs, crawlDelayMs);
    const isFault = isFailed(result);
    const origin = originOf(item.url);
    if (isFault) this.#putOff(queue, origin, result);
    else this.#failures.delete(origin);
    if (result.kind === 'failure' || (isFault && item.attempts + 1 < MAX_ATTEMPTS)) {
      this.#outcomes.logFetch(item.url, result, { attempt: item.attempts + 1 });
      // Else it was dropped with all of its host.
      if (result.kind === 'response' || result.reason !== 'address') this.#tryAgain(queue, item, result);
      return;
    }
    queue.fetched++;
    store.countFetch(queue.hostId);
    this.#outcomes.take(queue, item, result, known);
  }

  /** Puts a URL back, unless it was tried often enough or another try would end the same. */
  #tryAgain(queue: BackQueue, item: QueuedUrl, result: Exchange | Failure): void {
    const isFinal = result.kind === 'failure' && (result.reason === 'tls' || result.reason === 'protocol');
    if (isFinal || item.attempts + 1 >= MAX_ATTEMPTS) {
      this.#folder.store.remove(queue.hostId, item);
      return;
    }
    this.#counts.retries++;
    this.#frontier.putBack(queue, item);
  }

  /** Puts a host off after a failure, longer each time; after too many failures its server is given up. */
  #putOff(queue: BackQueue, origin: string, result: Exchange | Failure): void {
    const now = this.#world.now();
    if (result.kind === 'failure' && result.reason === 'address') {
      this.#retire(queue, 'address');
      return;
    }
    const asked =
      result.kind === 'response' ? retryAfterMs(firstValue(headersOf(result), 'retry-after'), now) : null;
    const isTooLong = asked !== null && asked > MAX_RETRY_AFTER_MS;
    const failures = isTooLong ? MAX_FAILURES : (this.#failures.get(origin) ?? 0) + 1;
    if (this.#failures.size >= MAX_FAILING_ORIGINS) this.#failures.clear();
    this.#failures.set(origin, failures);
    if (failures === MAX_FAILURES) {
      this.#counts.retiredHosts++;
      this.#folder.log({ at: new Date(now).toISOString(), origin, retired: 'unreachable' });
      return;
    }
    // Waiting does not help with these.
    if (result.kind === 'failure' && (result.reason === 'tls' || result.reason === 'protocol')) return;
    const waitMs = asked ?? backoffMs(this.#world.retryMs, failures);
    queue.nextAtMs = Math.max(queue.nextAtMs, now + waitMs);
  }

  #retire(queue: BackQueue, reason: SkipReason): void {
    this.#counts.retiredHosts++;
    countOne(this.#counts.skipped, reason, this.#frontier.retire(queue, reason));
    this.#folder.log({ at: new Date(this.#world.now()).toISOString(), host: queue.host, retired: reason });
  }

  async #fetchRobots(url: string, maxBytes: number): Promise<Exchange | Failure> {
    const result = await this.#fetcher.fetch(url, {
      headers: this.#headers,
      maxBytes,
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

/** With these headers a server does not send an unchanged page again. */
function validators(known: FetchedPage | null): Record<string, string> {
  if (known === null) return {};
  return {
    ...(known.etag !== null && { 'if-none-match': known.etag }),
    'if-modified-since': known.lastModified ?? new Date(known.fetchedAtMs).toUTCString(),
  };
}

function originOf(url: string): string {
  return url.slice(0, url.indexOf('/', url.indexOf('//') + 2));
}
