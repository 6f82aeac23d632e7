/**
 * V-measure of clusters against one label a page: the harmonic mean of homogeneity (a cluster has one label)
 * and completeness (a label is in one cluster).
 *
 * A cluster of one page is homogeneous for nothing and raises it; read it beside the share of pages alone.
 * Source  Rosenberg, Hirschberg, EMNLP 2007.
 */

export interface ClusterQuality {
  readonly homogeneity: number;
  readonly completeness: number;
  readonly vMeasure: number;
}

type Assignment = readonly [cluster: string | number, label: string];

export function clusterQuality(pairs: readonly Assignment[]): ClusterQuality {
  const clusters = entropyOf(pairs.map(([cluster]) => cluster));
  const labels = entropyOf(pairs.map(([, label]) => label));
  const joint = entropyOf(pairs.map(([cluster, label]) => `${cluster}\t${label}`));
  const homogeneity = labels === 0 ? 1 : bounded(1 - (joint - clusters) / labels);
  const completeness = clusters === 0 ? 1 : bounded(1 - (joint - labels) / clusters);
  const sum = homogeneity + completeness;
  return { homogeneity, completeness, vMeasure: sum === 0 ? 0 : (2 * homogeneity * completeness) / sum };
}

function entropyOf(names: readonly (string | number)[]): number {
  const counts = new Map<string | number, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  let entropy = 0;
  for (const count of counts.values()) entropy -= (count / names.length) * Math.log(count / names.length);
  return entropy;
}

/** The sums of logarithms leave 0 and 1 by some 1e-16, or a little more: at 1e-12 it is 0 or 1. */
function bounded(value: number): number {
  if (value < 1e-12) return 0;
  return value > 1 - 1e-12 ? 1 : value;
}
