/** The stage `vectors`: which vectors the pages have, and for each name the pages nearest to each of them. */
import { unpackVectors } from '../../../features/vectors.ts';
import { FULL_RECALL, type MeasuredRecall } from '../../../join/pairs/measured-recall.ts';
import { createNeighborTable, type NeighborTable } from '../../../join/pairs/neighbor-table.ts';
import { roundingAngle } from '../../../join/vectors/cosine.ts';
import { cellsFor, vectorCells } from '../../../join/vectors/vector-cells.ts';
import {
  createVectorSpace,
  mostVectors,
  putVector,
  type VectorSpace,
  vectorSpaceBytes,
} from '../../../join/vectors/vector-space.ts';
import { keptIn } from '../../../lib/kept.ts';
import { type FoundVectors, MAX_VECTOR_NAMES, MEANING_NEIGHBOR_LIMIT } from '../../../relations/meaning.ts';
import type { Resources } from '../../files/budget.ts';
import { vectorNeighborsOf, vectorPagesOf } from '../../files/records/stage-files.ts';
import type { WorkFiles } from '../../files/work-folder.ts';
import { collapsedPages } from '../../gather/records/collapsed-pages.ts';
import type { TopicOptions } from '../../options/build-options.ts';
import { requireMemory, requireVectorRoom } from '../crew/join-limits.ts';
import { fillInParallel } from './neighbors.ts';
import { type VectorWork, vectorRows } from './vector-worker.ts';

/** Pages a task: each run of the vectors is read once for all of them. */
const PAGES_PER_TASK = 64;
/** Pages that are compared with less than a thread takes to start. */
const ONE_THREAD_PAGES = 1024;

/** So many are compared all with all, which takes some 15 s of a core where they have 384 components. */
const MOST_EXACT = 20_000;

interface VectorOptions extends Pick<TopicOptions, 'targetRecall' | 'seed'> {
  /** Default `MOST_EXACT`. */
  readonly mostExactVectors?: number;
}

/** Vectors that are not used. */
interface LeftOutVectors {
  readonly name: string;
  /** Pages whose vector has another length than most; all pages of a name that is one too many. */
  readonly pageCount: number;
  readonly reason: 'length' | 'names';
}

export interface VectorReport {
  /** In the order of names. */
  readonly found: readonly FoundVectors[];
  readonly leftOut: readonly LeftOutVectors[];
  readonly pairCount: number;
}

/**
 * The length of the vectors of a name is that which most pages have, of equals the lesser one; the others are left out, as are names
 * beyond `MAX_VECTOR_NAMES`, those of the fewest pages.
 *
 * Memory  a byte a component of the vectors of one name, three where they are compared by cells, and 264 bytes a page.
 * Errors  InputError where that does not fit.
 */
export async function findVectors(
  folder: WorkFiles,
  options: VectorOptions,
  { memoryBytes, workerCount }: Resources,
  onPages: (done: number) => void,
): Promise<VectorReport> {
  const { lengths, leftOut } = chosenLengths(folder);
  const found: FoundVectors[] = [];
  let pairCount = 0;
  for (const [i, { name, dimensions, pageCount, otherCount }] of lengths.entries()) {
    requireVectorRoom(pageCount, mostVectors(dimensions));
    // With cells they stand there three times.
    const copies = pageCount > MOST_EXACT && options.targetRecall < 1 ? 3 : 1;
    const bytes =
      copies * vectorSpaceBytes(pageCount, dimensions, workerCount) +
      (8 * MEANING_NEIGHBOR_LIMIT + 1) * pageCount;
    requireMemory('vectors', bytes, memoryBytes, pageCount, null);
    const space = createVectorSpace(pageCount, dimensions, workerCount);
    vectorPagesOf(i).write(folder, fillSpace(folder, space, name));
    const table = createNeighborTable(
      pageCount,
      MEANING_NEIGHBOR_LIMIT,
      (size) => new SharedArrayBuffer(size),
    );
    const { cells, cellCount, ...recall } = searchBy(space, table, options, workerCount);
    await fillTable({ space, table, cells, cellCount }, workerCount, onPages);
    vectorNeighborsOf(i).write(folder, table);
    for (const count of table.counts) pairCount += count;
    const bound = errorBound(space);
    found.push({
      name,
      dimensions,
      page_count: pageCount,
      other_length_count: otherCount,
      error_bound: bound,
      method: cells === null ? 'exact' : 'cells',
      recall: recall.recall,
      recall_low: recall.recallLow,
      recall_high: recall.recallHigh,
      sample_count: recall.sampleCount,
    });
  }
  return { found, leftOut, pairCount };
}

