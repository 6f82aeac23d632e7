import type { BagMatrix } from '../../../features/bag.ts';
import {
  type CollapsedBags,
  collapseEqualBags,
  keepDistinct,
} from '../../../join/bags/collapse-equal-bags.ts';
import { EntriesInMemory } from '../../../join/bags/entry-source.ts';
import { type GraphStep, streamNeighborGraph } from '../../../join/buckets/nearest-neighbor-graph.ts';
import { areExactNeighborsCheaper, countWork } from '../../../join/buckets/space/join-cost.ts';
import { exactBytes, exactKernelBytes, graphBytes } from '../../../join/buckets/space/join-memory.ts';
import { expandGroups, tableRows } from '../../../join/buckets/steps/expand-groups.ts';
import type { RecallByKind } from '../../../join/buckets/steps/sample-truth.ts';
import { neighborRows } from '../../../join/exact/exact-neighbors.ts';
import { createNeighborSpace } from '../../../join/exact/neighbor-space.ts';
import { FULL_RECALL, type MeasuredRecall } from '../../../join/pairs/measured-recall.ts';
import { type NeighborTable, withWidth } from '../../../join/pairs/neighbor-table.ts';
import { putInOrder } from '../../../join/pairs/votes.ts';
import { divideMemory, type Resources } from '../../files/budget.ts';
import { BAG_ENTRIES, NEIGHBOR_PLACES, NEIGHBORS } from '../../files/records/stage-files.ts';
import { closeAll } from '../../files/records/table-file.ts';
import { asMessage, ThreadPool } from '../../files/threads/thread-pool.ts';
import type { WorkFiles } from '../../files/work-folder.ts';
import type { TopicOptions } from '../../options/build-options.ts';
import { loadBagOffsets } from '../../weigh/bag-files.ts';
import { withEntries } from '../crew/join-crew.ts';
import { requireExactRoom, requireKernelRoom, requireMemory } from '../crew/join-limits.ts';
import { layFormerNeighbors } from './former-neighbors.ts';
import type { PageRange } from './neighbor-worker.ts';

/** Pages a task: some hundred tasks even on small collections, so that the threads end together. */
const PAGES_PER_TASK = 256;

/** How the lists were found, and how complete they are. Every similarity in them is exact either way. */
export interface NeighborReport extends MeasuredRecall, RecallByKind {
  readonly pairCount: number;
  readonly method: 'exact' | 'graph';
  /** What the graph took; 0 where exact. */
  readonly repetitions: number;
  readonly rounds: number;
  /** Reads of entries of bags that were not in memory. */
  readonly entryReadCount: number;
  /** Words of a page on average, where the kernel asks for it. */
  readonly meanLength?: number;
}

export interface NeighborOptions
  extends Pick<TopicOptions, 'neighborLimit' | 'floor' | 'targetRecall' | 'seed'> {
  /** An index among the inputs, whose lists are guesses at those to be found: they spare time and change nothing. */
  readonly formerIndex?: string | undefined;
  /** Is awaited before the search, with what it will hold. */
  readonly makeRoom?: (bytes: number) => Promise<void>;
}

/**
 * Finds the K nearest pages of every page: by exact accumulation where that is cheaper, or where full recall
 * is asked for, else by the neighbor graph, which measures its own recall and works until the target is met.
 * Pages with equal bags count as one in either. Entries of bags that do not fit in the memory budget beside the rest
 * are read from their files.
 *
 * Errors  InputError where the budget is too small for what must be in memory.
 */
export async function findNeighbors(
  folder: WorkFiles,
  options: NeighborOptions,
  { memoryBytes, workerCount }: Resources,
  onPages: (done: number) => void,
  onStep: (step: GraphStep) => void = () => {},
): Promise<NeighborReport> {
  const pages = loadBagOffsets(folder);
  const { neighborLimit: k, floor, seed, targetRecall, makeRoom = async () => {} } = options;
  const pageCount = pages.sums.length;
  const size = {
    pageCount,
    entryCount: pages.offsets.at(-1)!,
    featureCount: pages.featureCount,
    k,
    threadCount: workerCount,
  };
  const { fixedBytes, entryBytes } = graphBytes(size);
  const isOnDisk = fixedBytes + entryBytes > divideMemory(memoryBytes).neighbors.join;
  const writer = new NeighborWriter(folder);
  const require = (bytes: number) => requireMemory('neighbors', bytes, memoryBytes, pageCount, '--neighbors');
  try {
    const found = await withEntries(folder, isOnDisk, pages, workerCount, async (matrix, source) => {
      const entries = source.entries ?? new EntriesInMemory(matrix);
      const append = (rows: NeighborTable) => writer.append(rows);
      const collapsed = collapseEqualBags(pages, entries);
      const work = countWork(collapsed.bags, entries);
      if (targetRecall === 1 || areExactNeighborsCheaper(work)) {
        require(exactBytes(work, size));
        requireExactRoom(work.pageCount, exactKernelBytes(work, size));
        await makeRoom(exactBytes(work, size));
        const all = isOnDisk ? { ...pages, ...BAG_ENTRIES.read(folder) } : matrix;
        const distinct = keepDistinct(all, collapsed);
        await exactRows(folder, distinct, collapsed, options, workerCount, onPages, append);
        return EXACT;
      }
      require(fixedBytes);
      requireKernelRoom('neighbors', work.pageCount, workerCount);
      await makeRoom(isOnDisk ? fixedBytes : fixedBytes + entryBytes);
      const settings = { k, floor, seed, targetRecall, onStep, collapsed };
      const graph = await streamNeighborGraph(matrix, { ...settings, ...source }, append);
      const { distinctCount: _distinct, rowComparisons: _rows, bagComparisons: _bags, ...report } = graph;
      return { method: 'graph', ...report } as const;
    });
    return { pairCount: writer.pairCount, ...found };
  } finally {
    writer.close();
  }
}

