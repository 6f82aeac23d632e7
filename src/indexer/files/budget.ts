/**
 * `--memory`, divided: the shares of what a step holds at the same time. A step begins when the one before it has let go;
 * two steps that run side by side are named as parts of a third.
 *
 * The threads beside the joins are the exception: they run where the pages of these leave half of the budget, and what they hold
 * above that comes on top. Where the words of the pages prove to need that half as well, the search for neighbors waits for them.
 */
import { availableParallelism } from 'node:os';

const STEPS = {
  /** Records on their way to the files of their buckets, of each kind. */
  extract: { records: 1 / 16, forms: 1 / 16, linkUrls: 1 / 16 },
  /** The buckets at hand, of all threads together; and what of the input one of them is meant to get. */
  collapse: { buckets: 1 / 4 },
  bucket: { input: 1 / 16 },
  linkRows: { links: 1 / 4 },
  frequencies: { tables: 1 / 4 },
  names: { forms: 1 / 4 },
  neighbors: { join: 1 },
  /** What there is a page, and the entries of the bags; pairs that the threads have found; pairs that they have compared. */
  pairs: { pages: 1 / 2, found: 1 / 4, compared: 1 / 4 },
  exactPairs: { pages: 1 / 2, found: 1 / 4, postings: 1 / 4 },
  /** Pairs of an index that are sorted to be printed. */
  printedPairs: { found: 1 / 4 },
  /** All that they hold. */
  copies: { join: 3 / 8 },
  /** Joins while threads make the search, find copies and write tables. */
  beside: { join: 1 / 2, tables: 3 / 8 },
  /** The bags, while the tables are written that no thread has written. */
  write: { bags: 1 / 2, tables: 3 / 8 },
  /** Words of pages, beside the lists of the shingles or beside copies; the bags and their inverted lists, beside either of them. */
  search: { words: 3 / 8 },
  tables: { bags: 1 / 4, lists: 1 / 8 },
} as const;

/** What a build may use: the index is the same for any. */
export interface Resources {
  readonly memoryBytes: number;
  /** Threads. */
  readonly workerCount: number;
}

/** Resources as they are asked for: 0 threads are one a processor. More than these would share them, and each compiles anew what it runs. */
export function resourcesOf({ memoryBytes, workerCount }: Resources): Resources {
  const processorCount = availableParallelism();
  return { memoryBytes, workerCount: Math.min(workerCount || processorCount, processorCount) };
}

/** Bytes of each part of each step. */
export type Budget = {
  readonly [Step in keyof typeof STEPS]: { readonly [Part in keyof (typeof STEPS)[Step]]: number };
};

/** Divides a budget of bytes. */
export function divideMemory(memoryBytes: number): Budget {
  const stepBytes = (shares: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(shares).map(([part, share]) => [part, memoryBytes * share]));
  return Object.fromEntries(
    Object.entries(STEPS).map(([step, shares]) => [step, stepBytes(shares)]),
  ) as Budget;
}
