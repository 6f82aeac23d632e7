/**
 * What a response does to a crawl: a record in the archive, links in the frontier, a line in the log. All of it happens
 * at once, so that a commit holds all or none.
 */
import type { Exchange, Failure } from '../net/exchange.ts';
import { firstValue, type Headers, parseContentType } from '../sources/http/headers.ts';
import { PAGE_TYPES, REDIRECTS } from '../sources/http/http-block.ts';
import { GONE_STATUSES } from '../sources/record/answers.ts';
import { type FetchedPage, type NewUrl, PARTIAL, type QueuedUrl } from '../store/frontier/records.ts';
import { canonicalUrl } from '../url/canonical-url.ts';
import { hostOf } from '../url/site.ts';
import { type CrawlCounts, countOne, type RefusalReason } from './folder/counts.ts';
import type { CrawlFolder } from './folder/crawl-folder.ts';
import {
  isArchived,
  isAskedIfChanged,
  isReplaced,
  originalOf,
  pageAfter,
  revisitPriority,
} from './folder/page-history.ts';
import { contentDigest, responseRecord } from './folder/warc-record.ts';
import { type BackQueue, type Frontier, PRIORITIES } from './frontier/frontier.ts';
import { headersOf, readPage, redirectTarget, saidByHead } from './response/read-response.ts';
import { isSitemap, readSitemap, type Sitemap } from './response/sitemap.ts';
import { CopyStop } from './rules/copy-stop.ts';
import type { Seed } from './rules/options.ts';
import { Scope } from './rules/scope.ts';
import { queryBound, trapOf } from './rules/trap-rules.ts';

const MAX_REDIRECTS = 10;
/** A list of sitemaps may name other lists, up to this depth. */
const MAX_SITEMAP_DEPTH = 3;

/** A URL that was met, before it is known whether it belongs to the crawl. */
type Found = Omit<NewUrl, 'priority'> & { readonly priority?: number };

export class Outcomes {
  readonly #folder: CrawlFolder;
  readonly #frontier: Frontier;
  readonly #scope: Scope;
  readonly #copyStop: CopyStop | null;
  readonly #agent: string;

  constructor(folder: CrawlFolder, frontier: Frontier, agent: string) {
    const { settings, scopeNames } = folder.state;
    this.#folder = folder;
    this.#frontier = frontier;
    this.#agent = agent;
    this.#scope = new Scope(settings, scopeNames);
    this.#copyStop = settings.stopsAtCopies ? new CopyStop() : null;
  }

