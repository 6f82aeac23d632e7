/** Clusters, texts and full-text search of several shards as those of one index. */
import type { ShingleSketch } from '../../sketch/shingle-sketch.ts';
import type { ClusterSlice } from '../../store/read/cluster-reader.ts';
import type { FoundPages, SearchExpression, SearchFilter } from '../../store/read/search-reader.ts';
import { sumOfWeights } from '../../store/read/search-weights.ts';
import type { CurrentPages, SharedShingles } from '../../store/read/version-reader.ts';
import type { ClusterRecord, MemberRecord, VersionRecord } from '../../store/records.ts';
import { Problem } from '../http/problem.ts';
import { byBytes } from './merge.ts';
import type { ServedIndex, ServedSearch, ServedVersions } from './served-index.ts';
import type { UnionReads } from './union-reads.ts';

const NO_SKETCH: ShingleSketch = {
  keys: new Float64Array(0),
  limit: Number.POSITIVE_INFINITY,
  shingleCount: 0,
};
const NO_PAGES: CurrentPages = { pageIds: [], moreCount: 0 };
const NO_VERSION: VersionRecord = {
  id: 0,
  textDigest: '',
  tokenDigest: '',
  shingleDigest: '',
  tokenCount: 0,
  simhash: null,
  sketch: NO_SKETCH,
};

/** A cluster has one id in all shards; each shard has those of its own pages, and lists those around one of them. */
export class UnionClusters implements Pick<ServedIndex['clusters'], keyof ServedIndex['clusters']> {
  readonly #reader: UnionReads;

  constructor(reader: UnionReads) {
    this.#reader = reader;
  }

  ofPage(relationId: number, pageId: number): ClusterRecord[] {
    return [...this.#reader.atHome(pageId, 'clustersOf', [relationId, pageId], [])];
  }

  /** Errors  Problem `shard-unavailable` where a shard that may have it cannot be asked. */
  byKey(key: string): ClusterRecord | undefined {
    const found = this.#reader.ofAll('clusterByKey', [key], null).find((cluster) => cluster !== null);
    if (found) return found;
    const lost = this.#reader.lostShards();
    if (lost.length === 0) return undefined;
    const detail = `a cluster "${key.slice(0, 100)}" may be in shard ${lost.join(', ')}, which cannot be asked now`;
    throw new Problem('shard-unavailable', detail);
  }

  children(cluster: ClusterRecord, limit: number): ClusterRecord[] {
    if (cluster.level === 0) return [];
    const found = this.#reader.ofAll('children', [cluster, limit], []).flat();
    const children = [...new Map(found.map((child) => [child.id, child])).values()];
    return children.sort((a, b) => b.size - a.size || a.id - b.id).slice(0, limit);
  }

  members(clusterId: number, limit: number, offset: number): MemberRecord[] {
    const found = this.#reader.ofAll('members', [clusterId, offset + limit], []).flat();
    return found
      .sort(
        (a, b) =>
          Number(b.isCenter) - Number(a.isCenter) || b.similarity - a.similarity || a.pageId - b.pageId,
      )
      .slice(offset, offset + limit);
  }

  list(relationId: number, slice: ClusterSlice): ClusterRecord[] {
    const { limit, offset, sort } = slice;
    const all = this.#reader.ofAll(
      'clusterList',
      [relationId, { ...slice, limit: offset + limit, offset: 0 }],
      [],
    );
    return all
      .flat()
      .sort((a, b) =>
        sort === 'label'
          ? byBytes(a.cluster.label, b.cluster.label) || a.cluster.id - b.cluster.id
          : Number(b.isCenterFetched) - Number(a.isCenterFetched) ||
            b.cluster.size - a.cluster.size ||
            a.cluster.id - b.cluster.id,
      )
      .slice(offset, offset + limit)
      .map(({ cluster }) => cluster);
  }

  total(relationId: number, level: number): number {
    return this.#reader.ofAll('clusterTotal', [relationId, level], 0).reduce((sum, count) => sum + count, 0);
  }
}

/** Versions are numbered shard by shard; a text that two shards have is two versions. */
export class UnionVersions implements ServedVersions {
  readonly count: number;
  readonly #reader: UnionReads;
  readonly #starts: readonly number[];

  constructor(reader: UnionReads) {
    this.#reader = reader;
    this.#starts = reader.facts.versionStarts;
    this.count = this.#starts.at(-1)!;
  }

