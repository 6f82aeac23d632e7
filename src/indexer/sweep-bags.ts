import { type Bag, type BagMatrix, PARTS } from '../features/bag.ts';

const ANCHOR = PARTS.indexOf('anchor');

export function bagOfRow({ offsets, features, weights, sums }: BagMatrix, row: number): Bag {
  const [from, to] = [offsets[row]!, offsets[row + 1]!];
  return { features: features.slice(from, to), weights: weights.slice(from, to), sum: sums[row]! };
}

export function isSameBag(a: Bag, b: Bag): boolean {
  return (
    a.features.length === b.features.length &&
    a.features.every((feature, i) => feature === b.features[i] && a.weights[i] === b.weights[i])
  );
}

/** The content and title of one bag with the anchor part of another. */
export function withAnchorOf(stored: Bag, fresh: Bag, partOfFeature: Uint8Array): Bag {
  const entries: [feature: number, weight: number][] = [];
  for (const [bag, isAnchor] of [
    [fresh, false],
    [stored, true],
  ] as const) {
    for (const [i, feature] of bag.features.entries()) {
      if ((partOfFeature[feature] === ANCHOR) === isAnchor) entries.push([feature, bag.weights[i]!]);
    }
  }
  entries.sort((a, b) => a[0] - b[0]);
  return {
    features: Uint32Array.from(entries, ([feature]) => feature),
    weights: Uint8Array.from(entries, ([, weight]) => weight),
    sum: entries.reduce((sum, [, weight]) => sum + weight, 0),
  };
}
