/**
 * Holds the generation that is served, and swaps it when a new index file takes the place of the old.
 *
 * The file is looked at once a second: a new inode, size or time means a new file. It is loaded beside
 * the old generation and then becomes the current one in a single assignment, so that every request sees
 * one generation from beginning to end. A file that cannot be read leaves the old generation in service
 * and is tried again when it changes.
 */
import { rulesIdentity } from '../../store/rules-file.ts';
import { type EmptyAnswers, noEmptyAnswers } from '../http/hooks/metrics.ts';
import { Problem } from '../http/problems/problem.ts';
import { keepRules, rulesIn } from '../rules/kept-rules.ts';
import type { Rules } from '../rules/rules.ts';
import type { Generation } from './generation.ts';
import type { GenerationOptions, IndexSource } from './index-source.ts';

/** Time that a shard still answers for the generation before. */
const RETIRED_MS = 30_000;

interface HolderLog {
  info(detail: object, message: string): void;
  error(detail: object, message: string): void;
}

interface HolderOptions extends Omit<GenerationOptions, 'emptyAnswers' | 'rules'> {
  readonly source: IndexSource;
  /** Time between two looks at the file; 0 never looks. Default 1000. */
  readonly pollMs?: number;
  readonly log?: HolderLog;
}

interface HolderStatus {
  readonly swapCount: number;
  readonly loadDurationMs: number;
  readonly loadedAtMs: number;
  /** What keeps the newest file from being served; null where it is served. */
  readonly fault: { readonly code: string; readonly message: string; readonly atMs: number } | null;
}

export class GenerationHolder {
  /** Of all generations since the start. */
  readonly emptyAnswers: EmptyAnswers = noEmptyAnswers();
  readonly #source: IndexSource;
  readonly #generationOptions: GenerationOptions;
  readonly #pollMs: number;
  readonly #log: HolderLog;
  #current: Generation | undefined;
  #retired: Generation | undefined;
  #retiring: NodeJS.Timeout | undefined;
  #seen = '';
  #rulesSeen = '';
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;
  #status: HolderStatus = { swapCount: 0, loadDurationMs: 0, loadedAtMs: 0, fault: null };

  constructor(options: HolderOptions) {
    this.#source = options.source;
    this.#generationOptions = { ...options, emptyAnswers: this.emptyAnswers };
    this.#pollMs = options.pollMs ?? 1000;
    this.#log = options.log ?? { info() {}, error() {} };
  }

  /** Has a generation made whole before it is served: it calls `serve` in the turn of the event loop in which it is. */
  complete: (generation: Generation, serve: () => void) => Promise<void> = async (_generation, serve) =>
    serve();

  /**
   * Opens the first generation and begins to watch: it answers from the file until what look-ups need is in memory.
   *
   * Errors  those of `IndexReader.open`.
   */
  async open(): Promise<void> {
    this.#seen = await this.#source.look();
    this.#rulesSeen = this.#lookAtRules();
    this.#current = await this.#load('later');
    this.#current.whole.catch((error: unknown) =>
      this.#fail(error, 'the index cannot be read into memory; answers come from its file'),
    );
    if (this.#pollMs > 0) this.#timer = setInterval(() => void this.check(), this.#pollMs).unref();
  }

  get status(): HolderStatus {
    return this.#status;
  }

  /** Numbers of the shards that cannot be asked now. */
  get lostShards(): readonly number[] {
    return this.#source.lostShards();
  }

  get loaded(): boolean {
    return this.#current !== undefined;
  }

  /** Of the last write that answers know; null where no pages are taken. */
  get sequence(): number | null {
    return this.#current?.live?.segment.sequence ?? null;
  }

  /** Loads the file anew, also where it is as it was. Never rejects. */
  async reload(): Promise<void> {
    // One that is under way notes what it has seen.
    await this.#checking;
    this.#seen = '';
    return this.check();
  }

