import { createJoinSpace, type JoinSpace } from 'akin-web/rooms/join/buckets/space/join-space';

/** The space of the local join for some bags alone, and one thread. */
export function spaceOfBags(
  bags: readonly { readonly features: Uint32Array; readonly weights: Uint8Array }[],
  featureCount: number,
  settings: Partial<Parameters<typeof createJoinSpace>[2]>,
): { readonly space: JoinSpace; readonly sums: Uint16Array } {
  const offsets = new Float64Array(bags.length + 1);
  for (const [i, { features }] of bags.entries()) offsets[i + 1] = offsets[i]! + features.length;
  const features = new Uint32Array(offsets[bags.length]!);
  const weights = new Uint8Array(features.length);
  for (const [i, bag] of bags.entries()) {
    features.set(bag.features, offsets[i]);
    weights.set(bag.weights, offsets[i]);
  }
  const sums = Uint16Array.from(bags, (bag) => bag.weights.reduce((sum, weight) => sum + weight, 0));
  const ranges = { starts: offsets, ends: offsets.subarray(1), sums, featureCount };
  const none = {
    k: 0,
    seed: 0,
    floor: 0,
    slack: 0,
    threadCount: 1,
    samplePages: new Uint32Array(0),
    sampleK: 0,
  };
  return { space: createJoinSpace(ranges, { features, weights }, { ...none, ...settings }), sums };
}
