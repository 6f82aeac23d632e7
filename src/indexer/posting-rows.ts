import type { BagMatrix } from '../features/bag.ts';
import { BLOCK_PAGES } from '../join/postings.ts';

/** An entry of a range: its page and its weight. */
const ENTRY_BYTES = 5;
/** Positions of a range have 32 bits. */
const MAX_RANGE_ENTRIES = 2 ** 31;

/** The postings of one feature in one block of pages. */
export interface PostingRow {
  readonly feature: number;
  readonly block: number;
  /** `page within the block | weight << 24`, ascending by page; good until the next row. */
  readonly entries: Uint32Array;
}

/**
 * The bags by feature and block, in that order: range by range of the features, so many that their entries fit the
 * budget, with a pass over all bags for each range. What lies where leaves no trace in the rows.
 *
 * Memory  the budget, but for one feature that is larger, and 8 bytes a feature.
 */
export function* postingRows(
  matrix: BagMatrix,
  budgetBytes: number,
  blockPages = BLOCK_PAGES,
): IterableIterator<PostingRow> {
  const { features, featureCount } = matrix;
  const most = Math.min(MAX_RANGE_ENTRIES, budgetBytes / ENTRY_BYTES);
  const counts = new Uint32Array(featureCount);
  for (let i = 0; i < features.length; i++) counts[features[i]!]!++;
  const row = new Uint32Array(Math.min(blockPages, matrix.sums.length));
  for (let from = 0, to = 0; from < featureCount; from = to) {
    let size = counts[to++]!;
    while (to < featureCount && size + counts[to]! <= most) size += counts[to++]!;
    const { pages, weights } = entriesOf(matrix, from, to, counts, size);
    for (let feature = from, at = 0; feature < to; feature++) {
      const end = at + counts[feature]!;
      while (at < end) {
        const block = Math.floor(pages[at]! / blockPages);
        let length = 0;
        for (; at < end && pages[at]! < (block + 1) * blockPages; at++) {
          row[length++] = (pages[at]! - block * blockPages) | (weights[at]! << 24);
        }
        yield { feature, block, entries: row.subarray(0, length) };
      }
    }
  }
}

/** The `size` entries of the features from .. to - 1, by feature and page. */
function entriesOf(matrix: BagMatrix, from: number, to: number, counts: Uint32Array, size: number) {
  const { offsets, features, sums } = matrix;
  const next = new Uint32Array(to - from);
  for (let feature = from + 1; feature < to; feature++) {
    next[feature - from] = next[feature - from - 1]! + counts[feature - 1]!;
  }
  const pages = new Uint32Array(size);
  const weights = new Uint8Array(size);
  for (let page = 0; page < sums.length; page++) {
    for (let i = offsets[page]!, end = offsets[page + 1]!; i < end; i++) {
      const feature = features[i]!;
      if (feature < from || feature >= to) continue;
      const at = next[feature - from]!++;
      pages[at] = page;
      weights[at] = matrix.weights[i]!;
    }
  }
  return { pages, weights };
}
