import { cutText } from '../../../lib/cut-text.ts';
import type { ClusterRecord } from '../../../store/records.ts';
import { Problem } from '../../http/problems/problem.ts';
import { byBytes } from '../merge.ts';
import type { ReadArguments, ReadResult } from '../read-table.ts';
import { UnionRows } from './union-ask.ts';

/**
 * Clusters of several shards as those of one index. A cluster has one id in all shards; each shard has those of its own
 * pages, and lists those around one of them.
 */
export class UnionClusters extends UnionRows {
  /** Errors  Problem `shard-unavailable` where a shard that may have it cannot be asked. */
  async clusterByKey(key: string): Promise<ClusterRecord | null> {
    const found = (await this.ofAll(null, 'clusterByKey', key)).find((cluster) => cluster !== null);
    if (found) return found;
    const lost = this.missLost();
    if (lost.length === 0) return null;
    const detail = `a cluster "${cutText(key, 100)}" may be in shard ${lost.join(', ')}, which cannot be asked now`;
    throw new Problem('shard-unavailable', detail);
  }

  async children(cluster: ClusterRecord, limit: number): Promise<ClusterRecord[]> {
    if (cluster.level === 0) return [];
    const found = (await this.ofAll([], 'children', cluster, limit)).flat();
    const children = [...new Map(found.map((child) => [child.id, child])).values()];
    return children.sort((a, b) => b.size - a.size || a.id - b.id).slice(0, limit);
  }

  async members(clusterId: number, limit: number, offset: number): Promise<ReadResult<'members'>> {
    const found = (await this.ofAll([], 'members', clusterId, offset + limit, 0)).flat();
    return found
      .sort(
        (a, b) =>
          Number(b.isCenter) - Number(a.isCenter) || b.similarity - a.similarity || a.pageId - b.pageId,
      )
      .slice(offset, offset + limit);
  }

  async clusterList(
    ...[relationId, slice]: ReadArguments<'clusterList'>
  ): Promise<ReadResult<'clusterList'>> {
    const { limit, offset, sort } = slice;
    const asked = { ...slice, limit: offset + limit, offset: 0 };
    const all = await this.ofAll([], 'clusterList', relationId, asked);
    return all
      .flat()
      .sort((a, b) =>
        sort === 'label' ? byBytes(a.label, b.label) || a.id - b.id : b.size - a.size || a.id - b.id,
      )
      .slice(offset, offset + limit);
  }

  async clusterTotal(...asked: ReadArguments<'clusterTotal'>): Promise<number> {
    const totals = await this.ofAll(0, 'clusterTotal', ...asked);
    return totals.reduce((sum, total) => sum + total, 0);
  }
}
