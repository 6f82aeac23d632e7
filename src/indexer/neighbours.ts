import type { BagMatrix } from '../features/bag.ts';
import { exactNeighbours } from '../join/exact-neighbours.ts';
import { exactBytes, graphBytes } from '../join/join-memory.ts';
import { type GraphStep, streamNeighbourGraph } from '../join/nearest-neighbour-graph.ts';
import { isExactCheaper } from '../join/neighbour-cost.ts';
import { createNeighbourTable, type NeighbourTable } from '../join/neighbour-table.ts';
import { BLOCK_PAGES, buildPostings } from '../join/postings.ts';
import { ArrayWriter, readBlocks, readOwnArray } from './array-file.ts';
import { loadBagRanges, loadEntries } from './bags.ts';
import type { BuildOptions } from './build-options.ts';
import { withEntries } from './join-crew.ts';
import { requireMemory } from './memory-budget.ts';
import type { NeighbourWork } from './neighbour-worker.ts';
import type { WorkFolder } from './work-folder.ts';
import { openPool, runRanges } from './worker-pool.ts';

/** Pages a task: some hundred tasks even on small collections, so that the threads end together. */
const PAGES_PER_TASK = 256;

const shared = (bytes: number) => new SharedArrayBuffer(bytes);

/** How the lists were found, and how complete they are. Every similarity in them is exact either way. */
export interface NeighbourReport {
  readonly pairCount: number;
  readonly method: 'exact' | 'graph';
  /** Share of the true ten nearest that the lists hold, measured on sampled pages; 1 where exact. */
  readonly recall: number;
  /** Pages that recall was measured on; 0 where exact. */
  readonly sampleCount: number;
}

type NearestOptions = Pick<
  BuildOptions,
  'neighbourLimit' | 'floor' | 'workerCount' | 'targetRecall' | 'seed' | 'memoryBytes'
>;

/**
 * Finds the K nearest pages of every page: by exact accumulation where that is cheaper, or where full recall
 * is asked for, else by the neighbour graph, which measures its own recall and works until the target is met.
 * Entries of bags that do not fit in the memory budget beside the rest are read from their files.
 *
 * Errors  InputError where the budget is too small for what must be in memory.
 */
export async function findNeighbours(
  folder: WorkFolder,
  options: NearestOptions,
  onPages: (done: number) => void,
  onStep: (step: GraphStep) => void = () => {},
): Promise<NeighbourReport> {
  const pages = loadBagRanges(folder);
  const { neighbourLimit: k, floor, seed, targetRecall, workerCount } = options;
  const size = {
    pageCount: pages.sums.length,
    entryCount: pages.offsets.at(-1)!,
    featureCount: pages.featureCount,
    k,
    threadCount: workerCount,
  };
  const features = readBlocks(folder.file('bag-features'), Uint32Array);
  if (targetRecall === 1 || isExactCheaper(size.pageCount, size.featureCount, features)) {
    requireMemory(exactBytes(size), options.memoryBytes, size.pageCount, '--neighbours');
    const table = await exactTable({ ...pages, ...loadEntries(folder) }, options, onPages);
    return { pairCount: saveNeighbours(folder, table), method: 'exact', recall: 1, sampleCount: 0 };
  }
  const { fixedBytes, entryBytes } = graphBytes(size);
  requireMemory(fixedBytes, options.memoryBytes, size.pageCount, '--neighbours');
  const isOnDisk = fixedBytes + entryBytes > options.memoryBytes;
  const writer = new NeighbourWriter(folder);
  const graph = await withEntries(folder, isOnDisk, pages, workerCount, (matrix, source) =>
    streamNeighbourGraph(matrix, { k, floor, seed, targetRecall, onStep, ...source }, (rows) =>
      writer.append(rows),
    ),
  );
  return {
    pairCount: writer.close(),
    method: 'graph',
    recall: graph.recall,
    sampleCount: graph.sampleCount,
  };
}

