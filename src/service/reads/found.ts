import { RecentCache } from './recent-cache.ts';

const MOST_BYTES = 8 * 2 ** 20;

/** What searches have found, for as long as a generation is served: the next page of a list does not search again. */
export class Found {
  readonly #kept = new RecentCache<string, { readonly value: unknown; readonly bytes: number }>(
    MOST_BYTES,
    ({ bytes }) => bytes,
  );

  /**
   * What was found by this key, or else by `search`, which is kept unless shards were missed.
   *
   * @param sizeOf bytes of what is found, about.
   */
  async by<Value>(
    key: string,
    reads: { readonly lost: readonly number[] },
    sizeOf: (value: Value) => number,
    search: () => Promise<Value>,
  ): Promise<Value> {
    const held = this.#kept.get(key);
    if (held !== undefined) return held.value as Value;
    const value = await search();
    if (reads.lost.length === 0) this.#kept.set(key, { value, bytes: sizeOf(value) });
    return value;
  }
}
