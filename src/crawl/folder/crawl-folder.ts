/**
 * The folder of a crawl, and what is written to it together:
 *
 *   frontier.db              what is to do and what was done
 *   sweep-0001-00001.warc.gz the archive, a sweep after the other
 *   log.jsonl                a line for each fetch
 *   metrics.prom             the counts, for a collector of Prometheus
 *   for-part-2.urls          URLs of another part's hosts
 *
 * Archive, log and lists are made durable before the frontier commits their lengths. After a crash they are cut back to
 * these lengths: a page is archived exactly when the frontier knows that it is.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { keptIn } from '../../lib/kept.ts';
import { isBegun, readFrontier } from '../../store/frontier/frontier-file.ts';
import { FrontierStore } from '../../store/frontier/frontier-store.ts';
import { PARTIAL } from '../../store/frontier/records.ts';
import { lockFile } from '../../store/lock.ts';
import { type CrawlSettings, type Seed, userAgentHeader } from '../rules/options.ts';
import { Archive, type ArchivePosition } from './archive.ts';
import { CommittedFile } from './committed-file.ts';
import { type CrawlCounts, countOne, noCounts, OF_A_RUN, type RefusalReason } from './counts.ts';
import { coverageRecord } from './warc-record.ts';

const FRONTIER = 'frontier.db';
const LOG = 'log.jsonl';

/** How the last run of a sweep ended; null while it runs, or after a crash. */
export type Ending = 'complete' | 'max_pages' | 'stopped';

interface CrawlState {
  settings: CrawlSettings;
  /** Hosts of the seeds, one of each site where the scope is that. */
  scopeNames: string[];
  /** Sitemaps among the seeds: each sweep reads them. */
  sitemaps: string[];
  sweep: number;
  startedAtMs: number;
  endedAtMs: number | null;
  ending: Ending | null;
  counts: CrawlCounts;
  archive: ArchivePosition | null;
  /** Lengths of the log and of the lists for other parts. */
  lengths: Record<string, number>;
  /** Whether settings that leave links out are others than those that pages were read by. */
  areBoundsNew: boolean;
  /** Whether this sweep therefore asks for all pages whole, as one that did not change leads nowhere. */
  readsWhole?: boolean;
  /** Whether links of an earlier sweep were too deep; its pages may have answered 304 since. Missing where none were. */
  wereLinksDeep?: boolean;
  /** Under which name the archive says what the sweep covers; of how many hosts, behind how many responses, it did last. Missing while it has not. */
  covered?: { readonly name: string; readonly hosts: number; readonly responses: number };
}

const BOUNDS = ['perHost', 'maxDepth', 'scope', 'include', 'exclude', 'stopsAtCopies'] as const;

export interface CrawlProgress {
  readonly state: CrawlState;
  /** URLs still to fetch, and hosts that have some. */
  readonly urls: number;
  readonly hosts: number;
  readonly inFlight: number;
}

/** Whether a crawl to this folder has begun. */
export function hasCrawl(folder: string): boolean {
  return isBegun(join(folder, FRONTIER));
}

/** The crawl in a folder, where `hasCrawl` says that there is one, from outside, also while it runs. */
export function readCrawl(folder: string, hostLimit: number) {
  const { state, ...rest } = readFrontier(join(folder, FRONTIER), hostLimit);
  return { ...rest, state: state as CrawlState };
}

export class CrawlFolder {
  readonly path: string;
  readonly store: FrontierStore;
  readonly state: CrawlState;
  /** Whether an earlier process crawled to the folder. */
  readonly isResumed: boolean;
  readonly #now: () => number;
  readonly #lock: { release(): void };
  readonly #files = new Map<string, CommittedFile>();
  #archive: Archive | null = null;

  private constructor(
    path: string,
    store: FrontierStore,
    { state, isResumed }: { state: CrawlState; isResumed: boolean },
    lock: { release(): void },
    now: () => number,
  ) {
    this.path = path;
    this.isResumed = isResumed;
    this.store = store;
    this.state = state;
    this.#lock = lock;
    this.#now = now;
  }

