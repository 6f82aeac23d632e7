/**
 * V-measure of clusters against one label a page: the harmonic mean of homogeneity and completeness.
 *
 * Clusters of one page are homogeneous for nothing and raise it; read it beside the share of pages alone.
 * Source  Rosenberg, Hirschberg, EMNLP 2007.
 */
export function vMeasure(pairs: readonly (readonly [cluster: string, label: string])[]): number {
  const n = pairs.length;
  const entropyOf = (names: readonly string[]) => {
    let entropy = 0;
    for (const group of Map.groupBy(names, (name) => name).values()) {
      entropy -= (group.length / n) * Math.log(group.length / n);
    }
    return entropy;
  };
  const clusters = entropyOf(pairs.map(([cluster]) => cluster));
  const labels = entropyOf(pairs.map(([, label]) => label));
  const joint = entropyOf(pairs.map(([cluster, label]) => `${cluster}\t${label}`));
  const homogeneity = labels === 0 ? 1 : 1 - (joint - clusters) / labels;
  const completeness = clusters === 0 ? 1 : 1 - (joint - labels) / clusters;
  return homogeneity + completeness === 0
    ? 0
    : (2 * homogeneity * completeness) / (homogeneity + completeness);
}
