import type { BagMatrix } from '../../features/bag.ts';
import { EntriesInMemory, type EntrySource } from '../../join/bags/entry-source.ts';
import { BLOCK_PAGES } from '../../join/exact/postings.ts';

/** An entry of a range: its page and its weight. */
const ENTRY_BYTES = 5;
/** Positions of a range have 32 bits. */
const MAX_RANGE_ENTRIES = 2 ** 31;

/** The postings of one feature in one block of pages. */
interface PostingRow {
  readonly feature: number;
  readonly block: number;
  /** `page within the block | weight << 24`, ascending by page; good until the next row. */
  readonly entries: Uint32Array;
}

/**
 * The bags by feature and block, in that order: range by range of the features, so many that their entries fit the
 * budget, with a pass over all bags for each range. The rows are the same wherever the bags are.
 *
 * Memory  the budget, except for one feature that is larger, and 8 bytes a feature.
 */
export function* postingRows(
  matrix: BagMatrix,
  budgetBytes: number,
  source: EntrySource = new EntriesInMemory(matrix),
  blockPages = BLOCK_PAGES,
): IterableIterator<PostingRow> {
  const { featureCount } = matrix;
  const most = Math.min(MAX_RANGE_ENTRIES, budgetBytes / ENTRY_BYTES);
  const counts = new Uint32Array(featureCount);
  forEachEntry(matrix, source, (_, feature) => {
    counts[feature]!++;
  });
  const row = new Uint32Array(Math.min(blockPages, matrix.sums.length));
  for (let from = 0, to = 0; from < featureCount; from = to) {
    let size = counts[to++]!;
    while (to < featureCount && size + counts[to]! <= most) size += counts[to++]!;
    const { pages, weights } = entriesOf(matrix, source, from, to, counts, size);
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

/** The `size` entries of the features from .. to - 1, by feature and page; no groupBy(), as the entries are never an array. */
function entriesOf(
  matrix: BagMatrix,
  source: EntrySource,
  from: number,
  to: number,
  counts: Uint32Array,
  size: number,
) {
  const next = new Uint32Array(to - from);
  for (let feature = from + 1; feature < to; feature++) {
    next[feature - from] = next[feature - from - 1]! + counts[feature - 1]!;
  }
  const pages = new Uint32Array(size);
  const weights = new Uint8Array(size);
  forEachEntry(matrix, source, (page, feature, weight) => {
    if (feature < from || feature >= to) return;
    const at = next[feature - from]!++;
    pages[at] = page;
    weights[at] = weight;
  });
  return { pages, weights };
}

function forEachEntry(
  { offsets, sums }: BagMatrix,
  source: EntrySource,
  visit: (page: number, feature: number, weight: number) => void,
): void {
  for (let page = 0; page < sums.length; page++) {
    const at = source.locate(offsets[page]!, offsets[page + 1]!);
    const { features, weights } = source;
    const end = at + offsets[page + 1]! - offsets[page]!;
    for (let i = at; i < end; i++) visit(page, features[i]!, weights[i]!);
  }
}
