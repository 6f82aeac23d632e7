import { CorruptError } from '../../errors.ts';
import type { Bag } from '../../features/bag.ts';
import { BLOCK_PAGES } from '../../join/exact/postings.ts';
import type { NeighborList } from '../../join/pairs/neighbor-table.ts';
import { requireAlgorithm } from '../algorithm-version.ts';
import { decodeAscending, decodeBag, decodeNeighbors, decodePosting, decodeSums } from '../blobs/blobs.ts';
import { IndexFile } from '../index-file.ts';
import { partCode } from '../part-codes.ts';
import type {
  AliasRecord,
  CaptureRecord,
  FeatureRecord,
  IndexCard,
  RelationRecord,
  ShardPlace,
  SkipRecord,
  StoredPage,
  StoredSweep,
} from '../records.ts';
import { allPages, pageKey, postingKey } from '../row-keys.ts';
import {
  readCaptureTimes,
  readCard,
  readGeneration,
  readLevelCounts,
  readRelations,
  readSweeps,
  requireCardTables,
} from './card.ts';
import { ClusterReader } from './cluster-reader.ts';
import { FieldReader } from './field-reader.ts';
import { InputReader } from './input-reader.ts';
import { PageCardReader } from './page-card-reader.ts';
import { nearestUrls } from './pages/nearest-urls.ts';
import { type RecentPage, recentPages } from './pages/recent-pages.ts';
import { SitePages } from './pages/site-pages.ts';
import { endsOf } from './pages/successors.ts';
import { pageOfUrl } from './pages/url-place.ts';
import {
  ALIAS_ROW,
  BAG_ROW,
  CAPTURE_ROW,
  FEATURE_ROW,
  LEADING_SQL,
  LINK_ROW,
  NEIGHBOR_ROW,
  PAGE_ROW,
  PART_ROW,
  POSTING_ROW,
  SIGNATURE_ROW,
  SKIP_ROW,
  SUM_ROW,
} from './reader-rows.ts';
import { SearchReader } from './search/search-reader.ts';
import { ShardIds } from './shard-ids.ts';
import { VectorReader } from './vector-reader.ts';
import { VersionReader } from './version-reader.ts';

const ONE = 'WHERE id = ?';
const RANGE = 'WHERE id >= ? AND id < ? ORDER BY id';

/** One open index. Synchronous, by primary key; a statement is compiled once, on first use. */
export class IndexReader {
  readonly path: string;
  readonly generation: string;
  /** Of a shard, with the pages of other shards that it names. */
  readonly pageCount: number;
  /** Pages 0 .. ownPageCount - 1 are there; those behind them are of other shards, and merely named. */
  readonly ownPageCount: number;
  /** Null where the file is a whole index. */
  readonly shard: ShardPlace | null;
  readonly clusters: ClusterReader;
  readonly versions: VersionReader;
  readonly pageCards: PageCardReader;
  readonly fields: FieldReader;
  readonly vectors: VectorReader;
  /** Finds pages by their words. */
  readonly search: SearchReader;
  /** The index as what it was made of. */
  readonly input: InputReader;
  /** For the check, which asks what no answer needs. */
  readonly file: IndexFile;
  readonly probe = (places: readonly number[]) => this.file.probe(places);
  #shardIds: ShardIds | undefined;
  #card: IndexCard | undefined;

  private constructor(file: IndexFile) {
    const { path } = file;
    this.path = path;
    this.file = file;
    const generation = readGeneration(file);
    if (generation === undefined) {
      throw new CorruptError('AKIN_ERR_INDEX_CORRUPT', `${path} was never finished`, {
        hint: 'build it again: akin index INPUT... --to FILE',
      });
    }
    requireAlgorithm(path, generation.algorithmVersion);
    this.generation = generation.id;
    this.pageCount = file.pageCount;
    this.ownPageCount = file.ownPageCount;
    this.shard = file.shard;
    requireDense(file, 'page', this.pageCount);
    this.clusters = new ClusterReader(file, readLevelCounts(file));
    this.versions = new VersionReader(file);
    this.pageCards = new PageCardReader(file);
    this.fields = new FieldReader(file);
    this.search = new SearchReader(file, this.fields);
    this.vectors = new VectorReader(file);
    this.input = new InputReader(file, this.vectors);
  }

