import { sizeHistogram } from '../../evaluate/histogram.ts';
import type { Labels } from '../../evaluate/relevance.ts';
import { clusterQuality } from '../../evaluate/v-measure.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import type { ClusterRecord } from '../../store/records.ts';
import { type Separator, toPath } from './judgements.ts';
import type { ClusterLevelReport } from './report.ts';

/** The clusters of every level, fine first, against the first label of each labelled page. */
export function measureClusters(
  reader: IndexReader,
  relationId: number,
  labels: Labels<number> | null,
  separator: Separator | null,
): ClusterLevelReport[] {
  const labelled = [...(labels ?? [])].map(([page, own]) => ({ page, label: [...own][0]! }));
  const reports: ClusterLevelReport[] = [];
  for (let level = 0; ; level++) {
    const total = reader.clusters.total(relationId, { level });
    if (total === 0) return reports;
    const clusters = reader.clusters.list(relationId, { level, sort: 'size', limit: total, offset: 0 });
    const sizes = sizeHistogram(clusters.map(({ size }) => size));
    const clusterOf = labelled.length === 0 ? new Map<number, ClusterRecord>() : placePages(reader, clusters);
    const placed = labelled.flatMap(({ page, label }) => {
      const cluster = clusterOf.get(page);
      return cluster === undefined ? [] : [{ cluster, label }];
    });
    reports.push({
      level,
      clusterCount: total,
      // Clusters of pages known by links alone come behind the others, whatever their size.
      largest: clusters.reduce((most, { size }) => Math.max(most, size), 0),
      aloneShare: (sizes[0]?.groups ?? 0) / clusters.reduce((sum, { size }) => sum + size, 0),
      ...againstLabels(placed, separator),
      sizes,
    });
  }
}

function placePages(
  reader: IndexReader,
  clusters: readonly ClusterRecord[],
): ReadonlyMap<number, ClusterRecord> {
  const clusterOf = new Map<number, ClusterRecord>();
  for (const cluster of clusters) {
    for (const { pageId } of reader.clusters.members(cluster.id, cluster.size, 0)) {
      clusterOf.set(pageId, cluster);
    }
  }
  return clusterOf;
}

function againstLabels(
  placed: readonly { readonly cluster: ClusterRecord; readonly label: string }[],
  separator: Separator | null,
): Pick<ClusterLevelReport, 'labelledAloneShare' | 'quality' | 'topQuality'> {
  if (placed.length === 0) return { labelledAloneShare: null, quality: null, topQuality: null };
  const qualityBy = (nameOf: (label: string) => string) =>
    clusterQuality(placed.map(({ cluster, label }) => [cluster.id, nameOf(label)]));
  return {
    labelledAloneShare: placed.filter(({ cluster }) => cluster.size === 1).length / placed.length,
    quality: qualityBy((label) => label),
    topQuality: separator === null ? null : qualityBy((label) => toPath(label, separator)[0] ?? ''),
  };
}
