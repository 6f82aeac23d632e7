import type { Bag } from '../features/bag.ts';
import type {
  AliasRecord,
  CaptureRecord,
  ClusterRecord,
  FeatureRecord,
  IndexCard,
  MemberRecord,
  NeighbourList,
  PageRecord,
  RelationRecord,
} from './records.ts';

/** DRAFT SIGNATURES: the bodies come with the store. Everything is synchronous and by primary key. */
export declare class IndexReader {
  static open(path: string): IndexReader;
  readonly path: string;
  readonly generation: string;
  readonly pageCount: number;
  card(): IndexCard;
  relation(name: string): RelationRecord | undefined;
  /** Page id of a canonical URL or of one of its aliases; -1 where there is none. */
  findPage(url: string): number;
  page(id: number): PageRecord;
  /** In id order, for loading into memory; `from` inclusive. */
  pages(from?: number): IterableIterator<PageRecord>;
  neighbours(relationId: number, pageId: number): NeighbourList;
  allNeighbours(relationId: number, from?: number): IterableIterator<{ pageId: number; list: NeighbourList }>;
  bag(relationId: number, pageId: number): Bag;
  /** Uint16Array(pageCount): sum of each bag, 0 where the page has none. */
  bagSums(relationId: number): Uint16Array;
  feature(relationId: number, featureId: number): FeatureRecord;
  findFeature(relationId: number, part: string, stem: string): FeatureRecord | undefined;
  /** Pages with at least one feature of this part (the N of its idf). */
  partPageCount(relationId: number, part: string): number;
  /** Entries `localPageId | weight << 24`, ascending; empty where the feature is not in the block. */
  posting(relationId: number, blockId: number, featureId: number): Uint32Array;
  /** Out-links as page ids, ascending. */
  links(pageId: number): Uint32Array;
  aliases(pageId: number): AliasRecord[];
  captures(pageId: number): CaptureRecord[];
  /** The clusters of a page, fine to broad. */
  clustersOf(relationId: number, pageId: number): ClusterRecord[];
  clusterByKey(key: string): ClusterRecord | undefined;
  clusterById(id: number): ClusterRecord;
  /** Nearest to the center first, ties by page id; the center itself comes first. */
  members(clusterId: number, limit: number, offset: number): MemberRecord[];
  clusters(
    relationId: number,
    options: { level: number; sort: 'size' | 'label'; limit: number; offset: number },
  ): ClusterRecord[];
  clusterTotal(relationId: number, level: number): number;
  close(): void;
}
