import type { ClusterRecord } from '../../../store/records.ts';
import type { ReadArguments, ReadResult } from '../read-table.ts';
import { LiveTexts } from './live-texts.ts';

/** Clusters of an index without the pages that are gone; in which one a page that waits will be is known at the fold. */
export class LiveClusters extends LiveTexts {
  async clusters(relationId: number, page: number): Promise<ClusterRecord[]> {
    return this.segment.at(page) === undefined ? this.#left(await this.base.clusters(relationId, page)) : [];
  }

  async clusterByKey(key: string): Promise<ClusterRecord | null> {
    const found = await this.base.clusterByKey(key);
    return found === null ? null : ((await this.#left([found]))[0] ?? null);
  }

  async children(cluster: ClusterRecord, limit: number): Promise<ClusterRecord[]> {
    return this.#left(await this.base.children(cluster, limit));
  }

  async members(clusterId: number, limit: number, offset: number): Promise<ReadResult<'members'>> {
    const most = offset + limit + this.gone.count(clusterId);
    const members = await this.base.members(clusterId, most, 0);
    return members.filter(({ pageId }) => !this.segment.isGone(pageId)).slice(offset, offset + limit);
  }

  async clusterList(
    ...[relationId, slice]: ReadArguments<'clusterList'>
  ): Promise<ReadResult<'clusterList'>> {
    const { offset, limit } = slice;
    const emptiedCount = this.gone.emptied(relationId).length;
    const wide = { ...slice, offset: 0, limit: offset + limit + emptiedCount };
    if (emptiedCount === 0) return this.#left(await this.base.clusterList(relationId, slice));
    return (await this.#left(await this.base.clusterList(relationId, wide))).slice(offset, offset + limit);
  }

  async clusterTotal(...[relationId, choice]: ReadArguments<'clusterTotal'>): Promise<number> {
    const { level, labelPart = '', isFetchedOnly = false } = choice;
    const emptied = this.gone
      .emptied(relationId)
      .filter((one) => one.level === level && one.label.includes(labelPart));
    const heads = await this.base.heads(emptied.map(({ centerId }) => centerId));
    const left = isFetchedOnly ? heads.filter(({ fetched }) => fetched) : heads;
    return (await this.base.clusterTotal(relationId, choice)) - left.length;
  }

  /** Those that have pages left, with as many, around one of them. */
  async #left(clusters: readonly ClusterRecord[]): Promise<ClusterRecord[]> {
    const left = await Promise.all(
      clusters.map(async (cluster) => {
        const size = cluster.size - this.gone.count(cluster.id);
        if (size === 0) return [];
        if (!this.segment.isGone(cluster.centerId)) return [{ ...cluster, size }];
        const [first] = await this.members(cluster.id, 1, 0);
        return [{ ...cluster, size, centerId: first!.pageId }];
      }),
    );
    return left.flat();
  }
}
