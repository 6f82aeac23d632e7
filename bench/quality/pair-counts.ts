/** Pairs of things in one cluster; those of `undefined` are in none. */
export function clusterPairs(clusters: readonly (string | undefined)[]): number {
  const sizes = new Map<string, number>();
  for (const cluster of clusters) {
    if (cluster !== undefined) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1);
  }
  return [...sizes.values()].reduce((sum, size) => sum + (size * (size - 1)) / 2, 0);
}
