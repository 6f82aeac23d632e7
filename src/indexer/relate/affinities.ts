/** The affinities of pages with their neighbors (join/pairs/affinity.ts), from the bags wherever they are. */
import type { EntrySource } from '../../join/bags/entry-source.ts';
import { AffinityCount, type EntrySpan } from '../../join/pairs/affinity.ts';
import type { NeighborTable } from '../../join/pairs/neighbor-table.ts';
import type { BagOffsets } from '../weigh/bag-files.ts';

const COUNT = new AffinityCount();

/** Those of rows of pages from `first` on; K a page, as the rows have their ids. */
export function rowAffinities(
  first: number,
  { k, counts, ids }: NeighborTable,
  bagOf: (page: number) => EntrySpan,
): Uint16Array {
  const affinities = new Uint16Array(k * counts.length);
  for (let row = 0; row < counts.length; row++) {
    if (counts[row] === 0) continue;
    COUNT.take(bagOf(first + row));
    for (let at = row * k, end = at + counts[row]!; at < end; at++) {
      affinities[at] = COUNT.with(bagOf(ids[at]!));
    }
  }
  return affinities;
}

/** True until the next one is asked for. */
export function bagOfPage({ offsets, sums }: BagOffsets, entries: EntrySource, page: number): EntrySpan {
  const start = entries.locate(offsets[page]!, offsets[page + 1]!);
  const { features, weights } = entries;
  return { features, weights, sum: sums[page]!, start, end: start + offsets[page + 1]! - offsets[page]! };
}
