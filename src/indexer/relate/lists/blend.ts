/** The stage `blend`: the lists by words and those by vectors made one, where `--meaning-share` asks for it. */
import { optionFault } from '../../../errors.ts';
import { JaccardNearness } from '../../../join/pairs/nearness.ts';
import { createNeighborTable, rowOfTable } from '../../../join/pairs/neighbor-table.ts';
import { rowsByScore } from '../../../join/pairs/votes.ts';
import { NO_COSINE, ScaleCount } from '../../../join/vectors/blend.ts';
import {
  type BlendCandidates,
  blendCandidates,
  writeBlended,
} from '../../../join/vectors/blend-candidates.ts';
import { cosineAt, createVectorSpace, vectorSpaceBytes } from '../../../join/vectors/vector-space.ts';
import {
  chosenVectors,
  type FoundBlend,
  type FoundVectors,
  MEANING_NEIGHBOR_LIMIT,
} from '../../../relations/meaning.ts';
import { BLENDED_LISTING } from '../../../relations/topic.ts';
import { divideMemory } from '../../files/budget.ts';
import { BLEND_CANDIDATES, vectorNeighborsOf } from '../../files/records/stage-files.ts';
import { closeAll } from '../../files/records/table-file.ts';
import type { WorkFiles } from '../../files/work-folder.ts';
import type { TopicOptions } from '../../options/build-options.ts';
import { openBags } from '../../weigh/open-bags.ts';
import { requireMemory } from '../crew/join-limits.ts';
import { bagOfPage } from './bag-spans.ts';
import { readNeighbors } from './neighbors.ts';
import { writeOrdered } from './ordered-lists.ts';
import { fillSpace } from './vectors.ts';

const BLOCK_PAGES = 1 << 12;

/**
 * Which vectors lists go by beside words; -1 for none.
 *
 * Errors  InputError where no page has such a vector, unless an index is added to: pages that are taken out must not make one that
 *         can no longer be folded.
 */
export function requireVectors(
  found: readonly FoundVectors[],
  { meaningShare, meaningVectors }: Pick<TopicOptions, 'meaningShare' | 'meaningVectors'>,
  isAddition: boolean,
): number {
  const chosen = chosenVectors(found, meaningVectors);
  if (chosen >= 0 || isAddition) return chosen;
  const names = found.map(({ name }) => name).join(', ');
  const what = meaningVectors === '' ? 'a vector' : `a vector of the name ${meaningVectors}`;
  throw optionFault(
    `--meaning-share is ${meaningShare}, but no page has ${what}`,
    names === ''
      ? 'give pages vectors, or leave it out'
      : `name one of these with --meaning-vectors: ${names}`,
  );
}

/**
 * The lists of all pages, in their order: candidates are those of both lists, the nearest of them are kept, votes order them.
 *
 * Shape   `which` is the place of the vectors in `found`.
 * Memory  a byte a component of the vectors, and 600 bytes a page, beside bags as they fit.
 * Errors  InputError where that does not fit.
 */
export async function blendLists(
  folder: WorkFiles,
  options: TopicOptions,
  memoryBytes: number,
  vectors: FoundVectors,
  which: number,
  pageCount: number,
  onPages: (done: number) => void,
): Promise<FoundBlend> {
  const { name, dimensions, page_count: vectorCount } = vectors;
  const { neighborLimit: k, meaningShare: share } = options;
  const most = k + MEANING_NEIGHBOR_LIMIT;
  const bytes =
    vectorSpaceBytes(vectorCount, dimensions) +
    8 * MEANING_NEIGHBOR_LIMIT * vectorCount +
    (10 * k + 8) * pageCount;
  requireMemory('blend', bytes, memoryBytes, pageCount, null);
  const scale = writeCandidates(folder, k, memoryBytes, vectors, which, pageCount, onPages);
  const table = {
    ...createNeighborTable(pageCount, k),
    nearness: new Uint16Array(pageCount * k),
  };
  let page = 0;
  for (const block of BLEND_CANDIDATES.blocks(folder, BLOCK_PAGES)) {
    for (const [row, count] of block.counts.entries()) {
      const candidates = candidatesAt(block, row * most, count);
      writeBlended(table, page++, candidates, { share, scale });
    }
  }
  writeOrdered(folder, rowsByScore(table, BLENDED_LISTING));
  return { vectors: name, share, scale, page_count: vectorCount };
}

const COLUMNS = ['ids', 'shared', 'total', 'words', 'parts'] as const;

/** Writes the candidates of each page, compared both ways, and returns kappa. */
function writeCandidates(
  folder: WorkFiles,
  k: number,
  memoryBytes: number,
  { name, dimensions, page_count: vectorCount }: FoundVectors,
  which: number,
  pageCount: number,
  onPages: (done: number) => void,
): number {
  const most = k + MEANING_NEIGHBOR_LIMIT;
  const space = createVectorSpace(vectorCount, dimensions);
  const pages = fillSpace(folder, space, name);
  const placeOf = new Int32Array(pageCount).fill(-1);
  for (const [place, page] of pages.entries()) placeOf[page] = place;
  const near = { k: MEANING_NEIGHBOR_LIMIT, ...vectorNeighborsOf(which).readOwn(folder) };
  for (const [i, place] of near.ids.entries()) near.ids[i] = pages[place]!;
  const bags = openBags(folder, divideMemory(memoryBytes).write.bags);
  const columns = BLEND_CANDIDATES.writers(folder);
  const scale = new ScaleCount();
  const comparing = {
    pair: new JaccardNearness(),
    bagOf: (page: number) => bagOfPage(bags.matrix, bags.entries, page),
    cosineOf: (a: number, b: number) =>
      placeOf[a]! < 0 || placeOf[b]! < 0 ? NO_COSINE : cosineAt(space, placeOf[a]!, placeOf[b]!),
  };
  try {
    let page = 0;
    for (const block of readNeighbors(folder, BLOCK_PAGES)) {
      const size = block.counts.length;
      const counts = new Uint16Array(size);
      const figures = () => new Uint16Array(size * most);
      const ids = new Uint32Array(size * most);
      const candidates = { ids, shared: figures(), total: figures(), words: figures(), parts: figures() };
      for (let row = 0; row < size; row++, page++) {
        const byVectors =
          placeOf[page]! < 0 ? { ...near, start: 0, end: 0 } : rowOfTable(near, placeOf[page]!);
        const found = blendCandidates(page, rowOfTable(block, row), byVectors, comparing);
        counts[row] = found.ids.length;
        for (const name of COLUMNS) candidates[name].set(found[name], row * most);
        scale.add(found.words, found.parts);
      }
      for (const [column, values] of Object.entries({ counts, ...candidates }))
        columns[column as keyof typeof columns].append(values as never);
      onPages(page);
    }
  } finally {
    closeAll(Object.values(columns));
    bags.close();
  }
  return scale.scale;
}

function candidatesAt(
  block: Readonly<Record<keyof BlendCandidates, Uint16Array | Uint32Array>>,
  start: number,
  count: number,
): BlendCandidates {
  const of = (column: Uint16Array | Uint32Array) => column.subarray(start, start + count);
  const { ids, shared, total, words, parts } = block;
  return { ids: of(ids), shared: of(shared), total: of(total), words: of(words), parts: of(parts) };
}
