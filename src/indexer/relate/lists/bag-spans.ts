import type { EntrySource } from '../../../join/bags/entry-source.ts';
import type { EntrySpan } from '../../../join/pairs/nearness.ts';
import type { BagOffsets } from '../../weigh/bag-files.ts';

/** The bag of a page, wherever the entries are; true until the next one is asked for. */
export function bagOfPage({ offsets, sums }: BagOffsets, entries: EntrySource, page: number): EntrySpan {
  const start = entries.locate(offsets[page]!, offsets[page + 1]!);
  const { features, weights } = entries;
  return { features, weights, sum: sums[page]!, start, end: start + offsets[page + 1]! - offsets[page]! };
}