  /** -1 stays -1. */
  idOf(shard: number, version: number): number {
    return version < 0 ? -1 : this.#starts[shard]! + version;
  }

  #placeOf(versionId: number): [shard: number, version: number] {
    const shard = this.#starts.findLastIndex((start) => start <= versionId);
    const known = Math.max(0, Math.min(shard, this.#reader.shards.count - 1));
    return [known, versionId - this.#starts[known]!];
  }

  get(versionId: number): VersionRecord {
    const [shard, version] = this.#placeOf(versionId);
    return { ...this.#reader.shards.read(shard, 'version', [version], NO_VERSION), id: versionId };
  }

  sketchOf(versionId: number): { readonly shingleDigest: string; readonly sketch: ShingleSketch } {
    const [shard, version] = this.#placeOf(versionId);
    return this.#reader.shards.read(shard, 'sketch', [version], NO_VERSION);
  }

  current(pageId: number): number {
    return this.idOf(
      this.#reader.facts.homes[pageId]!,
      this.#reader.atHome(pageId, 'currentVersion', [pageId], -1),
    );
  }

  text(versionId: number): { title: string; text: string } | null {
    const [shard, version] = this.#placeOf(versionId);
    return this.#reader.shards.read(shard, 'versionText', [version], null);
  }

  /** Of the shard that has the version: others have the text as a version of their own. */
  currentPagesOf(versionId: number, limit: number): CurrentPages {
    const [shard, version] = this.#placeOf(versionId);
    return this.#reader.shards.read(shard, 'currentPagesOf', [version, limit], NO_PAGES);
  }

  pagesOf(versionId: number): { pageId: number; sweepId: number }[] {
    const { textDigest } = this.get(versionId);
    if (textDigest === '') return [];
    const found = this.#reader.ofAll('pagesOfText', [textDigest], []).flat();
    return found.sort((a, b) => a.pageId - b.pageId || a.sweepId - b.sweepId);
  }

  templateOf(host: string): Float64Array {
    const none = new Float64Array(0);
    return this.#reader.ofAll('template', [host], none).find((keys) => keys.length > 0) ?? none;
  }

  withShingle(keys: Float64Array): SharedShingles {
    const none = { versionIds: new Uint32Array(0), shared: new Uint32Array(0), unreadCount: 0 };
    const found = this.#reader.ofAll('withShingle', [keys], none);
    const all = found.flatMap(({ versionIds, shared }, shard) =>
      Array.from(versionIds, (version, i) => ({ id: this.idOf(shard, version), shared: shared[i]! })),
    );
    all.sort((a, b) => b.shared - a.shared || a.id - b.id);
    return {
      versionIds: Uint32Array.from(all, ({ id }) => id),
      shared: Uint32Array.from(all, ({ shared }) => shared),
      unreadCount: Math.max(...found.map(({ unreadCount }) => unreadCount)),
    };
  }
}

/** Pages by their words, weighed in each shard by the figures of all. */
export class UnionSearch implements ServedSearch {
  readonly isKept: boolean;
  readonly #reader: UnionReads;

  constructor(reader: UnionReads) {
    this.isKept = reader.facts.hasSearch;
    this.#reader = reader;
  }

  find(
    expression: SearchExpression,
    limit: number,
    mostWeighed: number,
    filter: SearchFilter = {},
  ): FoundPages {
    const { siteId, hosts = [], lang = null } = filter;
    const site = siteId === undefined ? null : this.#siteName(siteId);
    const none = { pageCount: 0, wordCount: 0, hitCounts: expression.phrases.map(() => 0) };
    const weights = sumOfWeights(this.#reader.ofAll('searchWeights', [expression.phrases], none));
    // The shards have no page, or have not said yet how to weigh it.
    if (weights.pageCount === 0) return { pages: [], total: 0 };
    const query = { expression, weights, limit, mostWeighed, site, hosts, lang };
    const found = this.#reader.ofAll('search', [query], { pages: [], total: 0 });
    const pages = found.flatMap((one) => one.pages);
    return {
      pages: pages.sort((a, b) => b.score - a.score || a.pageId - b.pageId).slice(0, limit),
      total: Math.min(
        mostWeighed,
        found.reduce((sum, { total }) => sum + total, 0),
      ),
    };
  }

  #siteName(siteId: number): string {
    for (const [name, id] of this.#reader.facts.sites) if (id === siteId) return name;
    return '';
  }
}
