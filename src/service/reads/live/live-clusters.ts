import type { ClusterRecord } from '../../../store/records.ts';
import type { ReadArguments, ReadResult } from '../read-table.ts';
import { ROW_US } from '../work.ts';
import { LiveTexts } from './live-texts.ts';

/** Clusters of an index without the pages that are changed or gone; in which one a page that waits will be is known at the fold. */
export abstract class LiveClusters extends LiveTexts {
  async clusters(relationId: number, page: number): Promise<ClusterRecord[]> {
    return this.segment.at(page) === undefined ? this.#left(await this.base.clusters(relationId, page)) : [];
  }

  async clusterByKey(key: string): Promise<ClusterRecord | null> {
    const found = await this.base.clusterByKey(key);
    return found === null ? null : ((await this.#left([found]))[0] ?? null);
  }

  async children(cluster: ClusterRecord, limit: number): Promise<ClusterRecord[]> {
    const lossCount = this.#lossCount(cluster.relationId, cluster.level - 1);
    const left = this.#sized(await this.base.children(cluster, limit + lossCount));
    return this.#around(left.sort(largestFirst).slice(0, limit));
  }

  async members(clusterId: number, limit: number, offset: number): Promise<ReadResult<'members'>> {
    const most = offset + limit + this.hiddenMembers.count(clusterId);
    const members = await this.base.members(clusterId, most, 0);
    return members.filter(({ pageId }) => !this.segment.isHidden(pageId)).slice(offset, offset + limit);
  }

  /** As many more are read as have lost pages: so those that others overtake are among them. */
  async clusterList(
    ...[relationId, slice]: ReadArguments<'clusterList'>
  ): Promise<ReadResult<'clusterList'>> {
    const { level, offset, limit, sort } = slice;
    const lossCount = this.#lossCount(relationId, level);
    if (lossCount === 0) return this.base.clusterList(relationId, slice);
    const wide = { ...slice, offset: 0, limit: offset + limit + lossCount };
    const left = this.#sized(await this.base.clusterList(relationId, wide));
    if (sort === 'size') left.sort(largestFirst);
    return this.#around(left.slice(offset, offset + limit));
  }

  async clusterTotal(...[relationId, choice]: ReadArguments<'clusterTotal'>): Promise<number> {
    const { level, labelPart = '', isFetchedOnly = false } = choice;
    const emptied = this.hiddenMembers
      .emptied(relationId, level)
      .filter((one) => one.label.includes(labelPart));
    const heads = await this.base.heads(emptied.map(({ centerId }) => centerId));
    const left = isFetchedOnly ? heads.filter(({ fetched }) => fetched) : heads;
    return (await this.base.clusterTotal(relationId, choice)) - left.length;
  }

  #lossCount(relationId: number, level: number): number {
    const lossCount = this.hiddenMembers.lossCount(relationId, level);
    this.work.spend(lossCount * ROW_US);
    return lossCount;
  }

  #left(clusters: readonly ClusterRecord[]): Promise<ClusterRecord[]> {
    return this.#around(this.#sized(clusters));
  }

  /** Those that have pages left, with as many. */
  #sized(clusters: readonly ClusterRecord[]): ClusterRecord[] {
    return clusters
      .map((cluster) => ({ ...cluster, size: cluster.size - this.hiddenMembers.count(cluster.id) }))
      .filter(({ size }) => size > 0);
  }

  /** Each around one of the pages that it has left. */
  #around(clusters: readonly ClusterRecord[]): Promise<ClusterRecord[]> {
    return Promise.all(
      clusters.map(async (cluster) => {
        if (!this.segment.isHidden(cluster.centerId)) return cluster;
        const [first] = await this.members(cluster.id, 1, 0);
        return { ...cluster, centerId: first!.pageId };
      }),
    );
  }
}

function largestFirst(a: ClusterRecord, b: ClusterRecord): number {
  return b.size - a.size || a.id - b.id;
}
