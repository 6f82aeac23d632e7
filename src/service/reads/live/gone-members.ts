import { keptIn } from '../../../lib/kept.ts';
import type { ClusterRecord } from '../../../store/records.ts';
import type { LocalIndex } from '../file/local-index.ts';
import type { Segment } from './segment.ts';

interface Loss {
  readonly cluster: ClusterRecord;
  goneCount: number;
}

/** Which clusters of the index have lost pages that are gone since. Cost  a look at the clusters of each such page, once. */
export class GoneMembers {
  readonly #index: LocalIndex;
  readonly #segment: Segment;
  readonly #clustersOf = new Map<number, readonly ClusterRecord[]>();
  #losses = new Map<number, Loss>();
  #sequence = -1;

  constructor(index: LocalIndex, segment: Segment) {
    this.#index = index;
    this.#segment = segment;
  }

  /** How many pages of a cluster are gone. */
  count(clusterId: number): number {
    return this.#now().get(clusterId)?.goneCount ?? 0;
  }

  /** Clusters of a relation that have no page any more. */
  emptied(relationId: number): ClusterRecord[] {
    return Array.from(this.#now().values())
      .filter(({ cluster, goneCount }) => cluster.relationId === relationId && goneCount === cluster.size)
      .map(({ cluster }) => cluster);
  }

  #now(): ReadonlyMap<number, Loss> {
    const { pages, sequence } = this.#segment;
    if (sequence === this.#sequence) return this.#losses;
    this.#losses = new Map();
    this.#sequence = sequence;
    for (const { id, said } of pages) {
      if (said !== null || this.#segment.isNew(id)) continue;
      for (const cluster of this.#clusters(id)) {
        keptIn(this.#losses, cluster.id, () => ({ cluster, goneCount: 0 })).goneCount++;
      }
    }
    return this.#losses;
  }

  #clusters(page: number): readonly ClusterRecord[] {
    return keptIn(this.#clustersOf, page, () => this.#index.clusters(page));
  }
}
