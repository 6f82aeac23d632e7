/** A crawl from its options to its end. */
import { AkinError, InputError, optionFault, TransientError } from '../errors.ts';
import { AddressGuard } from '../net/address-guard.ts';
import type { Resolve } from '../net/dns-cache.ts';
import { Fetcher } from '../net/fetcher.ts';
import { asStoreError } from '../store/database.ts';
import { Crawler } from './crawler.ts';
import { CrawlFolder, type CrawlProgress, hasCrawl, readCrawl } from './folder/crawl-folder.ts';
import { writeMetrics } from './folder/metrics.ts';
import { knownPages } from './known-pages.ts';
import type { Outcomes } from './outcomes.ts';
import { neverBack } from './rules/clock.ts';
import type { CrawlSettings, CrawlWorld, Seed } from './rules/options.ts';

interface CrawlOptions {
  /** Where archive, log and frontier go. */
  readonly folder: string;
  /**
   * `new` begins a crawl, `resume` goes on with one, `recrawl` begins the next sweep of one, or the first one from an
   * index.
   */
  readonly mode: 'new' | 'resume' | 'recrawl';
  /** Settings of a new crawl. */
  readonly settings: CrawlSettings;
  /** Settings that change when a crawl continues. */
  readonly changed: Partial<CrawlSettings>;
  readonly seeds: readonly Seed[];
  /** An index whose pages are fetched again; null for none. */
  readonly indexPath: string | null;
  readonly resolve: Resolve;
  /** When it comes, what is being fetched is finished, and the crawl ends as one that can go on. */
  readonly signal: AbortSignal;
}

const PROGRESS_MS = 1000;

/**
 * Crawls to a folder.
 *
 * Errors  InputError AKIN_ERR_OPTION for a folder that has a crawl already (`new`), AKIN_ERR_INPUT_MISSING for one that
 *         has none (`resume`), AKIN_ERR_URL where there is nothing to begin with; TransientError for a full disk or a
 *         second process in the folder. What was committed is kept.
 */
export async function crawl(
  options: CrawlOptions,
  world: CrawlWorld,
  onProgress: (progress: CrawlProgress) => void,
): Promise<CrawlProgress> {
  try {
    return await crawlTo(options, { ...world, now: neverBack(world.now) }, onProgress);
  } catch (error) {
    throw asCrawlError(error, options.folder);
  }
}

async function crawlTo(
  options: CrawlOptions,
  world: CrawlWorld,
  onProgress: (progress: CrawlProgress) => void,
): Promise<CrawlProgress> {
  const folder = CrawlFolder.open(options.folder, settingsOf(options), world.now);
  const { settings } = folder.state;
  const fetcher = new Fetcher({
    guard: new AddressGuard(settings.allowedAddresses),
    resolve: options.resolve,
    now: world.now,
    timeLimitMs: settings.timeLimitMs,
    requireTrust: settings.requireTrust,
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const crawler = new Crawler(folder, fetcher, world);
    begin(folder, crawler.outcomes, options);
    const progress = () => ({ state: folder.state, ...folder.store.queueSize(), inFlight: crawler.inFlight });
    timer = setInterval(() => {
      try {
        onProgress(progress());
        writeMetrics(folder.path, progress());
      } catch (error) {
        crawler.fail(error);
      }
    }, PROGRESS_MS);
    await crawler.run(options.signal);
    writeMetrics(folder.path, progress());
    return progress();
  } finally {
    clearInterval(timer);
    folder.close();
    await fetcher.close();
  }
}

function asCrawlError(thrown: unknown, folder: string): unknown {
  const error = asStoreError(thrown, folder);
  if (!(error instanceof AkinError) || error.code !== 'AKIN_ERR_DISK') return error;
  return new TransientError('AKIN_ERR_DISK', error.message, {
    hint: `free some space; then akin crawl --resume --to ${folder} goes on behind what was committed`,
    cause: thrown,
  });
}

function settingsOf({ folder, mode, settings, changed, indexPath }: CrawlOptions): CrawlSettings {
  const isThere = hasCrawl(folder);
  if (mode === 'new' && isThere) {
    throw optionFault(
      `${folder} has a crawl already`,
      'give --resume to go on with it, --recrawl INDEX to begin its next sweep, or another folder',
    );
  }
  if (!isThere && (mode === 'resume' || (mode === 'recrawl' && indexPath === null))) {
    throw new InputError('AKIN_ERR_INPUT_MISSING', `there is no crawl in ${folder}`, {
      hint: 'leave --resume out and give seeds to begin one',
    });
  }
  return isThere ? { ...readCrawl(folder, 0).state.settings, ...changed } : settings;
}

function begin(folder: CrawlFolder, outcomes: Outcomes, { mode, seeds, indexPath }: CrawlOptions): void {
  if (mode === 'recrawl') {
    const isNext = folder.isResumed;
    const wasWhole = folder.state.readsWhole === true;
    if (isNext) folder.beginSweep();
    for (const page of indexPath === null ? [] : knownPages(indexPath)) outcomes.knowPage(page);
    outcomes.addKnownPages();
    if (isNext) outcomes.addLeftOver(wasWhole);
  }
  outcomes.addSeeds(seeds);
  if (mode !== 'resume' && folder.store.queueSize().urls === 0) {
    throw new InputError('AKIN_ERR_URL', 'there is nothing to crawl', {
      hint: 'give a seed, such as https://example.org/, that belongs to this part of the crawl',
    });
  }
}
