/**
 * Crawl, index, and again: what is to be done next is read from what is there, so that it does not matter when the last
 * process ended.
 *
 *   no crawl, or none that ended       -> crawl, or go on with it
 *   no index                           -> index all sweeps
 *   the last sweep is not in the index -> add it, unless it found every page unchanged, or nothing to add
 *   the last sweep is old enough       -> crawl again
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { archiveNames } from '../../crawl/folder/archive.ts';
import { hasCrawl, readCrawl } from '../../crawl/folder/crawl-folder.ts';
import { METRICS_FILE } from '../../crawl/folder/metrics.ts';
import { ConfigError } from '../../errors.ts';
import type { Upkeep } from '../../service/index/upkeep.ts';
import { IndexReader } from '../../store/read/reader.ts';
import { EXIT } from '../terminal/process-end.ts';
import type { ChildCommands } from './child-commands.ts';

interface UpOptions {
  readonly seeds: readonly string[];
  readonly crawlFlags: readonly string[];
  /** From the end of a sweep to the next one; 0: there is none. */
  readonly everyMs: number;
  /** What failed is tried again after this, or on the schedule where that comes later. */
  readonly retryMs?: number;
}

interface Step {
  readonly what: 'crawl' | 'index';
  readonly argv: readonly string[];
  /** Sweep that is in the index afterwards. */
  readonly sweep: number;
}

const RETRY_MS = 60_000;
/** Longer timers do not exist. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Names of what a step does, as the server says it. */
const STATES = { crawl: 'crawling', index: 'indexing' } as const;

export class UpCycle {
  readonly #crawl: string;
  readonly #index: string;
  /** The file that holds the last sweep in which there was nothing to add. */
  readonly #emptySweep: string;
  readonly #children: ChildCommands;
  readonly #options: UpOptions;
  #doing: Step['what'] | null = null;
  #known: Upkeep = { state: 'waiting', sweep: 0, pageCount: 0, nextAtMs: null, metrics: '' };

  constructor(folder: string, children: ChildCommands, options: UpOptions) {
    this.#crawl = join(folder, 'crawl');
    this.#index = join(folder, 'web.akin');
    this.#emptySweep = join(folder, 'empty-sweep');
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
      const code = await this.#do(step);
      if (code === null) return false;
      if (code === EXIT.transient) {
        say(`${step.what} failed for now, and is tried again`);
        await sleep(this.#retryMs, this.#children.signal);
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

  /** Does what becomes due until it is stopped. */
  async keepFresh(say: (text: string) => void): Promise<void> {
    const { signal } = this.#children;
    const { everyMs } = this.#options;
    // A clock that goes back puts the next sweep off by one interval at most.
    let waitedMs = 0;
    while (!signal.aborted) {
      const step = this.#next(everyMs > 0 && waitedMs >= everyMs ? Infinity : Date.now());
      if (step === null) {
        const leftMs = everyMs === 0 ? Infinity : Math.min(this.#dueMs() - Date.now(), everyMs - waitedMs);
        if (everyMs > 0 && waitedMs === 0) say(`the next crawl is due ${dueText(Date.now() + leftMs)}`);
        const waitMs = Math.min(Math.max(leftMs, 0), MAX_TIMER_MS);
        await sleep(waitMs, signal);
        waitedMs += waitMs;
        continue;
      }
      waitedMs = 0;
      const code = await this.#do(step);
      if (code === null || code === EXIT.ok) continue;
      say(`${step.what} failed; the index stays as it is, and it is tried again`);
      await sleep(Math.max(this.#retryMs, everyMs), signal);
    }
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
    const metrics = join(this.#crawl, METRICS_FILE);
    return {
      state: this.#doing === null ? 'waiting' : STATES[this.#doing],
      sweep: state.sweep,
      pageCount: state.counts.pages,
      nextAtMs: everyMs === 0 || this.#doing !== null ? null : this.#dueMs(),
      metrics: existsSync(metrics) ? readFileSync(metrics, 'utf8') : '',
    };
  }

  get #retryMs(): number {
    return this.#options.retryMs ?? RETRY_MS;
  }

  async #do({ argv, what, sweep }: Step): Promise<number | null> {
    this.#doing = what;
    const code = await this.#children.run(argv);
    this.#doing = null;
    // No page that can be added, for example only pages that are gone: the next sweep may have some.
    const isEmpty = what === 'index' && code === EXIT.input && existsSync(this.#index);
    if (isEmpty) writeFileSync(this.#emptySweep, String(sweep));
    return isEmpty ? EXIT.ok : code;
  }

  #next(nowMs: number): Step | null {
    const { seeds, crawlFlags } = this.#options;
    const crawl = (...words: string[]): Step => {
      return { what: 'crawl', argv: ['crawl', ...words, '--to', this.#crawl, ...crawlFlags], sweep: 0 };
    };
    if (!hasCrawl(this.#crawl)) return crawl(...seeds);
    const { state } = readCrawl(this.#crawl, 0);
    const { sweep, ending, counts } = state;
    if (ending === null || ending === 'stopped') return crawl('--resume');
    const to = ['--to', this.#index, '--sweep', nameOf(sweep)];
    if (!existsSync(this.#index)) return { what: 'index', argv: ['index', this.#crawl, ...to], sweep };
    // A sweep that found every page unchanged adds nothing.
    const isUnchanged = sweep > 1 && counts.revisits === counts.responses;
    if (!isUnchanged && !this.#isIndexed(sweep)) {
      const archives = archiveNames(this.#crawl, sweep).map((name) => join(this.#crawl, name));
      return { what: 'index', argv: ['add', ...archives, ...to], sweep };
    }
    return this.#dueMs() <= nowMs ? crawl('--recrawl', this.#index) : null;
  }

  /** When the next sweep begins. */
  #dueMs(): number {
    const { everyMs } = this.#options;
    const { endedAtMs } = readCrawl(this.#crawl, 0).state;
    return everyMs === 0 ? Infinity : (endedAtMs ?? 0) + everyMs;
  }

  /** As the index says: the process may have died when its command had just published it. */
  #isIndexed(sweep: number): boolean {
    const isEmpty = existsSync(this.#emptySweep) && readFileSync(this.#emptySweep, 'utf8') === String(sweep);
    if (isEmpty) return true;
    const reader = IndexReader.open(this.#index);
    try {
      return reader.sweeps().some(({ name }) => name === nameOf(sweep));
    } finally {
      reader.close();
    }
  }
}

/** `at 2026-11-24 03:00 UTC` */
function dueText(timeMs: number): string {
  return `at ${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function nameOf(sweep: number): string {
  return `sweep-${sweep}`;
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {});
}
