/**
 * The shards behind servers, as one answer asks them: what it asks for in one turn of the event loop goes out together, one
 * request a shard, and what it has asked for once is at hand.
 */
import { keptIn } from '../../../lib/kept.ts';
import type { StoredPage } from '../../../store/records.ts';
import { isResult } from '../read-checks.ts';
import { encodeReads } from '../read-codec.ts';
import { type FoundUrl, isLong, type ReadArguments, type ReadName, type ReadResult } from '../read-table.ts';
import { RecentCache } from '../recent-cache.ts';
import type { ShardSet } from './shard-set.ts';

/** Asks one shard for long reads, or for others; null where it cannot be asked, or not of this generation. Errors  Problem `overloaded`. */
type AskShard = (shard: number, reads: readonly (readonly unknown[])[]) => Promise<readonly unknown[] | null>;

/** Numbers of shards that are not to be asked. */
interface LostShards {
  readonly lost: readonly number[];
  /** Not for what takes long. */
  readonly slow: readonly number[];
}

/** Reads of a list of pages that are asked for together. */
const READ_AHEAD = 1000;

/** In one request: a shard takes ten times as many, which would take it seconds. */
const MOST_READS = 10_000;

/** Answers that are at hand: an export asks for all that there is. */
const MOST_KEPT = 16_384;

/** A read that waits to go out. */
interface Waiting {
  readonly read: readonly [ReadName, ...unknown[]];
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export class RequestReads implements ShardSet {
  readonly count: number;
  readonly known: readonly boolean[];
  readonly readAhead = READ_AHEAD;
  readonly #missed = new Set<number>();
  readonly #homes: Uint8Array;
  readonly #ask: AskShard;
  readonly #lost: Set<number>;
  readonly #slow: Set<number>;
  readonly #values = new RecentCache<string, Promise<unknown>>(MOST_KEPT, () => 1);
  readonly #waiting = new Map<string, { shard: number; isLong: boolean; reads: Waiting[] }>();

  constructor(known: readonly boolean[], homes: Uint8Array, { lost, slow }: LostShards, ask: AskShard) {
    this.count = known.length;
    this.known = known;
    this.#homes = homes;
    this.#ask = ask;
    this.#lost = new Set(lost);
    this.#slow = new Set(slow);
  }

  read<Name extends ReadName>(
    shard: number,
    name: Name,
    ...args: ReadArguments<Name>
  ): Promise<ReadResult<Name> | undefined> {
    const value = keptIn(this.#values, keyOf(shard, name, args), () => this.#send(shard, [name, ...args]));
    return value as Promise<ReadResult<Name> | undefined>;
  }

  async readIfThere<Name extends ReadName>(
    shard: number,
    name: Name,
    ...args: ReadArguments<Name>
  ): Promise<ReadResult<Name> | undefined> {
    const isKept = this.#values.get(keyOf(shard, name, args)) !== undefined;
    return isKept || !this.#lost.has(shard) ? this.read(shard, name, ...args) : undefined;
  }

  get lost(): number[] {
    return [...this.#missed].sort((a, b) => a - b);
  }

  isLost(shard: number): boolean {
    if (!this.#lost.has(shard)) return false;
    this.#missed.add(shard);
    return true;
  }

  miss(shard: number): void {
    this.#missed.add(shard);
  }

  #isOut(shard: number, long: boolean): boolean {
    return this.#lost.has(shard) || (long && this.#slow.has(shard));
  }

  #send(shard: number, read: Waiting['read']): Promise<unknown> {
    const long = isLong(read[0]);
    if (this.#isOut(shard, long)) {
      this.#missed.add(shard);
      return Promise.resolve(undefined);
    }
    // What takes long goes by itself, so that nothing else waits for it or is lost with it.
    const request = `${shard} ${long}`;
    const { reads } = keptIn(this.#waiting, request, () => {
      setImmediate(() => void this.#sendAll(request));
      return { shard, isLong: long, reads: [] };
    });
    return new Promise((resolve, reject) => reads.push({ read, resolve, reject }));
  }

  async #sendAll(request: string): Promise<void> {
    const { shard, isLong: long, reads } = this.#waiting.get(request)!;
    this.#waiting.delete(request);
    for (let from = 0; from < reads.length; from += MOST_READS)
      await this.#sendSome(shard, long, reads.slice(from, from + MOST_READS));
  }

  async #sendSome(shard: number, long: boolean, reads: readonly Waiting[]): Promise<void> {
    try {
      const asked = reads.map(({ read }) => read);
      const values = this.#isOut(shard, long) ? null : await this.#ask(shard, asked);
      const isWhole =
        values?.length === reads.length && reads.every(({ read: [name] }, i) => isResult(name, values[i]));
      if (!isWhole) {
        (long ? this.#slow : this.#lost).add(shard);
        this.#missed.add(shard);
      }
      for (const [i, { read, resolve }] of reads.entries()) {
        if (isWhole && read[0] === 'find') this.#keepFound(shard, values[i] as FoundUrl);
        if (isWhole && read[0] === 'page') this.#keepNamed(shard, values[i] as StoredPage);
        resolve(isWhole ? values[i] : undefined);
      }
    } catch (error) {
      for (const { reject } of reads) reject(error);
    }
  }

  /** What comes with a page that is found. */
  #keepFound(shard: number, { page, neighbors, named }: FoundUrl): void {
    if (page === null) return;
    const { id } = page;
    this.#keep(shard, 'page', [id], page);
    this.#keepNamed(shard, page);
    for (const other of named) this.#keep(this.#homes[other.id]!, 'named', [other.id], other);
    if (neighbors === null) return;
    this.#keep(shard, 'neighbors', [neighbors.relationId, id], neighbors.list);
    // A page that has a list is there, and leads nowhere else.
    if (neighbors.list.ids.length > 0) this.#keep(shard, 'successor', [id], id);
  }

  #keepNamed(shard: number, { id, url, title, site, lang, fetched }: StoredPage): void {
    this.#keep(shard, 'named', [id], { id, url, title, site, lang, fetched });
  }

  #keep<Name extends ReadName>(
    shard: number,
    name: Name,
    args: ReadArguments<Name>,
    value: ReadResult<Name>,
  ): void {
    this.#values.set(keyOf(shard, name, args), Promise.resolve(value));
  }
}

function keyOf(shard: number, name: ReadName, args: readonly unknown[]): string {
  const isPlain = args.every((arg) => typeof arg !== 'object');
  return `${shard} ${name} ${isPlain ? args.join('\n') : encodeReads(args)}`;
}
