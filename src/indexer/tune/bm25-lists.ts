import type { BagMatrix } from '../../features/bag.ts';
import type { Counted } from '../../features/counted-pages.ts';
import { bm25Rows } from '../../join/bm25/bm25-rows.ts';
import { countBags, meanLengthOf } from '../../join/bm25/counted-bags.ts';
import { type WordFeatures, wordFeatures } from '../../join/bm25/word-features.ts';
import { createNeighborTable } from '../../join/pairs/neighbor-table.ts';
import { PLAIN } from '../../join/pairs/votes.ts';
import { type ListOptions, type ListsByRank, listsByRank } from './lists-of-bags.ts';

/** The list of every row in either order, as an index of these bags by the kernel bm25 would answer. */
export function bm25Lists(
  matrix: BagMatrix,
  counted: Counted,
  { pageCount, neighborLimit }: ListOptions,
): ListsByRank {
  const features = featuresOf(counted);
  const bags = countBags(matrix, features, undefined, pageCount);
  const meanLength = meanLengthOf(bags.lengths.subarray(0, pageCount));
  const rowCount = matrix.sums.length;
  const empty = createNeighborTable(rowCount, neighborLimit);
  const table = { ...empty, nearness: new Uint16Array(empty.ids.length) };
  bm25Rows(matrix, bags, { features, meanLength }, table)(0, rowCount);
  return listsByRank(table, { ...PLAIN, by: 'nearness' });
}

/** Of the features that counted pages have; a feature that none of them has is of no part. */
function featuresOf({ parts, partPageCounts, featureCount, ids, pageCounts, ends }: Counted): WordFeatures {
  const rows = Array.from({ length: featureCount }, () => ({ part: 'out', pageCount: 1 }));
  for (let row = 0, at = 0; row < ends.length; row++) {
    const part = parts[row % parts.length]!;
    for (; at < ends[row]!; at++) rows[ids[at]!] = { part, pageCount: pageCounts[at]! };
  }
  return wordFeatures(featureCount, rows, (part) => partPageCounts[parts.indexOf(part)]!);
}
