import { createNeighbourTable, type NeighbourTable } from '../join/neighbour-table.ts';
import { BLOCK_PAGES, buildPostings } from '../join/postings.ts';
import { readArray, writeArray } from './array-file.ts';
import { loadBags } from './bags.ts';
import type { NeighbourWork } from './neighbour-worker.ts';
import type { WorkFolder } from './work-folder.ts';
import { openPool, runRanges } from './worker-pool.ts';

/** Pages a task: some hundred tasks even on small collections, so that the threads end together. */
const PAGES_PER_TASK = 256;

const shared = (bytes: number) => new SharedArrayBuffer(bytes);

/** Finds the K nearest pages of every page by exact accumulation, in parallel. Returns the number of pairs. */
export async function findNeighbours(
  folder: WorkFolder,
  options: { readonly neighbourLimit: number; readonly floor: number; readonly workerCount: number },
  onPages: (done: number) => void,
): Promise<number> {
  const matrix = loadBags(folder);
  const pageCount = matrix.sums.length;
  const work: NeighbourWork = {
    matrix,
    postings: buildPostings(matrix, BLOCK_PAGES, shared),
    table: createNeighbourTable(pageCount, options.neighbourLimit, shared),
    floor: options.floor,
  };
  const pool = openPool<{ from: number; to: number }, void>('neighbour-worker', options.workerCount, work);
  try {
    await runRanges(pool, pageCount, PAGES_PER_TASK, onPages);
  } finally {
    await pool.destroy();
  }
  return saveNeighbours(folder, work.table);
}

export function saveNeighbours(folder: WorkFolder, table: NeighbourTable): number {
  writeArray(folder.file('neighbour-counts'), table.counts);
  writeArray(folder.file('neighbour-ids'), table.ids);
  writeArray(folder.file('neighbour-shared'), table.shared);
  writeArray(folder.file('neighbour-total'), table.total);
  return table.counts.reduce((sum, count) => sum + count, 0);
}

export function loadNeighbours(folder: WorkFolder, k: number): NeighbourTable {
  return {
    k,
    counts: readArray(folder.file('neighbour-counts'), Uint8Array),
    ids: readArray(folder.file('neighbour-ids'), Uint32Array),
    shared: readArray(folder.file('neighbour-shared'), Uint16Array),
    total: readArray(folder.file('neighbour-total'), Uint16Array),
  };
}
