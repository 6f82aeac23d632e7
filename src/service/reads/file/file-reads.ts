/** Reads of one open file: of an index by its own page ids, of a shard among others by those of the whole. */

import { NO_BAG } from '../../../features/bag.ts';
import { goneAmong, type LinkGraph } from '../../../join/links/link-graph.ts';
import { type NeighborList, NO_NEIGHBORS } from '../../../join/pairs/neighbor-table.ts';
import { keptIn } from '../../../lib/kept.ts';
import { andThen, later, type OrLater } from '../../../lib/or-later.ts';
import type { PageCard } from '../../../page/card/page-card.ts';
import type { PageFields } from '../../../page/fields/page-fields.ts';
import type { IndexReader } from '../../../store/read/reader.ts';
import type { SearchOrder } from '../../../store/read/search/search-reader.ts';
import type { ClusterRecord, FeatureRecord, StoredPage, VersionRecord } from '../../../store/records.ts';
import { checkedUrl } from '../../http/checked-url.ts';
import { HELD_NEIGHBORS } from '../../snapshot/snapshot-parts.ts';
import { type Accept, acceptBy, type StoredFilter } from '../accept.ts';
import type { IndexFacts } from '../facts.ts';
import type { Found } from '../found.ts';
import type {
  AllLinks,
  AskedWord,
  Description,
  FoundUrl,
  NamedPage,
  ReadArguments,
  ReadResult,
} from '../read-table.ts';
import type { AcceptAll, Head, Reads } from '../reads.ts';
import { ROW_US, Work } from '../work.ts';
import { filterPages } from './filter-pages.ts';
import { KeptPages } from './kept-pages.ts';
import { packedLinks } from './link-loading.ts';
import type { OpenFile } from './open-file.ts';
import { OWN_IDS, type PageIds } from './page-ids.ts';
import { recentOfFile } from './recent-of-file.ts';

/** Of a page, where signatures are compared. */
const SIGNATURE_US = 0.1;
/** To count the versions that share shingles, where they are many. */
const SHARING_US = 2000;
/** Of a page that is one of many which have a text. */
const CAPTURE_US = 2;

const NOT_FOUND: Omit<FoundUrl, 'pageId'> = { page: null, neighbors: null, named: [] };

/** A page that the file has not is said nothing of: by ids of the whole index it may be asked for any. */
export class FileReads implements Reads {
  readonly facts: IndexFacts;
  readonly lost: readonly number[] = [];
  readonly readAhead = 1;
  readonly namesAll = true;
  readonly goneIn = goneAmong;
  readonly saidLinks = () => null;
  readonly isNearWaiting = () => false;
  readonly requireHome = () => {};
  readonly isOutOfReach = () => false;
  readonly found: Found;
  readonly work: Work;
  readonly open: OpenFile;
  readonly #ids: PageIds;
  readonly #isHidden: Accept | null;
  readonly #pages = new KeptPages();
  #byWholeIds: FileReads | null = null;

  /** @param isHidden of pages of the file those that are found by no search; null where all may be. */
  constructor(open: OpenFile, work = new Work(), ids: PageIds = OWN_IDS, isHidden: Accept | null = null) {
    this.facts = open.facts;
    this.work = work;
    this.open = open;
    this.found = open.found;
    this.#ids = ids;
    this.#isHidden = isHidden && ((place) => isHidden(ids.idOf(place)));
  }

