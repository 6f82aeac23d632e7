/**
 * The loop of a crawl. Each slot takes the back queue that is due, gives it one fetch, and hands it back with the time
 * of its next turn. What a turn did is in the frontier, the archive and the log when it ends, and durable with the next
 * commit, which covers many turns.
 */
import type { Fetcher } from '../net/fetcher.ts';
import { productToken } from '../page/robots-rules.ts';
import type { CrawlFolder, Ending } from './folder/crawl-folder.ts';
import { Frontier } from './frontier/frontier.ts';
import { Outcomes } from './outcomes.ts';
import type { CrawlWorld } from './rules/options.ts';
import { longestGapMs } from './rules/politeness.ts';
import { Turns } from './turns.ts';

/** What ended since the last commit is fetched again after a crash, as what was being fetched. */
const MIN_COMMIT_MS = 100;
const MAX_COMMIT_MS = 1000;
/** Where the disk is slow, commits take at most this share of the time. */
const COMMIT_SHARE = 0.1;
/** Turns between two commits at most. */
const COMMIT_TURNS = 1000;
/** The loop wakes at least this often. */
const MAX_REST_MS = 60_000;

export class Crawler {
  /** Takes in what the crawl begins with. */
  readonly outcomes: Outcomes;
  readonly #folder: CrawlFolder;
  readonly #world: CrawlWorld;
  readonly #frontier: Frontier;
  readonly #turns: Turns;
  #inFlight = 0;
  #turnsSinceCommit = 0;
  #committedAtMs: number;
  #commitEveryMs = MIN_COMMIT_MS;
  #failed: unknown = null;
  #wake: () => void = () => {};

  constructor(folder: CrawlFolder, fetcher: Fetcher, world: CrawlWorld) {
    this.#folder = folder;
    this.#world = world;
    const { slots, userAgent, delayMs } = folder.state.settings;
    const agent = productToken(userAgent);
    const earliestMs = folder.isResumed ? world.now() + delayMs : 0;
    if (folder.isResumed) folder.store.boundWaits(world.now() + longestGapMs(delayMs));
    const frontier = new Frontier(folder.store, slots, world.random, earliestMs);
    this.#frontier = frontier;
    this.outcomes = new Outcomes(folder, frontier, agent);
    this.#turns = new Turns({ folder, fetcher, frontier, outcomes: this.outcomes, world }, agent);
    this.#committedAtMs = world.now();
  }

  /** Ends the run with an error, the first that comes. */
  fail(error: unknown): void {
    this.#failed ??= error;
    this.#wake();
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
    if (isComplete) this.#folder.noteGivenUp();
    this.#folder.noteCoverage(isComplete);
    this.#commit();
    return state.ending;
  }

  #isEnough(): boolean {
    const { settings, counts } = this.#folder.state;
    return settings.maxPages > 0 && counts.responses + this.#inFlight >= settings.maxPages;
  }

  #startDue(): void {
    const { slots } = this.#folder.state.settings;
    while (this.#inFlight < slots && !this.#isEnough()) {
      const queue = this.#frontier.next(this.#world.now());
      if (queue === null) return;
      this.#inFlight++;
      this.#turns
        .take(queue)
        .catch((error: unknown) => this.fail(error))
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
}