async function exactTable(
  matrix: BagMatrix,
  options: NearestOptions,
  onPages: (done: number) => void,
): Promise<NeighbourTable> {
  const pageCount = matrix.sums.length;
  const work: NeighbourWork = {
    matrix,
    postings: buildPostings(matrix, BLOCK_PAGES, shared),
    table: createNeighbourTable(pageCount, options.neighbourLimit, shared),
    floor: options.floor,
  };
  if (pageCount <= PAGES_PER_TASK) {
    // One task: a thread takes longer to start than this takes.
    exactNeighbours(matrix, work.postings, work.table, 0, pageCount, { floor: options.floor });
  } else {
    await fillInParallel(work, pageCount, options.workerCount, onPages);
  }
  return work.table;
}

async function fillInParallel(
  work: NeighbourWork,
  pageCount: number,
  workerCount: number,
  onPages: (done: number) => void,
): Promise<void> {
  const pool = openPool<{ from: number; to: number }, void>('neighbour-worker', workerCount, work);
  try {
    await runRanges(pool, pageCount, PAGES_PER_TASK, onPages);
  } finally {
    await pool.destroy();
  }
}

/** Writes a table to the folder as its rows come, pages in order. */
class NeighbourWriter {
  readonly #counts: ArrayWriter<Uint8Array>;
  readonly #ids: ArrayWriter<Uint32Array>;
  readonly #shared: ArrayWriter<Uint16Array>;
  readonly #total: ArrayWriter<Uint16Array>;
  #pairCount = 0;

  constructor(folder: WorkFolder) {
    this.#counts = new ArrayWriter(folder.file('neighbour-counts'), Uint8Array);
    this.#ids = new ArrayWriter(folder.file('neighbour-ids'), Uint32Array);
    this.#shared = new ArrayWriter(folder.file('neighbour-shared'), Uint16Array);
    this.#total = new ArrayWriter(folder.file('neighbour-total'), Uint16Array);
  }

  append(rows: NeighbourTable): void {
    this.#counts.append(rows.counts);
    this.#ids.append(rows.ids);
    this.#shared.append(rows.shared);
    this.#total.append(rows.total);
    for (const count of rows.counts) this.#pairCount += count;
  }

  /** Returns the number of pairs written. */
  close(): number {
    for (const file of [this.#counts, this.#ids, this.#shared, this.#total]) file.close();
    return this.#pairCount;
  }
}

export function saveNeighbours(folder: WorkFolder, table: NeighbourTable): number {
  const writer = new NeighbourWriter(folder);
  writer.append(table);
  return writer.close();
}

export function loadNeighbours(folder: WorkFolder, k: number): NeighbourTable {
  return {
    k,
    counts: readOwnArray(folder.file('neighbour-counts'), Uint8Array),
    ids: readOwnArray(folder.file('neighbour-ids'), Uint32Array),
    shared: readOwnArray(folder.file('neighbour-shared'), Uint16Array),
    total: readOwnArray(folder.file('neighbour-total'), Uint16Array),
  };
}

/** The table block by block, pages in order; a block is valid until the next one is asked for. */
export function* readNeighbours(
  folder: WorkFolder,
  k: number,
  blockPages = 1 << 12,
): IterableIterator<NeighbourTable> {
  const counts = readBlocks(folder.file('neighbour-counts'), Uint8Array, blockPages);
  const ids = readBlocks(folder.file('neighbour-ids'), Uint32Array, blockPages * k);
  const shared = readBlocks(folder.file('neighbour-shared'), Uint16Array, blockPages * k);
  const total = readBlocks(folder.file('neighbour-total'), Uint16Array, blockPages * k);
  try {
    for (const block of counts) {
      yield {
        k,
        counts: block,
        ids: ids.next().value!,
        shared: shared.next().value!,
        total: total.next().value!,
      };
    }
  } finally {
    // Only the first column has seen its end, and with it closed its file.
    for (const column of [ids, shared, total]) column.return();
  }
}
