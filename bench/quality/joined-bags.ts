import type { Bag, BagMatrix } from '../../src/features/bag.ts';

/** Bags of pages 0, 1, ... as one matrix. */
export function joinedBags(bags: readonly Bag[], featureCount: number): BagMatrix {
  const offsets = new Float64Array(bags.length + 1);
  for (const [page, { features }] of bags.entries()) offsets[page + 1] = offsets[page]! + features.length;
  const features = new Uint32Array(offsets[bags.length]!);
  const weights = new Uint8Array(offsets[bags.length]!);
  for (const [page, bag] of bags.entries()) {
    features.set(bag.features, offsets[page]);
    weights.set(bag.weights, offsets[page]);
  }
  return { offsets, features, weights, sums: Uint16Array.from(bags, ({ sum }) => sum), featureCount };
}
