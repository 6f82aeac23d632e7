/** Several bags as one, to search with: what is like all of them, and unlike some others. */
import type { Bag } from './bag.ts';
import { roundWeights } from './weigh.ts';

/**
 * The bag of weights w(f) = mean of the examples' shares of f - mean of the counter-examples' shares, where that is
 * above 0; a share is a weight over the sum of its bag. It is scaled to the mean sum of the examples, so that similarities are
 * as those of a page, and rounded as bags are. One example alone is its own bag. An empty bag counts as none.
 *
 * Shape  ids of one vocabulary. Cost: a look-up a feature of each.
 * Source  J. Rocchio, Relevance feedback in information retrieval, 1971, over shares.
 */
export function combineBags(like: readonly Bag[], unlike: readonly Bag[] = []): Bag {
  const examples = like.filter(({ sum }) => sum > 0);
  const weights = new Map<number, number>();
  add(weights, examples, 1);
  add(
    weights,
    unlike.filter(({ sum }) => sum > 0),
    -1,
  );
  const kept = [...weights].filter(([, weight]) => weight > 0).sort(([a], [b]) => a - b);
  const total = kept.reduce((sum, [, weight]) => sum + weight, 0);
  const sum = examples.reduce((all, bag) => all + bag.sum, 0) / examples.length;
  const scale = total > 0 ? sum / total : 0;
  const features = Uint32Array.from(kept, ([feature]) => feature);
  // Sums of shares may miss a whole number by a hair.
  const scaled = Float64Array.from(kept, ([, weight]) => Math.round(weight * scale * 1e6) / 1e6);
  const rounded = new Uint8Array(features.length);
  roundWeights(scaled, features, rounded);
  const present = [...rounded.keys()].filter((at) => rounded[at]! > 0);
  const bag = {
    features: Uint32Array.from(present, (at) => features[at]!),
    weights: Uint8Array.from(present, (at) => rounded[at]!),
  };
  return { ...bag, sum: bag.weights.reduce((all, weight) => all + weight, 0) };
}

function add(weights: Map<number, number>, bags: readonly Bag[], share: number): void {
  for (const bag of bags) {
    for (const [slot, feature] of bag.features.entries()) {
      const part = (share * bag.weights[slot]!) / bag.sum / bags.length;
      weights.set(feature, (weights.get(feature) ?? 0) + part);
    }
  }
}