  /**
   * @param settings of a new crawl; where the folder has one, these apply from now on.
   * Errors  TransientError AKIN_ERR_INDEX_BUSY while another process crawls to the folder; CorruptError
   *         AKIN_ERR_INDEX_CORRUPT where a file is shorter than was committed; as `FrontierStore.open`.
   */
  static open(path: string, settings: CrawlSettings, now: () => number): CrawlFolder {
    mkdirSync(path, { recursive: true });
    const lock = lockFile(join(path, 'lock'), path);
    try {
      const store = FrontierStore.open(join(path, FRONTIER));
      const stored = store.state() as CrawlState | null;
      const fresh = {
        sweep: 1,
        startedAtMs: now(),
        scopeNames: [],
        sitemaps: [],
        areBoundsNew: false,
        counts: noCounts(),
        archive: null,
        lengths: {},
      };
      const state: CrawlState = { ...(stored ?? fresh), settings, endedAtMs: null, ending: null };
      if (stored !== null && BOUNDS.some((name) => stored.settings[name] !== settings[name]))
        state.areBoundsNew = true;
      const folder = new CrawlFolder(path, store, { state, isResumed: stored !== null }, lock, now);
      folder.#forgetGivenUp();
      folder.#cutBack();
      return folder;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** What was written behind the last commit is removed, whether more will be written or not. */
  #cutBack(): void {
    if (this.state.archive !== null) this.#archive = this.#openArchive();
    for (const name of Object.keys(this.state.lengths)) this.#file(name);
  }

  get archive(): Archive {
    return (this.#archive ??= this.#openArchive());
  }

  log(entry: Readonly<Record<string, unknown>>): void {
    this.#file(LOG).append(Buffer.from(`${JSON.stringify(entry)}\n`));
  }

  /** Writes a URL down for another part; the line is a seed there. */
  forward(part: number, { url, depth, kind }: Seed): void {
    const words = [url, depth, ...(kind === 'page' ? [] : [kind])];
    this.#file(`for-part-${part}.urls`).append(Buffer.from(`${words.join('\t')}\n`));
  }

  /** The next sweep: counts and archive begin anew, what was fetched before is known. */
  beginSweep(): void {
    this.#archive?.sync();
    this.#archive?.close();
    this.#archive = null;
    const { state } = this;
    delete state.covered;
    state.sweep++;
    state.readsWhole = state.areBoundsNew;
    state.areBoundsNew = false;
    state.wereLinksDeep = !state.readsWhole && this.#areLinksDeep;
    const { links, earlierLinks } = PARTIAL;
    this.store.beginSweep(state.readsWhole ? 0 : links | (this.#areLinksRead ? 0 : earlierLinks));
    Object.assign(state, { startedAtMs: this.#now(), counts: noCounts(), archive: null });
  }

  /** Whether all pages that came in this sweep were read: one that answers 304 has the links that it had. */
  get #areLinksRead(): boolean {
    return this.state.counts.statuses['304'] === undefined;
  }

  /** Whether links of pages are known to be too deep. */
  get #areLinksDeep(): boolean {
    const { counts, wereLinksDeep } = this.state;
    return counts.skipped.depth !== undefined || (wereLinksDeep === true && !this.#areLinksRead);
  }

  /** At the begin of a run: what the one before gave up may be asked for. */
  #forgetGivenUp(): void {
    const { counts } = this.state;
    counts.retiredHosts = 0;
    for (const reason of OF_A_RUN) delete counts.skipped[reason];
  }

  /** At the end of a run for which nothing is left to fetch: what is still queued was given up. */
  noteGivenUp(): void {
    for (const { reason, count } of this.store.queuedByReason())
      countOne(this.state.counts.skipped, (reason ?? 'unreachable') as RefusalReason, count);
  }

  /**
   * At the end of a run: the archive says which hosts it has whole, where nothing is left to fetch. Of a sweep that goes on
   * behind that, what was said before may be true no more: it says so again, if that is of none.
   */
  noteCoverage(isComplete: boolean): void {
    const { responses } = this.state.counts;
    // Which hosts links too deep led to is not known.
    const hosts = !isComplete || this.#areLinksDeep ? [] : this.store.coveredHosts(this.#areLinksRead);
    const { covered = { name: null, hosts: 0, responses } } = this.state;
    if (hosts.length === covered.hosts && responses === covered.responses) return;
    const { archive } = this;
    const { position, warcinfoId } = archive;
    const name = covered.name ?? warcinfoId;
    this.state.covered = { name, hosts: hosts.length, responses };
    const coverage = { hosts, fileCount: position.number, crawl: name };
    archive.appendLast(coverageRecord(coverage, warcinfoId, this.#now()));
  }

  /** Makes all that happened since the last commit durable. */
  commit(): void {
    this.#archive?.sync();
    for (const [name, file] of this.#files) {
      file.sync();
      this.state.lengths[name] = file.lengthBytes;
    }
    this.state.archive = this.#archive?.position ?? this.state.archive;
    this.store.commit(this.state);
  }

  /** What was not committed is lost. */
  close(): void {
    this.#archive?.close();
    for (const file of this.#files.values()) file.close();
    this.store.close();
    this.#lock.release();
  }

  #openArchive(): Archive {
    const { settings, sweep, archive } = this.state;
    const { contact } = settings;
    return new Archive(
      {
        folder: this.path,
        sweep,
        maxBytes: settings.archiveBytes,
        now: this.#now,
        info: [
          ['software', 'akin'],
          ['format', 'WARC File Format 1.1'],
          ['conformsTo', 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/'],
          ['robots', 'obey'],
          ['http-header-user-agent', userAgentHeader(settings)],
          ...(contact === '' ? [] : ([['operator', contact]] as const)),
          ['description', JSON.stringify(settings)],
        ],
      },
      archive,
    );
  }

  #file(name: string): CommittedFile {
    const { path, state } = this;
    return keptIn(this.#files, name, () => new CommittedFile(join(path, name), state.lengths[name] ?? 0));
  }
}
