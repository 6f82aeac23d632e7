import type { BagMatrix } from '../src/features/bag.ts';
import type { IndexReader } from '../src/store/read/reader.ts';

/** The bags of an index as one matrix in shared memory, for a join over what is stored. */
export function storedBags(reader: IndexReader, relationId: number): BagMatrix {
  const offsets = new Float64Array(new SharedArrayBuffer(8 * (reader.pageCount + 1)));
  let entryCount = 0;
  let featureCount = 0;
  for (const { pageId, bag } of reader.allBags(relationId)) {
    entryCount += bag.features.length;
    offsets[pageId + 1] = bag.features.length;
    featureCount = Math.max(featureCount, (bag.features.at(-1) ?? -1) + 1);
  }
  for (let page = 0; page < reader.pageCount; page++) offsets[page + 1]! += offsets[page]!;
  const features = new Uint32Array(new SharedArrayBuffer(4 * entryCount));
  const weights = new Uint8Array(new SharedArrayBuffer(entryCount));
  const sums = new Uint16Array(new SharedArrayBuffer(2 * reader.pageCount));
  for (const { pageId, bag } of reader.allBags(relationId)) {
    features.set(bag.features, offsets[pageId]!);
    weights.set(bag.weights, offsets[pageId]!);
    sums[pageId] = bag.sum;
  }
  return { offsets, features, weights, sums, featureCount };
}
