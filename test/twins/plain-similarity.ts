interface Weights {
  readonly features: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
}

/** What two bags have in common by what they have together: the smaller weights by the larger ones; 0 for empty ones. */
export function plainSimilarity(a: Weights, b: Weights): number {
  const [left, right] = [a, b].map(
    ({ features, weights }) => new Map(Array.from(features, (feature, i) => [feature, weights[i]!] as const)),
  );
  let [shared, total] = [0, 0];
  for (const feature of new Set([...left!.keys(), ...right!.keys()])) {
    const pair = [left!.get(feature) ?? 0, right!.get(feature) ?? 0];
    shared += Math.min(...pair);
    total += Math.max(...pair);
  }
  return total === 0 ? 0 : shared / total;
}