/** What is said of lists that are exact. */
export const EXACT = {
  method: 'exact',
  ...FULL_RECALL,
  kinds: [],
  repetitions: 0,
  rounds: 0,
  entryReadCount: 0,
} as const;

/** The rows of all pages from those of distinct bags. */
async function exactRows(
  folder: WorkFiles,
  distinct: BagMatrix,
  collapsed: CollapsedBags,
  options: NeighborOptions,
  workerCount: number,
  onPages: (done: number) => void,
  take: (rows: NeighborTable) => void,
): Promise<void> {
  const bagCount = distinct.sums.length;
  const { formerIndex, neighborLimit: k, floor } = options;
  const isOneTask = bagCount <= PAGES_PER_TASK;
  const space = createNeighborSpace(distinct, { k, floor, threadCount: isOneTask ? 1 : workerCount });
  if (formerIndex !== undefined) layFormerNeighbors(folder, formerIndex, collapsed, space.table);
  if (isOneTask) {
    // A thread takes longer to start than this takes.
    neighborRows(space)(0, bagCount);
  } else {
    const pagesABag = collapsed.groupOf.length / bagCount;
    const url = new URL('./neighbor-worker', import.meta.url);
    await fillInParallel(url, space, bagCount, workerCount, (done) => onPages(Math.round(done * pagesABag)));
  }
  expandGroups(tableRows(space.table), collapsed, take);
}

/** Has threads of a module fill the rows of all pages, range by range. */
export async function fillInParallel<Work>(
  url: URL,
  work: Work,
  pageCount: number,
  workerCount: number,
  onPages: (done: number) => void,
  pagesPerTask = PAGES_PER_TASK,
): Promise<void> {
  const pool = new ThreadPool<PageRange, void>(url, workerCount, work, asMessage);
  let done = 0;
  const fill = async (from: number) => {
    const to = Math.min(pageCount, from + pagesPerTask);
    await pool.run({ from, to });
    done += to - from;
    onPages(done);
  };
  const rangeCount = Math.ceil(pageCount / pagesPerTask);
  try {
    await Promise.all(Array.from({ length: rangeCount }, (_, range) => fill(range * pagesPerTask)));
  } finally {
    await pool.close();
  }
}

/** Writes a table to the folder as its rows come, pages in order. */
class NeighborWriter {
  pageCount = 0;
  pairCount = 0;
  readonly #columns;

  constructor(folder: WorkFiles) {
    this.#columns = NEIGHBORS.writers(folder);
  }

  append(rows: NeighborTable): void {
    this.#columns.counts.append(rows.counts);
    this.#columns.ids.append(rows.ids);
    this.#columns.shared.append(rows.shared);
    this.#columns.total.append(rows.total);
    if (rows.nearness !== undefined) this.#columns.nearness.append(rows.nearness);
    for (const count of rows.counts) this.pairCount += count;
    this.pageCount += rows.counts.length;
  }

  close(): void {
    closeAll(Object.values(this.#columns));
  }
}

/** Returns the number of pairs written. */
export function saveNeighbors(folder: WorkFiles, table: NeighborTable): number {
  const writer = new NeighborWriter(folder);
  writer.append(table);
  writer.close();
  return writer.pairCount;
}

export function loadNeighbors(folder: WorkFiles): NeighborTable {
  const { nearness, ...table } = NEIGHBORS.readOwn(folder);
  return withWidth({ ...table, ...(nearness.length > 0 && { nearness }) });
}

/** The table block by block, pages in order; a block is valid until the next one is asked for. */
export function* readNeighbors(folder: WorkFiles, blockPages = 1 << 12): IterableIterator<NeighborTable> {
  for (const { nearness, ...block } of NEIGHBORS.blocks(folder, blockPages)) {
    yield withWidth({ ...block, ...(nearness !== undefined && { nearness }) });
  }
}

/** The same with each row by votes, as the stage `clusters` has counted them for its topics. */
export function* neighborsByVotes(folder: WorkFiles, blockPages = 1 << 12): IterableIterator<NeighborTable> {
  let placesOfBlocks: ReturnType<typeof NEIGHBOR_PLACES.blocks> | undefined;
  try {
    for (const { counts, ...stored } of readNeighbors(folder, blockPages)) {
      const { k, ids, shared, total, nearness } = stored;
      placesOfBlocks ??= NEIGHBOR_PLACES.blocks(folder, blockPages * k);
      const places = placesOfBlocks.next().value!;
      const block = {
        k,
        counts,
        ids: ids.slice(),
        shared: shared.slice(),
        total: total.slice(),
        nearness: nearness!.slice(),
      };
      for (let page = 0; page < counts.length; page++) {
        const start = page * k;
        putInOrder(block, page, places.subarray(start, start + counts[page]!), stored, start);
      }
      yield block;
    }
  } finally {
    placesOfBlocks?.return();
  }
}