/** What is taken of each name, in the order of names. */
function chosenLengths(folder: WorkFiles) {
  const counts = new Map<string, Map<number, number>>();
  for (const { page } of collapsedPages(folder)) {
    for (const [name, { length }] of Object.entries(unpackVectors(page?.vectors ?? ''))) {
      const ofName = keptIn(counts, name, () => new Map());
      ofName.set(length, (ofName.get(length) ?? 0) + 1);
    }
  }
  const all = Array.from(counts, ([name, ofName]) => {
    const [[dimensions, pageCount]] = [...ofName].sort(([a, m], [b, n]) => n - m || a - b) as [
      [number, number],
    ];
    const otherCount = [...ofName.values()].reduce((sum, count) => sum + count, -pageCount);
    return { name, dimensions, pageCount, otherCount };
  });
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
  all.sort((a, b) => b.pageCount - a.pageCount || byName(a, b));
  const lengths = all.splice(0, MAX_VECTOR_NAMES).sort(byName);
  const leftOut: LeftOutVectors[] = [
    ...lengths
      .filter(({ otherCount }) => otherCount > 0)
      .map(({ name, otherCount: pageCount }) => ({ name, pageCount, reason: 'length' as const })),
    ...all.map(({ name, pageCount }) => ({ name, pageCount, reason: 'names' as const })),
  ];
  return { lengths, leftOut };
}

/** Puts all vectors of a name in their places, in the order of pages, and returns the pages. */
export function fillSpace(folder: WorkFiles, space: VectorSpace, name: string): Uint32Array {
  const pages = new Uint32Array(space.count);
  let count = 0;
  let id = 0;
  for (const { page } of collapsedPages(folder)) {
    const vector = unpackVectors(page?.vectors ?? '')[name];
    if (vector?.length === space.dimensions) {
      putVector(space, count, vector);
      pages[count++] = id;
    }
    id++;
  }
  return pages;
}

/** Which pairs are compared: all of them, or where these are many those of so many cells as reach the recall that is asked for. */
function searchBy(
  space: VectorSpace,
  table: NeighborTable,
  { mostExactVectors, targetRecall, seed }: VectorOptions,
  workerCount: number,
): MeasuredRecall & Pick<VectorWork, 'cells' | 'cellCount'> {
  const exact = { cells: null, cellCount: 0, ...FULL_RECALL };
  if (space.count <= (mostExactVectors ?? MOST_EXACT) || targetRecall === 1) return exact;
  const cells = vectorCells(space, seed, workerCount);
  const { cellCount, ...recall } = cellsFor(cells, table, targetRecall, seed);
  return cellCount === cells.ends.length ? exact : { cells, cellCount, ...recall };
}

async function fillTable(
  work: VectorWork,
  workerCount: number,
  onPages: (done: number) => void,
): Promise<void> {
  const { count } = work.space;
  if (count <= ONE_THREAD_PAGES) {
    const fill = vectorRows(work);
    for (let from = 0; from < count; from += PAGES_PER_TASK)
      fill(from, Math.min(count, from + PAGES_PER_TASK));
    return;
  }
  const url = new URL('./vector-worker', import.meta.url);
  await fillInParallel(url, work, count, workerCount, onPages, PAGES_PER_TASK);
}

/** What the cosine of two of the vectors is off at most. */
function errorBound({ squares, dimensions }: VectorSpace): number {
  const angles = Array.from(squares.slice().sort().subarray(0, 2), (square) =>
    roundingAngle(square, dimensions),
  );
  return (
    Math.ceil(
      1e6 *
        Math.min(
          2,
          angles.reduce((sum, angle) => sum + angle, 0),
        ),
    ) / 1e6
  );
}
