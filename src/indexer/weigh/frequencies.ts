import { indexes } from '../../lib/columns/indexes.ts';
import { NumberColumn } from '../../lib/columns/number-column.ts';
import { createRadixScratch, radixSort } from '../../lib/columns/radix-sort.ts';
import { KeyTable } from '../../lib/keys/key-table.ts';
import { mostWithin } from '../../lib/reaches-share.ts';
import type { FrequencyBounds } from '../options/build-options.ts';
import { type CountedPages, partCounts } from './part-counts.ts';

/** The features that stay, by id: rarest first, then by part and key, so that ids depend on the pages alone. */
export interface FeatureTable {
  readonly keys: Float64Array;
  readonly pageCounts: Uint32Array;
  /** Positions among the parts. */
  readonly parts: Uint8Array;
  /** Of each part the pages that have at least one feature of it: the N of its idf. */
  readonly partPageCounts: readonly number[];
}

/** A word of two pages relates them, however few pages there are. */
const LEAST_SHARED_PAGES = 2;

/**
 * Counts document frequencies by part and keeps what lies between the bounds. Where the tables would not
 * fit the budget the pages are read several times, each time for a share of the keys.
 */
export function countFrequencies(
  pages: CountedPages,
  bounds: FrequencyBounds,
  budgetBytes: number,
): FeatureTable {
  for (let passes = 1; ; passes *= 2) {
    const table = countInPasses(pages, bounds, passes, budgetBytes);
    if (table !== null) return table;
  }
}

function countInPasses(
  pages: CountedPages,
  bounds: FrequencyBounds,
  passes: number,
  budgetBytes: number,
): FeatureTable | null {
  const kept = new KeptFeatures();
  const partPageCounts = pages.parts.map(() => 0);
  for (let pass = 0; pass < passes; pass++) {
    const tables = pages.parts.map(() => new KeyTable());
    // More passes make no table smaller than an empty one.
    const mostBytes = Math.max(budgetBytes, tableBytes(tables));
    for (const counts of partCounts(pages)) {
      for (const [part, table] of tables.entries()) {
        const { keys, length } = counts[part]!;
        if (pass === 0 && length > 0) partPageCounts[part]!++;
        for (let i = 0; i < length; i++) {
          if (passes === 1 || (keys[i]! >>> 8) % passes === pass) table.add(keys[i]!, 1);
        }
      }
      if (passes < 1024 && tableBytes(tables) > mostBytes) return null;
    }
    for (const [part, table] of tables.entries()) {
      const most = mostPages(partPageCounts[part]!, bounds.maxPageShare);
      for (const [key, pageCount] of table.entries()) {
        if (pageCount < bounds.minPageCount || pageCount > most) continue;
        kept.push(part, key, pageCount);
      }
    }
  }
  return { ...kept.sorted(), partPageCounts };
}

/** Features as they are found, in typed arrays: 13 bytes each, and 40 more while they are sorted. */
class KeptFeatures {
  length = 0;
  readonly #parts = new NumberColumn(Uint8Array, 0);
  readonly #keys = new NumberColumn(Float64Array, 0);
  readonly #pageCounts = new NumberColumn(Uint32Array, 0);

  push(part: number, key: number, pageCount: number): void {
    this.#parts.set(this.length, part);
    this.#keys.set(this.length, key);
    this.#pageCounts.set(this.length++, pageCount);
  }

  /** By count, part and key: stable sorts from the least part of that to the greatest. */
  sorted(): Omit<FeatureTable, 'partPageCounts'> {
    const parts = this.#parts.first(this.length);
    const keys = this.#keys.first(this.length);
    const pageCounts = this.#pageCounts.first(this.length);
    const order = indexes(this.length);
    const digits = new Uint32Array(this.length);
    const scratch = createRadixScratch(this.length);
    for (const digitOf of [
      (i: number) => keys[i]! >>> 0,
      // A key has 53 bits, a part eight at most.
      (i: number) => parts[i]! * 2 ** 21 + Math.floor(keys[i]! / 2 ** 32),
      (i: number) => pageCounts[i]!,
    ]) {
      for (let at = 0; at < order.length; at++) digits[at] = digitOf(order[at]!);
      radixSort(digits, order, scratch);
    }
    return {
      parts: Uint8Array.from(parts, (_, at) => parts[order[at]!]!),
      keys: Float64Array.from(keys, (_, at) => keys[order[at]!]!),
      pageCounts: Uint32Array.from(pageCounts, (_, at) => pageCounts[order[at]!]!),
    };
  }
}

function tableBytes(tables: readonly KeyTable[]): number {
  return tables.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** How many pages may have a word, as a share of all that is no more than `maxPageShare`; two may in any case. */
export function mostPages(pageCount: number, maxPageShare: number): number {
  return Math.max(LEAST_SHARED_PAGES, mostWithin(maxPageShare, pageCount));
}
