/** The pages of one cluster of copies, as a list of pages related to one of them. */
import { sketchWithout } from '../../../join/copies/common-shingles.ts';
import { storedFigure } from '../../../join/copies/copy-relation.ts';
import type { ClusterRecord } from '../../../store/records.ts';
import { type FoundCopies, type FoundCopy, spanOf } from './copy-search.ts';
import { type CopySource, ignoredKeys } from './copy-source.ts';
import { isEqual, pageWording, type Wording } from './wording.ts';

/** Members compared at most, those nearest to the center: 30-50 us each. */
const MAX_COMPARED = 1000;

/** Whatever their resemblance to the page, nearest first; nothing where it is in no cluster at that level. */
export async function clusterCopies(
  source: CopySource,
  pageId: number,
  own: Wording,
  level: number,
): Promise<FoundCopies> {
  const { reads } = source;
  const cluster = clusterAt(await reads.clusters(source.relation.id, pageId), level);
  const members = cluster === undefined ? [] : await reads.members(cluster.id, MAX_COMPARED + 1, 0);
  const others = members.filter((member) => member.pageId !== pageId);
  const ignored = await ignoredKeys(source);
  const counted = ({ sketch }: Wording) => sketchWithout(sketch, ignored);
  const found = await Promise.all(
    others.map(async ({ pageId: other }): Promise<FoundCopy> => {
      const text = await pageWording(source, other);
      const figure = isEqual(own, text)
        ? { shared: 1, total: 1 }
        : storedFigure(counted(own), counted(text), 'resemblance');
      return { pageId: other, shared: figure.shared, total: Math.max(1, figure.total) };
    }),
  );
  const leftOutCount = cluster === undefined ? 0 : cluster.size - 1 - others.length;
  return { span: spanOf(found), complete: leftOutCount === 0, leftOutCount };
}

/** Of the clusters of a page the one of a level. */
export function clusterAt(clusters: readonly ClusterRecord[], level: number): ClusterRecord | undefined {
  return clusters.find((cluster) => cluster.level === level);
}