  get #counts(): CrawlCounts {
    return this.#folder.state.counts;
  }

  /** Where the crawl begins, or what another part found for this one. */
  addSeeds(seeds: readonly Seed[]): void {
    for (const { url, kind, depth } of seeds) this.#addSeed({ url, kind, depth, redirects: 0, priority: 0 });
    for (const { url, kind } of seeds) if (kind === 'sitemap') this.#addSeedSitemap(url);
  }

  #addSeedSitemap(url: string): void {
    this.#folder.state.sitemaps = [...new Set([...this.#folder.state.sitemaps, url])];
  }

  /**
   * A page that was fetched outside this crawl belongs to it if the crawl has no bounds of its own yet. What the crawl
   * itself knows of the page takes precedence.
   */
  knowPage(page: FetchedPage): void {
    const { store, state } = this.#folder;
    if (state.sweep === 1) this.#widen(page.url);
    const hostId = store.hostId(hostOf(page.url));
    if (store.page(hostId, page.url) === null) store.savePage(hostId, page);
  }

  /** Queues the sitemaps that were seeds, and what was fetched in earlier sweeps; what was found changed more often comes first. */
  addKnownPages(): void {
    for (const url of this.#folder.state.sitemaps)
      this.#addSeed({ url, kind: 'sitemap', depth: 0, redirects: 0, priority: 0 });
    for (const page of this.#folder.store.pages()) {
      const { url, depth } = page;
      this.#follow({ url, kind: 'page', depth, redirects: 0, priority: revisitPriority(page) });
    }
  }

  /**
   * Queues what the sweep before left over behind what was fetched: pages that do not change lead to it no more.
   *
   * @param areWhole whether that sweep was to ask for them whole: then this one does.
   */
  addLeftOver(areWhole: boolean): void {
    const { store } = this.#folder;
    for (const found of store.leftOver()) {
      if (areWhole) store.askWhole(store.hostId(hostOf(found.url)), found.url);
      this.#follow({ ...found, kind: 'page', priority: PRIORITIES - 1 });
    }
  }

  addSitemaps(urls: readonly string[], base: string, depth: number): void {
    for (const reference of urls) {
      const url = canonicalUrl(reference, base);
      if (url !== null) this.#follow({ url, kind: 'sitemap', depth, redirects: 0, priority: 0 });
    }
  }

  /** A line of the log for a fetch, whatever came of it. */
  logFetch(url: string, result: Exchange | Failure, more: Readonly<Record<string, unknown>> = {}): void {
    const { startedAtMs, durationMs } = result;
    const isFailure = result.kind === 'failure';
    this.#folder.log({
      at: new Date(startedAtMs).toISOString(),
      url,
      ...(isFailure
        ? { failure: result.reason, detail: result.detail }
        : { status: result.status, bytes: result.body.length, ...(result.cut && { cut: result.cut }) }),
      ms: Math.round(durationMs),
      ...more,
    });
    if (isFailure) countOne(this.#counts.failures, result.reason);
    else {
      countOne(this.#counts.statuses, String(result.status));
      this.#counts.bytes += result.body.length;
    }
  }

  /** Takes in the response for a queued URL, which leaves the queue. */
  take(queue: BackQueue, item: QueuedUrl, exchange: Exchange, known: FetchedPage | null): void {
    const headers = headersOf(exchange);
    const isSeedList = isSeed(item) && exchange.status === 200 && isSitemap(exchange, headers);
    if (isSeedList) this.#addSeedSitemap(item.url);
    if (item.kind === 'sitemap' || isSeedList) this.#takeSitemap(queue, item, exchange, headers);
    else this.#takePage(queue, item, exchange, headers, known);
  }

  /** Whether the body of a response is downloaded. */
  wantsBody(item: QueuedUrl, status: number, contentType: string | null): boolean {
    if (item.kind === 'sitemap' || isPageType(contentType) || REDIRECTS.has(status)) return true;
    return isSeed(item) && /[/+]xml\b/i.test(contentType ?? '');
  }

  #takePage(
    queue: BackQueue,
    item: QueuedUrl,
    exchange: Exchange,
    headers: Headers,
    known: FetchedPage | null,
  ): void {
    const { archive, store } = this.#folder;
    const { url, depth } = item;
    const { maxPageBytes } = this.#folder.state.settings;
    const page =
      exchange.status === 200 && exchange.cut !== 'unwanted'
        ? readPage(exchange, headers, { url, agent: this.#agent, maxBytes: maxPageBytes })
        : null;
    const { robots, canonical } = saidByHead(headers, url, this.#agent);
    if (robots !== '' && exchange.status === 304 && known !== null && isAskedIfChanged(known)) {
      // It may not have said so before: the index has to read it anew.
      store.askWhole(queue.hostId, url);
      this.#frontier.putBack(queue, item);
      this.logFetch(url, exchange, { depth });
      return;
    }
    const payload = contentDigest(exchange.body);
    // The same bytes are another page where the head says otherwise.
    const said = robots + canonical;
    const digest = said === '' ? payload : contentDigest(exchange.body, Buffer.from(said));
    const isWhole = page !== null && exchange.cut === null;
    const sameContent =
      isWhole && exchange.body.length > 0 ? store.pageWithDigest(queue.hostId, digest) : null;
    const original = originalOf(exchange, digest, known, sameContent);
    const { warcinfoId } = archive;
    archive.append(responseRecord({ url, exchange, digest: payload, original, warcinfoId }));
    this.#counts.responses++;
    if (original !== null) this.#counts.revisits++;
    if (page !== null) this.#counts.pages++;
    if (known !== null && isReplaced(known, exchange, isWhole ? digest : null)) {
      store.loseContent(queue.hostId, known.digest);
    }
    if (isWhole || (exchange.status === 304 && known !== null && isArchived(known))) {
      store.savePage(queue.hostId, pageAfter(item, exchange, headers, digest, original, known));
      if (robots !== '') store.askWhole(queue.hostId, url);
      store.remove(queue.hostId, item);
    } else {
      if (known === null) this.#counts.withoutPage = (this.#counts.withoutPage ?? 0) + 1;
      if (isDone(item, exchange)) store.remove(queue.hostId, item);
      else store.leaveOver(queue.hostId, item);
    }
    if (page !== null && this.#copyStop !== null) {
      for (const branch of this.#copyStop.meet(queue.hostId, url, page.text)) {
        this.#frontier.stopBranch(queue, branch);
        this.#folder.log({ at: new Date(exchange.startedAtMs).toISOString(), url, stopped: branch });
      }
    }
    if (page?.isCut === true) store.markPartial(queue.hostId, isWhole ? PARTIAL.links : PARTIAL.fetches);
    if (this.#isUnknown(exchange, headers, page, known)) store.markPartial(queue.hostId, PARTIAL.fetches);
    for (const link of page?.links ?? []) {
      this.#follow({ url: link, kind: 'page', depth: depth + 1, redirects: 0 });
    }
    this.#followRedirect(item, redirectTarget(exchange, headers, url));
    this.logFetch(url, exchange, { depth, ...(original && { revisit: original.profile }) });
  }

  /**
   * Whether a response does not say what became of a page: it cannot be read, or the server would not show it. One that no sweep
   * of the folder has fetched may always have been refused.
   */
  #isUnknown(
    { status, cut }: Exchange,
    headers: Headers,
    page: object | null,
    known: object | null,
  ): boolean {
    if (status === 200)
      return page === null && cut !== 'unwanted' && isPageType(firstValue(headers, 'content-type'));
    const isSaid = status < 300 || status === 304 || REDIRECTS.has(status) || GONE_STATUSES.has(status);
    return !isSaid && (status >= 500 || known !== null || this.#folder.state.sweep === 1);
  }

  #followRedirect({ depth, redirects, priority }: QueuedUrl, target: string | null): void {
    if (target === null) return;
    this.#counts.redirects++;
    if (redirects >= MAX_REDIRECTS) {
      this.leaveOut(target, 'redirects');
      return;
    }
    // Where a seed leads is a seed.
    this.#follow({ url: target, kind: 'page', depth, redirects: redirects + 1, priority });
  }

  #takeSitemap(queue: BackQueue, item: QueuedUrl, exchange: Exchange, headers: Headers): void {
    const { url, depth } = item;
    this.#folder.store.remove(queue.hostId, item);
    this.#counts.sitemaps++;
    this.logFetch(url, exchange, { kind: 'sitemap' });
    const target = redirectTarget(exchange, headers, url);
    const sitemap = exchange.status === 200 ? readSitemap(exchange, headers) : null;
    // Where a seed leads is a seed.
    if (target !== null && this.#folder.state.sitemaps.includes(url)) this.#widen(target);
    const lists = target !== null ? [target] : sitemap?.isIndex ? sitemap.urls : [];
    const isTooDeep = lists.length > 0 && depth >= MAX_SITEMAP_DEPTH;
    if (isTooDeep || this.#isUnread(exchange, sitemap))
      this.#folder.store.markPartial(queue.hostId, PARTIAL.fetches);
    if (depth < MAX_SITEMAP_DEPTH) this.addSitemaps(lists, url, depth + 1);
    for (const reference of sitemap?.isIndex === false ? sitemap.urls : []) {
      const target = canonicalUrl(reference, url);
      if (target !== null) this.#follow({ url: target, kind: 'page', depth: 1, redirects: 0 });
    }
  }

  /** Whether a sitemap may name pages that no link leads to, and that were not read of it: as `#isUnknown`. */
  #isUnread({ status, cut }: Exchange, sitemap: Sitemap | null): boolean {
    if (sitemap !== null) return sitemap.isCut || cut !== null;
    const isSaid = REDIRECTS.has(status) || GONE_STATUSES.has(status);
    return !isSaid && (status >= 500 || this.#folder.state.sweep === 1);
  }

  /** Seeds belong to the crawl, and so does their site or host, whatever the rules of the scope say. */
  #addSeed(seed: Found): void {
    this.#widen(seed.url);
    this.#queue(seed);
  }

  /** Queues a URL if it belongs to the crawl, is new, and is no trap. */
  #follow(found: Found): void {
    const { url, depth } = found;
    if (isSeed(found)) {
      this.#addSeed(found);
      return;
    }
    if (!this.#scope.isInside(url)) return;
    const trap = trapOf(url);
    if (found.kind === 'page' && !this.#scope.holds(url)) this.#markPartial(url, PARTIAL.links);
    else if (depth > this.#folder.state.settings.maxDepth) countOne(this.#counts.skipped, 'depth');
    else if (trap !== null) this.leaveOut(url, `trap_${trap}`);
    else this.#queue(found);
  }

  /** A URL that a rule of the web or of the crawler forbids. What became of a page that an earlier sweep fetched is not known then. */
  leaveOut(url: string, reason: RefusalReason): void {
    countOne(this.#counts.skipped, reason);
    if (this.#folder.store.page(this.#folder.store.hostId(hostOf(url)), url) !== null)
      this.#markPartial(url, PARTIAL.fetches);
  }

  #markPartial(url: string, why: number): void {
    const { store } = this.#folder;
    store.markPartial(store.hostId(hostOf(url)), why);
  }

  #queue(found: Found): void {
    const { url, depth, redirects, kind, priority } = found;
    const hostId = this.#frontier.meet(url);
    if (hostId === null) return;
    const host = hostOf(url);
    const part = this.#scope.partOf(host);
    if (part !== this.#folder.state.settings.part) {
      this.#folder.forward(part, { url, depth, kind });
      this.#counts.forwarded++;
      return;
    }
    const bound = queryBound(url);
    if (bound !== null && this.#folder.store.countQuery(hostId, bound.family) > bound.limit) {
      countOne(this.#counts.skipped, 'trap_query');
      this.#folder.store.markPartial(hostId, PARTIAL.links);
      return;
    }
    this.#frontier.add(hostId, {
      ...{ url, depth, redirects, kind },
      priority: priority ?? linkPriority(url, depth),
    });
    this.#counts.queued++;
  }

  #widen(url: string): void {
    const host = this.#scope.widen(url);
    if (host !== null) this.#folder.state.scopeNames.push(host);
  }
}

/** Whether a URL stands for a page that was given, or where that one leads. */
function isSeed({ kind, depth }: Found): boolean {
  return kind === 'page' && depth === 0;
}

/**
 * Whether the next sweep need not ask for a URL that is not fetched whole: it is no page, or stands between a redirect and where
 * that one leads.
 */
function isDone({ redirects }: QueuedUrl, { status, cut }: Exchange): boolean {
  return (status === 200 && cut === 'unwanted') || (redirects > 0 && REDIRECTS.has(status));
}

function isPageType(contentType: string | null): boolean {
  const { mediaType } = parseContentType(contentType);
  return mediaType === null || PAGE_TYPES.has(mediaType);
}

/** Near the seeds first, and what has a query after what has none. */
function linkPriority(url: string, depth: number): number {
  const byDepth = depth <= 2 ? 1 : 2;
  return Math.min(PRIORITIES - 1, byDepth + (url.includes('?') ? 1 : 0));
}
