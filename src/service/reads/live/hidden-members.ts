import { keptIn } from '../../../lib/kept.ts';
import type { ClusterRecord } from '../../../store/records.ts';
import type { LocalIndex } from '../file/local-index.ts';
import type { Segment } from './segment.ts';

interface Loss {
  readonly cluster: ClusterRecord;
  hiddenCount: number;
}

/** Which clusters of the index have lost pages that are changed or gone since. Cost  a look at the clusters of each such page, once. */
export class HiddenMembers {
  readonly #index: LocalIndex;
  readonly #segment: Segment;
  readonly #losses = new Map<number, Loss>();
  /** Pages of the segment that are counted: what is hidden stays so, and others come behind it. */
  #countedCount = 0;

  constructor(index: LocalIndex, segment: Segment) {
    this.#index = index;
    this.#segment = segment;
  }

  /** How many pages a cluster has lost. */
  count(clusterId: number): number {
    return this.#now().get(clusterId)?.hiddenCount ?? 0;
  }

  /** How many clusters of a level have lost some. */
  lossCount(relationId: number, level: number): number {
    return this.#of(relationId, level).length;
  }

  /** Clusters of a level that the index lists, and that have no page any more. */
  emptied(relationId: number, level: number): ClusterRecord[] {
    return this.#of(relationId, level)
      .filter(({ cluster: { size }, hiddenCount }) => hiddenCount === size)
      .map(({ cluster }) => cluster)
      .filter(({ size, centerId }) => size > 1 || !this.#index.isGone(centerId));
  }

  #of(relationId: number, level: number): Loss[] {
    return [...this.#now().values()].filter(
      ({ cluster }) => cluster.relationId === relationId && cluster.level === level,
    );
  }

  #now(): ReadonlyMap<number, Loss> {
    const { pages } = this.#segment;
    for (; this.#countedCount < pages.length; this.#countedCount++) {
      const { id } = pages[this.#countedCount]!;
      if (this.#segment.isNew(id)) continue;
      for (const cluster of this.#index.clusters(id)) {
        keptIn(this.#losses, cluster.id, () => ({ cluster, hiddenCount: 0 })).hiddenCount++;
      }
    }
    return this.#losses;
  }
}
