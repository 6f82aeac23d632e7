/**
 * What one request reads of shards over the network.
 *
 * An answer is made several times: each time with more of what it reads at hand. What is not at hand yet is noted, and
 * said to be empty; whatever comes of that is thrown away. The reads of one time go out together, one request a shard, so
 * that an answer takes as many rounds as its reads depend on one another, not as many as there are.
 */
import { encodeReads } from './read-codec.ts';
import { hasShape } from './read-shapes.ts';
import {
  type FoundUrl,
  LONG_READS,
  type ReadArguments,
  type ReadName,
  type ReadResult,
  type ShardSet,
} from './shard-reads.ts';

/** Asks one shard for long reads, or for others; null where it cannot be asked, or not of this generation. Errors  Problem `overloaded`. */
export type AskShard = (
  shard: number,
  reads: readonly (readonly unknown[])[],
) => Promise<readonly unknown[] | null>;

/** Numbers of shards that are not to be asked. */
export interface LostShards {
  readonly lost: readonly number[];
  /** Not for what takes long. */
  readonly slow: readonly number[];
}

/** Thrown where nothing can stand for what is not at hand yet. */
class NotYet extends Error {}

export class RequestReads implements ShardSet {
  readonly count: number;
  readonly known: readonly boolean[];
  /** Shards that would have been asked, and could not be. */
  readonly missed = new Set<number>();
  readonly #homes: Uint8Array;
  readonly #ask: AskShard;
  readonly #lost: Set<number>;
  readonly #slow: Set<number>;
  readonly #values = new Map<string, unknown>();
  #wanted = new Map<number, Map<string, readonly unknown[]>>();

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
    args: ReadArguments<Name>,
    otherwise: ReadResult<Name> | undefined,
  ): ReadResult<Name> {
    const key = keyOf(shard, name, args);
    if (this.#values.has(key)) return this.#values.get(key) as ReadResult<Name>;
    if (this.#lost.has(shard) || (this.#slow.has(shard) && LONG_READS.has(name))) this.missed.add(shard);
    else {
      const ofShard = this.#wanted.get(shard) ?? new Map<string, readonly unknown[]>();
      this.#wanted.set(shard, ofShard.set(key, [name, ...args]));
    }
    if (otherwise === undefined) throw new NotYet();
    return otherwise;
  }

  isLost(shard: number): boolean {
    if (!this.#lost.has(shard)) return false;
    this.missed.add(shard);
    return true;
  }

  miss(shard: number): void {
    this.missed.add(shard);
  }

  /** Whether the last time all was at hand. */
  get isWhole(): boolean {
    return this.#wanted.size === 0;
  }

  /** Before the answer is made once more. */
  begin(): void {
    this.missed.clear();
  }

  /** Asks for what was not at hand; what takes long by itself, so that nothing else waits for it or is lost with it. */
  async fetch(): Promise<void> {
    const wanted = [...this.#wanted];
    this.#wanted = new Map();
    await Promise.all(
      wanted.flatMap(([shard, reads]) =>
        [true, false].map((isLong) => {
          const some = [...reads].filter(([, [name]]) => LONG_READS.has(name as string) === isLong);
          return some.length === 0
            ? null
            : this.#fetchOf(shard, new Map(some), isLong ? this.#slow : this.#lost);
        }),
      ),
    );
  }

  async #fetchOf(
    shard: number,
    reads: ReadonlyMap<string, readonly unknown[]>,
    failed: Set<number>,
  ): Promise<void> {
    const values = await this.#ask(shard, [...reads.values()]);
    const names = [...reads.values()].map(([name]) => name as ReadName);
    if (values?.length !== names.length || !names.every((name, i) => hasShape(name, values[i]))) {
      failed.add(shard);
      return;
    }
    for (const [i, [key, [name]]] of [...reads].entries()) {
      this.#values.set(key, values[i]);
      if (name === 'find') this.#takeFound(shard, values[i] as FoundUrl);
    }
  }

  /** What comes with a page that is found. */
  #takeFound(shard: number, { page, neighbors, named }: FoundUrl): void {
    if (page === null) return;
    const { id, url, title, site, lang, fetched } = page;
    this.#values.set(keyOf(shard, 'page', [id]), page);
    this.#values.set(keyOf(shard, 'named', [id]), { id, url, title, site, lang, fetched });
    for (const other of named) this.#values.set(keyOf(this.#homes[other.id]!, 'named', [other.id]), other);
    if (neighbors === null) return;
    this.#values.set(keyOf(shard, 'neighbors', [neighbors.relationId, id]), neighbors.list);
    // A page that has a list is there, and leads nowhere else.
    if (neighbors.list.ids.length > 0) this.#values.set(keyOf(shard, 'successor', [id]), id);
  }

  close(): void {}
}

function keyOf(shard: number, name: ReadName, args: readonly unknown[]): string {
  const isPlain = args.every((arg) => typeof arg !== 'object');
  return `${shard} ${name} ${isPlain ? args.join('\n') : encodeReads(args)}`;
}