  /** To be used within one turn of the event loop, or leased. Errors  Problem `not-ready`. */
  current(): Generation {
    if (this.#current === undefined) throw new Problem('not-ready', 'no index is loaded');
    return this.#current;
  }

  /** The generation of this id, where it is the current one, or a shard's last one. */
  find(id: string): Generation | undefined {
    return [this.#current, this.#retired].find((generation) => generation?.id === id);
  }

  /** Looks at the file now; resolves when a new one is in service or refused. Never rejects. */
  check(): Promise<void> {
    this.#checking ??= this.#swapIfNew().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    // First: a look may wait for who does not answer.
    await this.#source.close();
    await this.#checking;
    this.#current?.retire();
    this.#current = undefined;
    clearTimeout(this.#retiring);
    this.#retired?.retire();
    this.#retired = undefined;
  }

  get canKeepRules(): boolean {
    return this.#source.rulesPath !== null;
  }

  /** Keeps rules for lists beside the index, in place of those before, for all that is asked from now on. Errors  as `keepRules`. */
  keepRules(rules: Rules): void {
    keepRules(this.#source.rulesPath!, rules);
    this.#takeNewRules();
  }

  #lookAtRules(): string {
    const { rulesPath } = this.#source;
    return rulesPath === null ? '' : rulesIdentity(rulesPath);
  }

  /** Errors  those of `rulesIn`: those before stay. */
  #takeNewRules(): void {
    const identity = this.#lookAtRules();
    if (identity === this.#rulesSeen) return;
    this.#rulesSeen = identity;
    this.current().takeRules(rulesIn(this.#source.rulesPath!));
  }

  async #swapIfNew(): Promise<void> {
    try {
      this.#takeNewRules();
    } catch (error) {
      this.#log.error({ err: error }, 'the rules beside the index cannot be read; those before stay');
    }
    try {
      // Looked at before it is opened: a file that comes in between is met again by the next look.
      const identity = await this.#source.look();
      if (identity === this.#seen || identity === '') return;
      this.#seen = identity;
      const next = await this.#load(true);
      const last = this.#current;
      const serve = () => {
        // They may be newer than those that were there when it was opened.
        if (last !== undefined) next.takeRules(last.facts.rules);
        this.#current = next;
      };
      await this.complete(next, serve).catch((error: unknown) => {
        next.retire();
        // The file is good: the next look tries again.
        this.#seen = '';
        throw error;
      });
      this.#status = { ...this.#status, swapCount: this.#status.swapCount + 1 };
      if (last !== undefined) this.#retire(last);
      this.#log.info({ generation: next.id, pages: next.card.pageCount }, 'a new index is in service');
    } catch (error) {
      this.#fail(error, 'the new index file cannot be served; the old one stays');
    }
  }

  #fail(error: unknown, what: string): void {
    const { code = 'AKIN_ERR_INDEX_CORRUPT', message } = error as { code?: string; message: string };
    this.#status = { ...this.#status, fault: { code: String(code), message, atMs: Date.now() } };
    this.#log.error({ err: error }, what);
  }

  /** A shard goes on answering for its last generation: those who ask several shards change when all of them have. */
  #retire(last: Generation): void {
    if (last.card.shard === null) {
      last.retire();
      return;
    }
    clearTimeout(this.#retiring);
    this.#retired?.retire();
    this.#retired = last;
    this.#retiring = setTimeout(() => {
      this.#retired?.retire();
      this.#retired = undefined;
    }, RETIRED_MS).unref();
  }

  async #load(preload: true | 'later'): Promise<Generation> {
    const startedMs = performance.now();
    // What stands beside a new index may be what could not be read.
    const rules = this.#current?.facts.rules;
    const options = { ...this.#generationOptions, preload, ...(rules && { rules }) };
    const generation = await this.#source.open(options);
    const loadDurationMs = performance.now() - startedMs;
    this.#status = { ...this.#status, loadDurationMs, loadedAtMs: Date.now(), fault: null };
    return generation;
  }
}
