/**
 * The lists of an index that a build has among its inputs: most pages have about the neighbors that they had. A search that
 * knows them beforehand takes two thirds of the time, and finds the same.
 */
import { AkinError } from '../../../errors.ts';
import type { CollapsedBags } from '../../../join/bags/collapse-equal-bags.ts';
import type { NeighborTable } from '../../../join/pairs/neighbor-table.ts';
import { NONE } from '../../../lib/columns/indexes.ts';
import { TOPIC } from '../../../relations/topic.ts';
import { IndexReader } from '../../../store/read/reader.ts';
import type { WorkFiles } from '../../files/work-folder.ts';
import { pageNames } from '../../gather/records/collapsed-pages.ts';

/**
 * Lays the former neighbors of the groups of equal bags into their rows of `table`, for `neighborRows`: where they and the
 * others of the group are K pages, no group that is less near is asked for. An index that cannot be read has none.
 *
 * Memory  4 bytes a page of the index and a group.
 */
export function layFormerNeighbors(
  folder: WorkFiles,
  indexPath: string,
  groups: CollapsedBags,
  table: NeighborTable,
): void {
  try {
    using reader = IndexReader.open(indexPath);
    layRows(reader, newIds(folder, reader), groups, table);
  } catch (error) {
    if (!(error instanceof AkinError)) throw error;
    table.counts.fill(0);
  }
}

/** By the id of a page in the index, the one that it has now, or NONE: both are in the order of URLs. */
function newIds(folder: WorkFiles, reader: IndexReader): Uint32Array {
  const ids = new Uint32Array(reader.pageCount).fill(NONE);
  const pages = pageNames(folder);
  let page = pages.next();
  let id = 0;
  let at = 0;
  for (const url of reader.input.urls()) {
    for (; !page.done && page.value.url < url; id++) page = pages.next();
    if (!page.done && page.value.url === url) ids[at] = id;
    at++;
  }
  pages.return?.();
  return ids;
}

function layRows(
  reader: IndexReader,
  ids: Uint32Array,
  { groupOf, starts, members }: CollapsedBags,
  { k, counts, ids: likely }: NeighborTable,
): void {
  const lastOwner = new Uint32Array(counts.length).fill(NONE);
  for (const { pageId, list } of reader.allNeighbors(TOPIC.id)) {
    const page = ids[pageId]!;
    const group = page === NONE ? NONE : groupOf[page]!;
    if (group === NONE || members[starts[group]!] !== page) continue;
    lastOwner[group] = group;
    let count = 0;
    let pages = starts[group + 1]! - starts[group]! - 1;
    for (const neighbor of list.ids) {
      const near = ids[neighbor] === NONE ? group : groupOf[ids[neighbor]!]!;
      if (lastOwner[near] === group || count === k) continue;
      lastOwner[near] = group;
      likely[group * k + count++] = near;
      pages += starts[near + 1]! - starts[near]!;
    }
    counts[group] = pages < k ? 0 : count;
  }
}
