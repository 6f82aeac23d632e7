/**
 * Crawl, index, and again: what is to be done next is read from what is there, so that it does not matter when the last
 * process ended.
 *
 *   no crawl, or none that ended -> crawl, or go on with it; so where the first one found no page
 *   no index                     -> index all sweeps
 *   the last sweep is not taken  -> hand its pages to the server, whose next fold has the archives of the sweep
 *   the last sweep is old enough -> crawl again
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { archiveNames } from '../../crawl/folder/archive.ts';
import { hasCrawl, readCrawl } from '../../crawl/folder/crawl-folder.ts';
import { crawlSweepName, lastCrawlSweep } from '../../crawl/folder/index-sweeps.ts';
import { METRICS_FILE } from '../../crawl/folder/metrics.ts';
import { ConfigError } from '../../errors.ts';
import type { PageDoor } from '../../service/app.ts';
import { MAX_PAGE_BYTES } from '../../service/http/body.ts';
import type { Upkeep } from '../../service/index/upkeep.ts';
import type { Archives } from '../../service/live/folds.ts';
import { IndexReader } from '../../store/read/reader.ts';
import { EXIT } from '../terminal/process-end.ts';
import type { ChildCommands } from './child-commands.ts';
import { type OtherLine, sweepLines } from './sweep-lines.ts';
import { keepTakenSweeps, TAKEN_SWEEPS, type TakenSweeps, takenSweeps } from './taken-sweeps.ts';

interface UpOptions {
  readonly seeds: readonly string[];
  readonly crawlFlags: readonly string[];
  /** What the index is to know as well, which keeps it. */
  readonly indexFlags?: readonly string[];
  /** From the end of a sweep to the next one; 0: there is none. */
  readonly everyMs: number;
  /** Share of the pages of the index up to which those of a sweep are seen before they are in it. */
  readonly foldShare: number;
  /** The first wait before what failed is tried again; it doubles with each failure, up to an hour or `everyMs`. Default a minute. */
  readonly retryMs?: number;
}

type Step =
  | { readonly what: 'crawl'; readonly argv: readonly string[] }
  | { readonly what: 'index'; readonly argv: readonly string[]; readonly sweep: number }
  | { readonly what: 'take'; readonly sweep: number };

const RETRY_MS = 60_000;
const MAX_RETRY_MS = 60 * 60_000;
/** Pages of a sweep that are seen before they are in the index, however few it has. */
const FEW_PAGES = 100;
/** Codes of what the server has no room for: the fold has it. */
const NO_ROOM = ['too-many-pending', 'journal-full'];
/** Longer timers do not exist. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Names of what a step does, as the server says it. */
const STATES = { crawl: 'crawling', index: 'indexing', take: 'indexing' } as const;

export class UpCycle {
  readonly #crawl: string;
  readonly #index: string;
  readonly #taken: string;
  readonly #children: ChildCommands;
  readonly #options: UpOptions;
  #doing: Step['what'] | null = null;
  /** Steps that failed, one behind the other. */
  #failures = 0;
  #retryAtMs = 0;
  #door: PageDoor | null = null;
  #known: Upkeep = { state: 'waiting', sweep: 0, pageCount: 0, nextAtMs: null, metrics: '' };

  constructor(folder: string, children: ChildCommands, options: UpOptions) {
    this.#crawl = join(folder, 'crawl');
    this.#index = join(folder, 'web.akin');
    this.#taken = join(folder, TAKEN_SWEEPS);
    this.#children = children;
    this.#options = options;
  }