  /** Errors  as `openDatabase`, and CorruptError AKIN_ERR_INDEX_CORRUPT for an unfinished file. */
  static open(path: string): IndexReader {
    return IndexReader.#open(path, requireCardTables);
  }

  /** For the check, which names what is damaged: the same, whatever the parameters and relations say. */
  static openDamaged(path: string): IndexReader {
    return IndexReader.#open(path, () => {});
  }

  static #open(path: string, require: (file: IndexFile) => void): IndexReader {
    const file = IndexFile.open(path);
    try {
      const reader = new IndexReader(file);
      require(file);
      return reader;
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** How a shard's page ids stand to those of the whole index; read at the first call. */
  get shardIds(): ShardIds {
    return (this.#shardIds ??= new ShardIds(this.file));
  }

  /** What the index says about itself; read at the first call. */
  card(): IndexCard {
    return (this.#card ??= readCard(this.file));
  }

  relation(name: string): RelationRecord | undefined {
    return readRelations(this.file).find((relation) => relation.name === name);
  }

  /** Page id of a canonical URL or of one of its aliases; -1 where there is none. */
  findPage(url: string): number {
    const id = pageOfUrl(this.file, url);
    return id >= 0 ? id : (this.alias(url)?.pageId ?? -1);
  }

  /** Pages of the same host whose URLs are nearest to one that need not be there; see `nearest-urls.ts`. */
  nearestUrls(url: string, count: number, most = count): { pageId: number; url: string }[] {
    return nearestUrls(this.file, url, count, most);
  }

  /** The newest pages, see `recent-pages.ts`. */
  recentPages(count: number): RecentPage[] {
    return recentPages(this.file, count);
  }

  /** Errors  CorruptError for an id outside 0..pageCount-1. */
  page(id: number): StoredPage {
    const row = this.file.get(PAGE_ROW, 'WHERE page.id = ?', id);
    if (row === undefined) throw this.file.corrupt(`there is no page ${id}, or its site is missing`);
    return { ...row, fetched: row.fetched === 1 };
  }

  /** In id order, for loading into memory; `from` inclusive. Errors  CorruptError where ids are not dense. */
  *pages(from = 0): IterableIterator<StoredPage> {
    let expected = from;
    for (const row of this.file.rows(PAGE_ROW, 'WHERE page.id >= ? ORDER BY page.id', from)) {
      if (row.id !== expected) break;
      expected++;
      yield { ...row, fetched: row.fetched === 1 };
    }
    if (expected < this.pageCount) {
      throw this.file.corrupt(`page ids are not dense at ${expected}: the page or its site is missing`);
    }
  }

  neighbors(relationId: number, pageId: number): NeighborList {
    return this.#neighbors(pageId, this.file.get(NEIGHBOR_ROW, ONE, pageKey(relationId, pageId))?.entries);
  }

  /** Of every page that has any; the nearest `limit` of each. */
  *allNeighbors(
    relationId: number,
    limit?: number,
  ): IterableIterator<{ pageId: number; list: NeighborList }> {
    for (const { pageId, entries } of this.file.rows(NEIGHBOR_ROW, RANGE, ...allPages(relationId))) {
      yield { pageId: this.file.pageId(pageId), list: this.#neighbors(pageId, entries, limit) };
    }
  }

  #neighbors(pageId: number, entries: Uint8Array | undefined, limit?: number): NeighborList {
    const list = decodeNeighbors(entries, limit);
    for (const id of list.ids) {
      if (id >= this.pageCount) throw this.file.corrupt(`page ${pageId} has the unknown neighbor ${id}`);
    }
    return list;
  }

  bag(relationId: number, pageId: number): Bag {
    return decodeBag(this.file.get(BAG_ROW, ONE, pageKey(relationId, pageId))?.entries);
  }

  *allBags(relationId: number): IterableIterator<{ pageId: number; bag: Bag }> {
    for (const { pageId, entries } of this.file.rows(BAG_ROW, RANGE, ...allPages(relationId))) {
      yield { pageId: this.file.pageId(pageId), bag: decodeBag(entries) };
    }
  }

  /** The m values of each page's MH-signature, Uint32Array(pageCount * m) row by row; empty where none are stored. */
  signatures(relationId: number): Uint32Array {
    let signatures = new Uint32Array(0);
    let at = 0;
    for (const { entries } of this.file.rows(SIGNATURE_ROW, RANGE, ...allPages(relationId))) {
      if (at === 0) signatures = new Uint32Array((this.pageCount * entries.length) / 3);
      for (let i = 0; i < entries.length; i += 3) {
        signatures[at++] = entries[i]! | (entries[i + 1]! << 8) | (entries[i + 2]! << 16);
      }
    }
    return signatures;
  }

  /** Uint16Array(pageCount): sum of each bag, 0 where the page has none. */
  bagSums(relationId: number): Uint16Array {
    const sums = new Uint16Array(this.pageCount);
    let missing = sums.length;
    for (const { blockId, entries } of this.file.all(SUM_ROW, 'WHERE relation_id = ?', relationId)) {
      const ofBlock = decodeSums(entries);
      if (blockId * BLOCK_PAGES + ofBlock.length > sums.length) {
        throw this.file.corrupt(`block ${blockId} has sums of more pages than there are`);
      }
      sums.set(ofBlock, blockId * BLOCK_PAGES);
      missing -= ofBlock.length;
    }
    if (missing > 0) throw this.file.corrupt(`the sums of ${missing} bags are missing`);
    return sums;
  }

  /** Feature ids are 0 .. featureCount - 1: one relation has features. */
  featureCount(relationId: number): number {
    const last = this.file.get(FEATURE_ROW, 'WHERE relation_id = ? ORDER BY id DESC LIMIT 1', relationId);
    const count = (last?.id ?? -1) + 1;
    requireDense(this.file, 'feature', count);
    return count;
  }

  feature(relationId: number, featureId: number): FeatureRecord {
    const feature = this.file.get(FEATURE_ROW, 'WHERE relation_id = ? AND id = ?', relationId, featureId);
    if (feature === undefined) throw this.file.corrupt(`there is no feature ${featureId}`);
    return feature;
  }

  findFeature(relationId: number, part: string, stem: string): FeatureRecord | undefined {
    const which = 'WHERE relation_id = ? AND part = ? AND stem = ?';
    return this.file.get(FEATURE_ROW, which, relationId, partCode(part), stem);
  }

  /** Pages with at least one word in this part: the N of its idf. */
  partPageCount(relationId: number, part: string): number {
    const sql = 'SELECT page_count FROM part WHERE relation_id = ? AND name = ?';
    return this.file.value<number>(sql, relationId, part) ?? 0;
  }

  /** Parts with their N. */
  parts(relationId: number): { name: string; pageCount: number }[] {
    return this.file.all(PART_ROW, 'WHERE relation_id = ? ORDER BY name', relationId);
  }

  /** Why records of the sweeps are no pages. */
  skips(): SkipRecord[] {
    return this.file.all(SKIP_ROW, 'ORDER BY sweep_id, reason, extension');
  }

  /** By block: entries `localPageId | weight << 24`, ascending; a block without the feature is left out. */
  postings(relationId: number, featureId: number): Map<number, Uint32Array> {
    const [from, to] = [postingKey(relationId, featureId), postingKey(relationId, featureId + 1)];
    const rows = this.file.all(POSTING_ROW, RANGE, from, to);
    return new Map(rows.map(({ blockId, entries }) => [blockId, decodePosting(entries)]));
  }

  /** Out-links as page ids, ascending; of a shard those to pages that it has or names. */
  links(pageId: number): Uint32Array {
    const targets = this.linkTargets(pageId);
    if (this.shard === null) return targets;
    return targets
      .map((wholeId) => this.shardIds.find(wholeId) + 1)
      .filter((place) => place > 0)
      .map((place) => place - 1)
      .sort();
  }

  /** Out-links as they are stored, ascending: of a shard by whole ids. */
  linkTargets(pageId: number): Uint32Array {
    return decodeAscending(this.file.get(LINK_ROW, 'WHERE page_id = ?', pageId)?.entries);
  }

  /** Of every page that has any, in the order of pages; targets as `linkTargets` gives them. */
  *allLinks(): IterableIterator<{ pageId: number; targets: Uint32Array }> {
    for (const { pageId, entries } of this.file.rows(LINK_ROW, 'ORDER BY page_id')) {
      const targets = decodeAscending(entries);
      for (let i = 0; i < targets.length; i++) {
        if (targets[i]! >= (this.shard ?? this).pageCount)
          throw this.file.corrupt(`page ${pageId} has a link to no page`);
      }
      yield { pageId: this.file.pageId(pageId), targets };
    }
  }

  /** Whether pages have links among each other. */
  hasLinks(): boolean {
    return this.file.value('SELECT 1 FROM link LIMIT 1') !== undefined;
  }

  aliases(pageId: number): AliasRecord[] {
    const aliases = this.file.all(ALIAS_ROW, 'WHERE page_id = ? ORDER BY url', pageId);
    return aliases.map(({ url, kind }) => ({ url, kind }));
  }

  /** The page that speaks for a URL; null where no alias of that URL is known. */
  alias(url: string): { pageId: number; kind: AliasRecord['kind'] } | null {
    const found = this.file.get(ALIAS_ROW, 'WHERE url = ?', url);
    return found === undefined ? null : { pageId: this.file.pageId(found.pageId), kind: found.kind };
  }

  /** For each page that is gone and whose URL is an alias now: the page where following it ends. */
  successors(): Map<number, number> {
    const next = new Map<number, number>();
    const rows = this.file.tuples<[number, number]>(`SELECT gone.page_id, alias.page_id ${LEADING_SQL}`);
    for (const [gone, page] of rows) next.set(this.file.pageId(gone), this.file.pageId(page));
    return new Map(endsOf(next.keys(), (page) => next.get(page)));
  }

  /** The same of one page; its own id where it leads nowhere. */
  successor(pageId: number): number {
    const sql = `SELECT alias.page_id ${LEADING_SQL} WHERE gone.page_id = ?`;
    const [found] = endsOf([pageId], (page) => {
      const next = this.file.value<number>(sql, page);
      return next === undefined ? undefined : this.file.pageId(next);
    });
    return found?.[1] ?? pageId;
  }

  *allAliases(): IterableIterator<AliasRecord & { pageId: number }> {
    yield* this.file.rows(ALIAS_ROW, 'ORDER BY url');
  }

  /** In id order. */
  *allFeatures(relationId: number): IterableIterator<FeatureRecord> {
    yield* this.file.rows(FEATURE_ROW, 'WHERE relation_id = ? ORDER BY id', relationId);
  }

  /** Whether a sweep found the page gone or leading elsewhere, and none has had it since. */
  isGone(pageId: number): boolean {
    return this.lostIn(pageId) !== 0;
  }

  /** Ascending; of a shard its own. */
  gonePages(): Uint32Array {
    return Uint32Array.from(this.file.values<number>('SELECT page_id FROM gone ORDER BY page_id'));
  }

  /** Id of the sweep that found so; 0 where the page is there. */
  lostIn(pageId: number): number {
    return this.file.value<number>('SELECT sweep_id FROM gone WHERE page_id = ?', pageId) ?? 0;
  }

  /** Oldest sweep first. */
  captures(pageId: number): CaptureRecord[] {
    return this.file.all(CAPTURE_ROW, 'WHERE page_id = ? ORDER BY sweep_id', pageId);
  }

  /** Oldest first. */
  readonly sites = () => new SitePages(this.file);
  readonly sweeps = (): StoredSweep[] => readSweeps(this.file);
  readonly captureTimes = () => readCaptureTimes(this.file);

  close(): void {
    this.file.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** What is allotted an id must not hang on one that is damaged. A lost digest is for the check to name. */
function requireDense(file: IndexFile, table: 'page' | 'feature', count: number): void {
  const digested = file.rowCount(table);
  if (digested === 0 ? count > file.sizeBytes : count !== digested) {
    throw file.corrupt(`the last ${table} has the id ${count - 1}, there are ${digested} ${table}s`);
  }
}
