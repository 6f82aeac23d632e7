/** The pages of one cluster of copies, as a list of pages related to one of them. */
import { storedFigure } from '../../join/copies/copy-relation.ts';
import type { ClusterRecord } from '../../store/records.ts';
import type { Generation } from '../held/generation.ts';
import { type FoundCopy, spanOf } from './copy-search.ts';
import { copySource, currentText, ownText } from './copy-source.ts';
import { hopelessPage } from './last-seen.ts';
import type { Candidates } from './selection.ts';

/** Members compared at most, those nearest to the center: 30-50 us each. */
const MAX_COMPARED = 1000;

/** Whatever their resemblance to the page, nearest first; nothing where it is in no cluster at that level. */
export function clusterCopies(generation: Generation, pageId: number, level: number): Candidates {
  const { reader } = generation;
  const source = copySource(generation);
  const own = ownText(generation, source, pageId);
  const cluster = clusterAt(reader.clusters.ofPage(source.relation.id, pageId), level);
  const members = cluster === undefined ? [] : reader.clusters.members(cluster.id, MAX_COMPARED + 1, 0);
  const found: FoundCopy[] = [];
  for (const { pageId: other } of members) {
    if (other === pageId) continue;
    const text = ownText(generation, source, other);
    const isEqual = text.shingleDigest === own.shingleDigest;
    const figure = isEqual ? { shared: 1, total: 1 } : storedFigure(own.sketch, text.sketch, 'resemblance');
    found.push({ pageId: other, shared: figure.shared, total: Math.max(1, figure.total) });
  }
  const stored = spanOf(found);
  return {
    stored,
    complete: true,
    nearest: () => stored,
    hopeless: () => hopelessPage(generation, pageId, currentText(source, pageId).sketch.shingleCount > 0),
  };
}

/** Of the clusters of a page the one of a level. */
export function clusterAt(clusters: readonly ClusterRecord[], level: number): ClusterRecord | undefined {
  return clusters.find((cluster) => cluster.level === level);
}