  /**
   * Does what has to be done before there is something to serve. False where it was stopped.
   *
   * Errors  ConfigError AKIN_ERR_CONFIG where a step fails, and not for a while; the step has said why.
   */
  async untilIndexed(say: (text: string) => void): Promise<boolean> {
    while (!existsSync(this.#index)) {
      const step = this.#next(Infinity)!;
      const code = await this.#do(step, say);
      if (code === null) return false;
      if (code === EXIT.transient) {
        await this.#waitToRetry((at) => say(`${step.what} failed for now, and is tried again ${at}`));
        continue;
      }
      if (code !== EXIT.ok) {
        throw new ConfigError('AKIN_ERR_CONFIG', `${step.what} failed, so there is nothing to serve`, {
          hint: `correct what is named above and call again, or remove ${this.#crawl} to begin with other seeds`,
        });
      }
    }
    return true;
  }

  /**
   * Does what becomes due until it is stopped; `door` is that of the server of the index, which goes on where the folder
   * cannot be read.
   */
  async keepFresh(door: PageDoor, say: (text: string) => void): Promise<void> {
    this.#door = door;
    const { signal } = this.#children;
    const { everyMs } = this.#options;
    // A clock that goes back puts the next sweep off by one interval at most.
    let waitedMs = 0;
    while (!signal.aborted) {
      let step: Step | null;
      let dueMs: number;
      try {
        step = this.#next(everyMs > 0 && waitedMs >= everyMs ? Infinity : Date.now());
        dueMs = this.#dueMs();
      } catch (error) {
        const { message } = error as Error;
        await this.#waitToRetry((at) =>
          say(`${message}; the index stays as it is, and it is tried again ${at}`),
        );
        continue;
      }
      if (step === null) {
        this.#failures = 0;
        const leftMs = everyMs === 0 ? Infinity : Math.min(dueMs - Date.now(), everyMs - waitedMs);
        if (waitedMs === 0) {
          say(
            everyMs === 0
              ? 'without --every nothing is crawled again'
              : `the next crawl is due ${dueText(Date.now() + leftMs)}`,
          );
        }
        const waitMs = Math.min(Math.max(leftMs, 0), MAX_TIMER_MS);
        await sleep(waitMs, signal);
        waitedMs += waitMs;
        continue;
      }
      waitedMs = 0;
      const code = await this.#do(step, say);
      if (code === null || code === EXIT.ok) continue;
      await this.#waitToRetry((at) =>
        say(`${step.what} failed; the index stays as it is, and it is tried again ${at}`),
      );
    }
  }

  async #waitToRetry(say: (at: string) => void): Promise<void> {
    const { everyMs, retryMs = RETRY_MS } = this.#options;
    const longestMs = Math.min(MAX_RETRY_MS, everyMs || Infinity);
    const waitMs = Math.min(longestMs, retryMs * 2 ** this.#failures++);
    this.#retryAtMs = Date.now() + waitMs;
    say(dueText(this.#retryAtMs));
    await sleep(waitMs, this.#children.signal);
    this.#retryAtMs = 0;
  }

  /** What is going on beside the server. */
  upkeep(): Upkeep {
    try {
      return (this.#known = this.#readUpkeep());
    } catch {
      // A folder that is not there is for the next step to name: the index is served all the same.
      return this.#known;
    }
  }

  #readUpkeep(): Upkeep {
    const { state } = readCrawl(this.#crawl, 0);
    const { everyMs } = this.#options;
    const doing = this.#doing ?? (this.#door?.isFolding === true ? 'index' : null);
    const metrics = join(this.#crawl, METRICS_FILE);
    return {
      state: doing === null ? 'waiting' : STATES[doing],
      sweep: state.sweep,
      pageCount: state.counts.pages,
      nextAtMs: everyMs === 0 || this.#doing !== null ? null : Math.max(this.#dueMs(), this.#retryAtMs),
      metrics: existsSync(metrics) ? readFileSync(metrics, 'utf8') : '',
    };
  }

  async #do(step: Step, say: (text: string) => void): Promise<number | null> {
    this.#doing = step.what;
    try {
      const code = step.what === 'take' ? await this.#take(step.sweep) : await this.#children.run(step.argv);
      if (step.what === 'index' && code === EXIT.ok)
        keepTakenSweeps(this.#taken, { sweep: step.sweep, waiting: [] });
      if (code === EXIT.ok) this.#failures = 0;
      return code;
    } catch (error) {
      say(String((error as Error).message));
      return EXIT.transient;
    } finally {
      this.#doing = null;
    }
  }

  #next(nowMs: number): Step | null {
    const { seeds, crawlFlags, indexFlags = [] } = this.#options;
    const crawl = (...words: string[]): Step => {
      return { what: 'crawl', argv: ['crawl', ...words, '--to', this.#crawl, ...crawlFlags] };
    };
    if (!hasCrawl(this.#crawl)) return crawl(...seeds);
    const { sweep, ending, counts } = readCrawl(this.#crawl, 0).state;
    const isIndexed = existsSync(this.#index);
    const isEmpty = counts.pages === 0 && !isIndexed;
    // Seeds that are new, that could not be had, and sitemaps are no pages that the folder knows.
    if (ending === null || ending === 'stopped' || isEmpty) return crawl('--resume', ...seeds);
    const indexing = ['index', this.#crawl, '--to', this.#index, ...indexFlags];
    if (!isIndexed) return { what: 'index', argv: indexing, sweep };
    if (this.#takenSweeps().sweep < sweep) return { what: 'take', sweep };
    return this.#dueMs() <= nowMs ? crawl('--recrawl', this.#index, ...seeds) : null;
  }

  /**
   * Hands over what a sweep found, unless that is much. A process that dies meanwhile hands over all of it again, which changes
   * nothing.
   *
   * Errors  those of `PageDoor.handOver` but for want of room, and of reading the archives.
   */
  async #take(sweep: number): Promise<number> {
    const door = this.#door!;
    const { counts } = readCrawl(this.#crawl, 0).state;
    using reader = IndexReader.open(this.#index);
    // What was missing, or led elsewhere, is asked for again by each sweep.
    const pages = counts.responses - counts.revisits - (counts.withoutPage ?? 0);
    const isFew = pages <= Math.max(FEW_PAGES, this.#options.foldShare * reader.card().pageCount);
    const said = isFew ? await handOver(door, this.#archives(sweep), reader) : 'more';
    const taken = this.#takenSweeps();
    // What is much, or had no room, is due.
    const sinceMs = said === 'more' ? 0 : Date.now();
    const { sequence } = door;
    const waiting = [...taken.waiting, ...(said === 'nothing' ? [] : [{ sweep, sequence, sinceMs }])];
    keepTakenSweeps(this.#taken, { sweep, waiting });
    return EXIT.ok;
  }

  /** What the next fold is to take in beside the pages that were handed over. */
  archives(): Archives | null {
    const { waiting } = this.#takenSweeps();
    const last = waiting.at(-1);
    if (last === undefined) return null;
    return {
      name: crawlSweepName(last.sweep),
      sweeps: waiting.map(({ sweep, sequence }) => ({ paths: this.#archives(sweep), sequence })),
      sinceMs: Math.min(...waiting.map(({ sinceMs }) => sinceMs)),
    };
  }

  #archives(sweep: number): string[] {
    return archiveNames(this.#crawl, sweep).map((name) => join(this.#crawl, name));
  }

  /** When the next sweep begins. */
  #dueMs(): number {
    const { everyMs } = this.#options;
    const { endedAtMs } = readCrawl(this.#crawl, 0).state;
    return everyMs === 0 ? Infinity : (endedAtMs ?? 0) + everyMs;
  }

  /** As file and index say: the process may have died when a fold had just published it. */
  #takenSweeps(): TakenSweeps {
    return takenSweeps(this.#taken, () => {
      using reader = IndexReader.open(this.#index);
      return lastCrawlSweep(reader.sweeps());
    });
  }
}

/**
 * What was handed over of the archives of a sweep: nothing that the index does not have, all of its pages, or not all, for want of
 * room; what is said of a URL besides is 'all' where the index does not know that of it.
 */
async function handOver(
  door: PageDoor,
  paths: readonly string[],
  reader: IndexReader,
): Promise<'nothing' | 'all' | 'more'> {
  let isNew = false;
  const leftOut = ({ url, kind, to }: OtherLine) => {
    const known = reader.input.other(url);
    if (kind === 'gone') isNew ||= known !== null && known.kind !== kind;
    else isNew ||= known?.kind !== kind || Buffer.from(known.record).toString() !== to;
  };
  try {
    const { added, changed, deleted, stopped } = await door.handOver(
      // Larger ones are seen with the fold.
      sweepLines(paths, MAX_PAGE_BYTES, leftOut),
    );
    if (stopped !== null) return 'more';
    return isNew || added + changed + deleted > 0 ? 'all' : 'nothing';
  } catch (error) {
    if (!NO_ROOM.includes(String((error as { code?: unknown }).code))) throw error;
    return 'more';
  }
}

/** `at 2026-11-24 03:00 UTC` */
function dueText(timeMs: number): string {
  return `at ${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {});
}