  /** For one look-up. */
  get #file(): IndexReader {
    this.work.spend(ROW_US);
    return this.open.reader;
  }

  /** Those of a shard, by the ids of the index that was split. */
  get byWholeIds(): FileReads {
    this.#byWholeIds ??= new FileReads(this.open, this.work, this.open.wholeIds);
    return this.#byWholeIds;
  }

  /** Whether it has a page, and does not merely name it. */
  has(page: number): boolean {
    return this.#ids.ownPlace(page) >= 0;
  }

  async describe(): Promise<Description> {
    const { card, sweeps, versionCount, hasSearch, ownPageCount } = this.facts;
    const reader = this.#file;
    const own = reader.shard === null ? new Uint32Array(0) : reader.shardIds.wholeIds.slice(0, ownPageCount);
    return { card, sweeps, versionCount, hasSearch, hasLinks: reader.hasLinks(), wholeIds: own };
  }

  find(url: string): OrLater<FoundUrl> {
    return andThen(this.idOf(url), (pageId) => ({ ...NOT_FOUND, pageId }));
  }

  idOf(url: string): OrLater<number> {
    const { snapshot } = this.open;
    const idOf = (place: number) => (place < 0 ? -1 : this.#ids.idOf(place));
    const held = snapshot?.findHeld(url) ?? -1;
    return held < 0 ? later(() => idOf((snapshot ?? this.#file).findPage(url))) : idOf(held);
  }

  async alias(url: string): Promise<ReadResult<'alias'>> {
    const found = this.#file.alias(url);
    return found === null ? null : { ...found, pageId: this.#ids.idOf(found.pageId) };
  }

  async otherAnswer(url: string): Promise<ReadResult<'otherAnswer'>> {
    const answer = this.#file.input.other(url);
    return answer && { kind: answer.kind, sweepId: answer.sweepId, fetchedAtMs: answer.fetchedAtMs };
  }

  async aliases(page: number): Promise<ReadResult<'aliases'>> {
    return this.#ofOwn(page, [], (place) => this.#file.aliases(place));
  }

  /** Errors  CorruptError for a page that is not there. */
  async page(page: number): Promise<StoredPage> {
    const place = this.#ids.ownPlace(page);
    return { ...this.#pages.page(place, this.#file), id: page };
  }

  async named(page: number): Promise<NamedPage | null> {
    const place = this.#ids.place(page);
    if (place < 0) return null;
    const { url, title, site, lang, fetched } = this.#file.page(place);
    return { id: page, url, title, site, lang, fetched };
  }

  heads(pageIds: ArrayLike<number>): OrLater<Head[]> {
    return this.#atHand(() => {
      const heads = new Array<Head>(pageIds.length);
      for (let i = 0; i < heads.length; i++) heads[i] = this.#head(this.#ids.place(pageIds[i]!));
      return heads;
    });
  }

  #head(place: number): Head {
    const { snapshot } = this.open;
    if (snapshot !== null) return snapshot.head(place);
    const page = this.#pages.page(place, this.#file);
    checkedUrl(page.url);
    return page;
  }

  async siteId(name: string): Promise<number> {
    return this.#file.sites().find(name);
  }

  neighbors(relationId: number, page: number, count = Number.POSITIVE_INFINITY): OrLater<NeighborList> {
    const { open } = this;
    const stored = (place: number) => this.#list(open.neighbors(relationId, place, count));
    if (open.snapshot !== null && count <= HELD_NEIGHBORS) return this.#ofOwn(page, NO_NEIGHBORS, stored);
    return later(() => {
      this.work.spend(ROW_US);
      return this.#ofOwn(page, NO_NEIGHBORS, stored);
    });
  }

  #list(list: NeighborList): NeighborList {
    return { ...list, ids: this.#ids.idsOf(list.ids) };
  }

  async bag(relationId: number, page: number): Promise<ReadResult<'bag'>> {
    return this.#ofOwn(page, NO_BAG, (place) => this.#file.bag(relationId, place));
  }

  async captures(page: number): Promise<ReadResult<'captures'>> {
    return this.#ofOwn(page, [], (place) => this.#file.captures(place));
  }

  async links(page: number): Promise<Uint32Array> {
    // A shard has them by ids of the whole index.
    const name = this.#ids === OWN_IDS ? 'links' : 'linkTargets';
    return this.#ofOwn(page, new Uint32Array(0), (place) => this.#file[name](place));
  }

  async allLinks(): Promise<AllLinks> {
    const { pages, gone, ...links } = packedLinks([...this.#file.allLinks()], this.#file.gonePages());
    return { pages: this.#ids.idsOf(pages), gone: this.#ids.idsOf(gone), ...links };
  }

  linkGraph(): Promise<LinkGraph> {
    return this.open.links.get();
  }

  async isGone(page: number): Promise<boolean> {
    return this.#ofOwn(page, false, (place) => this.#file.isGone(place));
  }

  async lostIn(page: number): Promise<number> {
    return this.#ofOwn(page, 0, (place) => this.#file.lostIn(place));
  }

  successor(page: number): OrLater<number> {
    const next = (place: number) => this.#ids.idOf((this.open.snapshot ?? this.#file).successor(place));
    return this.#atHand(() => this.#ofOwn(page, page, next));
  }

  async pageCard(page: number): Promise<PageCard | null> {
    return this.#ofOwn(page, null, (place) => this.#file.pageCards.get(place));
  }

  async ownFeatures(page: number): Promise<string> {
    return this.#ofOwn(page, '', (place) => this.#file.input.ownFeatures(place));
  }

  async vector(relationId: number, page: number): Promise<Int8Array> {
    return this.#ofOwn(page, new Int8Array(0), (place) => this.#file.vectors.get(relationId, place));
  }

  async pageFields(page: number): Promise<PageFields> {
    return this.#ofOwn(page, {}, (place) => this.#file.fields.get(place));
  }

  async feature(relationId: number, feature: number): Promise<FeatureRecord> {
    return keptIn(this.open.features, feature, () => this.#file.feature(relationId, feature));
  }

  async findFeature(relationId: number, part: string, stem: string): Promise<FeatureRecord | null> {
    return this.#file.findFeature(relationId, part, stem) ?? null;
  }

  async partPageCount(relationId: number, part: string): Promise<number> {
    return this.#file.partPageCount(relationId, part);
  }

  async nearestUrls(url: string, count: number): Promise<ReadResult<'nearestUrls'>> {
    // Of several files more are wanted: the nearest of all may be on one side in each.
    const most = this.#ids === OWN_IDS ? count : 2 * count;
    return this.#file
      .nearestUrls(url, count, most)
      .map((page) => ({ pageId: this.#ids.idOf(page.pageId), url: page.url }));
  }

  async clusters(relationId: number, page: number): Promise<ClusterRecord[]> {
    const { clusters } = this.#file;
    return this.#ofOwn(page, [], (place) => clusters.ofPage(relationId, place).map(this.#cluster));
  }

  readonly #cluster = (cluster: ClusterRecord): ClusterRecord => {
    return { ...cluster, centerId: this.#ids.idOf(cluster.centerId) };
  };

  async clusterByKey(key: string): Promise<ClusterRecord | null> {
    const cluster = this.#file.clusters.byKey(key);
    return cluster === undefined ? null : this.#cluster(cluster);
  }

  async children(cluster: ClusterRecord, limit: number): Promise<ClusterRecord[]> {
    return this.#file.clusters.children(cluster, limit).map(this.#cluster);
  }

  async members(clusterId: number, limit: number, offset: number): Promise<ReadResult<'members'>> {
    const { clusters } = this.#file;
    const center = clusters.byId(clusterId)?.centerId;
    return clusters.members(clusterId, limit, offset).map(({ pageId, similarity }) => {
      return { pageId: this.#ids.idOf(pageId), similarity, isCenter: pageId === center };
    });
  }

  async clusterList(...asked: ReadArguments<'clusterList'>): Promise<ClusterRecord[]> {
    return this.#file.clusters.list(...asked).map(this.#cluster);
  }

  async clusterTotal(...asked: ReadArguments<'clusterTotal'>): Promise<number> {
    return this.#file.clusters.total(...asked);
  }

  async version(version: number): Promise<VersionRecord> {
    return this.#file.versions.get(version);
  }

  async sketch(version: number): Promise<ReadResult<'sketch'>> {
    return this.#file.versions.sketchOf(version);
  }

  async currentText(page: number): Promise<VersionRecord | null> {
    const versionId = await this.currentVersion(page);
    return versionId < 0 ? null : this.#file.versions.get(versionId);
  }

  async currentVersion(page: number): Promise<number> {
    return this.#ofOwn(page, -1, (place) => this.#file.versions.current(place));
  }

  async versionText(version: number): Promise<ReadResult<'versionText'>> {
    return this.#file.versions.text(version);
  }

  async currentPages(version: number, limit: number): Promise<ReadResult<'currentPages'>> {
    const { pageIds, moreCount } = this.#file.versions.currentPagesOf(version, limit);
    this.work.spend(pageIds.length * CAPTURE_US);
    return { pageIds: pageIds.map((place) => this.#ids.idOf(place)), moreCount };
  }

  async pagesOfText(textDigest: string): Promise<ReadResult<'pagesOfText'>> {
    const { versions } = this.#file;
    const version = versions.find(textDigest);
    const places = version < 0 ? [] : versions.pagesOf(version);
    this.work.spend(places.length * CAPTURE_US);
    return places.map(({ pageId, sweepId }) => ({ pageId: this.#ids.idOf(pageId), sweepId }));
  }

  async template(host: string): Promise<Float64Array> {
    return this.#file.versions.templateOf(host);
  }

  async withShingle(keys: Float64Array): Promise<ReadResult<'withShingle'>> {
    this.work.spend(keys.length * ROW_US + SHARING_US);
    return this.#file.versions.withShingle(keys);
  }

  async searchCounts(words: readonly AskedWord[]): Promise<ReadResult<'searchCounts'>> {
    const { search } = this.#file;
    const counts = words.map(({ word, isPrefix, withSimilar }) => search.counts(word, isPrefix, withSimilar));
    return { ...search.total(), words: counts };
  }

  async search(order: SearchOrder): Promise<ReadResult<'search'>> {
    const { pages, ...found } = this.#file.search.find(order, this.#isHidden);
    return { ...found, pages: pages.map(({ pageId, score }) => ({ pageId: this.#ids.idOf(pageId), score })) };
  }

  async siteTotal(): Promise<number> {
    return this.#file.sites().total();
  }

  async siteCounts(): Promise<ReadResult<'siteCounts'>> {
    return this.#file.sites().counts();
  }

  async sitePages(site: string, from: number, limit: number): Promise<Uint32Array> {
    return this.#ids.idsOf(this.#file.sites().ids(site, this.#ids.ownFrom(from), limit));
  }

  async recent(count: number): Promise<ReadResult<'recent'>> {
    const pages = await recentOfFile(this.open, this.work, count);
    return pages.map((page) => ({ ...page, pageId: this.#ids.idOf(page.pageId) }));
  }

  async frequentWords(start: string, limit: number): Promise<ReadResult<'frequentWords'>> {
    return this.#file.search.frequent(start, limit);
  }

  async nearest(...[{ filter, skip, ...query }]: ReadArguments<'nearest'>): Promise<NeighborList> {
    const skipped = skip < 0 ? -1 : this.#ids.ownPlace(skip);
    this.work.spend(this.open.nearestUs(query));
    return this.#list(this.open.nearest({ ...query, skip: skipped }, this.#accept(filter)));
  }

  async nearestVectors(
    ...[{ filter, skip, ...query }]: ReadArguments<'nearestVectors'>
  ): Promise<NeighborList> {
    const skipped = skip < 0 ? -1 : this.#ids.ownPlace(skip);
    this.work.spend(this.open.nearestVectorsUs(query));
    return this.#list(this.open.nearestVectors({ ...query, skip: skipped }, this.#accept(filter)));
  }

  async printed(...[relationId, page, count, filter]: Parameters<Reads['printed']>): Promise<NeighborList> {
    this.work.spend(this.facts.pageCount * SIGNATURE_US);
    return this.open.printed(relationId, page, count, this.#accept(filter));
  }

  accepting(filter: StoredFilter): AcceptAll {
    const accept = this.#accept(filter)!;
    return async (pages) => Array.from(pages, (page) => accept(this.#ids.place(page)));
  }

  /** Of places in the file. */
  #accept(filter: StoredFilter | null): Accept | null {
    const isHidden = this.#isHidden;
    const passes = filter === null ? null : this.#passes(filter);
    if (isHidden === null) return passes;
    return (place) => !isHidden(place) && (passes === null || passes(place));
  }

  #passes(filter: StoredFilter): Accept {
    const page = (place: number) => this.#pages.page(place, this.#file);
    return acceptBy(filter, filterPages(this.open, this.work, page, this.#ids));
  }

  /** At once where there is a snapshot. */
  #atHand<Value>(read: () => Value): OrLater<Value> {
    return this.open.snapshot === null ? later(read) : read();
  }

  #ofOwn<Value>(page: number, otherwise: Value, say: (place: number) => Value): Value {
    const place = this.#ids.ownPlace(page);
    return place < 0 ? otherwise : say(place);
  }
}
