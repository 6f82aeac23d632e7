import { createHints, type NeighborHints } from '../../join/exact/neighbor-hints.ts';
import { NONE } from '../../lib/columns/indexes.ts';
import { TOPIC } from '../../relations/topic.ts';
import { IndexReader } from '../../store/read/reader.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import { pageNames } from '../gather/records/collapsed-pages.ts';

/**
 * What an index that is built again says of the neighbors of its pages, as pages of the folder.
 *
 * Shape  groupOf: the bag of each page of the folder, of `bagCount`; a bag has the neighbors of its first page there.
 */
export function earlierNeighbors(
  indexPath: string,
  folder: WorkFiles,
  groupOf: Uint32Array,
  bagCount: number,
  k: number,
): NeighborHints {
  const hints = createHints(bagCount, k);
  const reader = IndexReader.open(indexPath);
  try {
    const bagOf = bagsOfPages(reader, folder, groupOf);
    for (const { pageId, list } of reader.allNeighbors(TOPIC.id, k)) {
      const bag = bagOf[pageId]!;
      if (bag === NONE || hints.counts[bag]! > 0) continue;
      for (const id of list.ids) {
        const other = bagOf[id]!;
        const known = hints.ids.subarray(bag * k, bag * k + hints.counts[bag]!);
        if (other !== NONE && other !== bag && !known.includes(other)) {
          hints.ids[bag * k + hints.counts[bag]!++] = other;
        }
      }
    }
  } finally {
    reader.close();
  }
  return hints;
}

/** The bag of each page of the index, NONE where it is no page any more: pages stand in the order of URLs here and there. */
function bagsOfPages(reader: IndexReader, folder: WorkFiles, groupOf: Uint32Array): Uint32Array {
  const bagOf = new Uint32Array(reader.pageCount).fill(NONE);
  const earlier = reader.input.urls();
  let id = 0;
  let page = 0;
  for (const { url } of pageNames(folder)) {
    while (id < earlier.length && earlier[id]! < url) id++;
    if (earlier[id] === url) bagOf[id] = groupOf[page]!;
    page++;
  }
  return bagOf;
}
