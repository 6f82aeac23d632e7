/** An index and the pages that wait for it, read as one index: what is written is in every answer at once. */

import { NO_BAG } from '../../../features/bag.ts';
import type { LinkGraph } from '../../../join/links/link-graph.ts';
import { allOf, withFurther } from '../../../join/pairs/neighbor-span.ts';
import { type NeighborList, NO_NEIGHBORS } from '../../../join/pairs/neighbor-table.ts';
import type { PageCard } from '../../../page/card/page-card.ts';
import { passes } from '../../../page/fields/field-condition.ts';
import type { PageFields } from '../../../page/fields/page-fields.ts';
import { candidatesBy } from '../../../relations/kernels.ts';
import { mostAlike } from '../../../store/read/pages/nearest-urls.ts';
import { newestFirst } from '../../../store/read/pages/recent-pages.ts';
import type { RelationRecord, StoredPage } from '../../../store/records.ts';
import { siteOf } from '../../../url/site.ts';
import { type Accept, acceptBy, type StoredFilter } from '../accept.ts';
import type { IndexFacts } from '../facts.ts';
import type { LocalIndex } from '../file/local-index.ts';
import type { Found } from '../found.ts';
import { mergedNearest } from '../merge.ts';
import type {
  AllLinks,
  Description,
  FoundUrl,
  NamedPage,
  NearestQuery,
  NearestVectorsQuery,
  ReadArguments,
  ReadResult,
} from '../read-table.ts';
import type { AcceptAll, Head, Reads } from '../reads.ts';
import type { Work } from '../work.ts';
import { type BlendedLists, withNeighbors } from './blended-lists.ts';
import { LiveClusters } from './live-clusters.ts';
import { type LiveLists, withoutHidden } from './live-lists.ts';
import type { LiveParts } from './live-texts.ts';
import { featuresInSegment, nearestInSegment } from './nearest-in-segment.ts';
import type { SegmentPage } from './segment.ts';

export class LiveReads extends LiveClusters implements Reads {
  readonly facts: IndexFacts;
  readonly readAhead: number;
  readonly namesAll: boolean;
  readonly #lists: LiveLists | null;
  readonly #blended: BlendedLists | null;

  constructor(index: LocalIndex, parts: LiveParts, work?: Work) {
    super(index, parts, work);
    this.facts = parts.segment.facts;
    this.readAhead = this.base.readAhead;
    this.namesAll = this.base.namesAll;
    this.#lists = parts.lists;
    this.#blended = parts.blended;
  }

  get lost(): readonly number[] {
    return this.base.lost;
  }

  // What does not change before the fold.

  describe(): Promise<Description> {
    return this.base.describe();
  }

  feature(...asked: ReadArguments<'feature'>): Promise<ReadResult<'feature'>> {
    return this.base.feature(...asked);
  }

  findFeature(...asked: ReadArguments<'findFeature'>): Promise<ReadResult<'findFeature'>> {
    return this.base.findFeature(...asked);
  }

  partPageCount(...asked: ReadArguments<'partPageCount'>): Promise<number> {
    return this.base.partPageCount(...asked);
  }

  template(host: string): Promise<Float64Array> {
    return this.base.template(host);
  }

  allLinks(): Promise<AllLinks> {
    return this.base.allLinks();
  }

  get found(): Found {
    return this.segment.found;
  }

  readonly goneIn = (links: LinkGraph): Accept => this.segment.goneIn(links);

  async find(url: string): Promise<FoundUrl> {
    const own = this.segment.find(url);
    if (own === undefined) return this.base.find(url);
    return { pageId: this.#isNowhere(own) ? -1 : own.id, page: null, neighbors: null, named: [] };
  }

  async idOf(url: string): Promise<number> {
    return (await this.find(url)).pageId;
  }

  /** A page that came and went: the index has never had it. */
  #isNowhere({ id, said }: SegmentPage): boolean {
    return said === null && this.segment.isNew(id);
  }

  async alias(url: string): Promise<ReadResult<'alias'>> {
    return this.#isPage(url) ? null : this.base.alias(url);
  }

  async aliases(page: number): Promise<ReadResult<'aliases'>> {
    if (this.segment.isNew(page)) return [];
    return (await this.base.aliases(page)).filter(({ url }) => !this.#isPage(url));
  }

  /** Whether a page of this URL waits. */
  #isPage(url: string): boolean {
    const own = this.segment.find(url);
    return own !== undefined && own.said !== null;
  }

  async otherAnswer(url: string): Promise<ReadResult<'otherAnswer'>> {
    const own = this.segment.find(url);
    if (own?.said !== null) return own === undefined ? this.base.otherAnswer(url) : null;
    return { kind: 'gone', sweepId: this.segment.sweepId, fetchedAtMs: own.fetchedAtMs };
  }

  async isGone(page: number): Promise<boolean> {
    return this.segment.at(page) === undefined ? this.base.isGone(page) : this.segment.isGone(page);
  }

  async lostIn(page: number): Promise<number> {
    if (this.segment.at(page) === undefined) return this.base.lostIn(page);
    return this.segment.isGone(page) ? this.segment.sweepId : 0;
  }

  async successor(page: number): Promise<number> {
    const own = this.segment.at(page);
    return own !== undefined && (own.said !== null || this.segment.isNew(page))
      ? page
      : this.base.successor(page);
  }

  async page(page: number): Promise<StoredPage> {
    const own = this.segment.at(page);
    if (own === undefined || (own.said === null && !this.segment.isNew(page))) return this.base.page(page);
    const before = this.segment.isNew(page) ? null : await this.base.page(page);
    const { url, siteId, said } = own;
    const { title = '', lang = null, wordCount = 0 } = said?.facts ?? {};
    return {
      id: page,
      url,
      site: siteOf(url),
      siteId,
      title: this.segment.titleOf(own, title),
      fullTitle: title,
      lang,
      fetched: said !== null,
      wordCount,
      inLinkCount: before?.inLinkCount ?? 0,
      outLinkCount: said?.linkCount ?? 0,
    };
  }

  async named(page: number): Promise<NamedPage | null> {
    return this.segment.at(page) === undefined ? this.base.named(page) : this.page(page);
  }

  async heads(pageIds: ArrayLike<number>): Promise<Head[]> {
    const ids = Array.from(pageIds);
    if (ids.every((id) => this.segment.at(id) === undefined)) return this.base.heads(ids);
    return Promise.all(
      ids.map(async (id) =>
        this.segment.at(id) === undefined ? (await this.base.heads([id]))[0]! : this.page(id),
      ),
    );
  }

  async siteId(name: string): Promise<number> {
    return this.segment.siteId(name);
  }

  async pageCard(page: number): Promise<PageCard | null> {
    const own = this.segment.at(page);
    return own === undefined ? this.base.pageCard(page) : (own.said?.facts.card ?? null);
  }

  async ownFeatures(page: number): Promise<string> {
    const own = this.segment.at(page);
    return own === undefined ? this.base.ownFeatures(page) : (own.said?.facts.features ?? '');
  }

  async vector(relationId: number, page: number): Promise<Int8Array> {
    if (this.segment.at(page) === undefined) return this.base.vector(relationId, page);
    return this.segment.vectors.get(this.facts.vectorName(relationId)!, page);
  }

  async pageFields(page: number): Promise<PageFields> {
    const own = this.segment.at(page);
    return own === undefined ? this.base.pageFields(page) : (own.said?.facts.fields ?? {});
  }

  async bag(relationId: number, page: number): Promise<ReadResult<'bag'>> {
    const own = this.segment.at(page);
    if (own === undefined) return this.base.bag(relationId, page);
    return relationId === this.facts.words?.id ? (own.said?.bag ?? NO_BAG) : NO_BAG;
  }

  async neighbors(relationId: number, page: number, count = Number.POSITIVE_INFINITY): Promise<NeighborList> {
    const { segment } = this;
    const lists = this.#lists;
    if (segment.isGone(page)) return NO_NEIGHBORS;
    if (this.facts.vectorName(relationId) !== undefined) return this.#nearestByVector(relationId, page);
    if (relationId !== segment.relation?.id || lists === null) {
      if (segment.at(page) !== undefined) return NO_NEIGHBORS;
      return withoutHidden(await this.base.neighbors(relationId, page, count), segment);
    }
    const { relation } = segment;
    if (this.#blended !== null && this.facts.blend !== null) return this.#blended.of(this, page);
    if (this.#blended === null || !lists.isSearched(page)) return this.#listed(lists, relation, page, count);
    // Its list would be asked for by that of another page that waits, and the other way round.
    const listed = (_: number, other: number, most = 255) => this.#listed(lists, relation, other, most);
    return this.#blended.of(withNeighbors(this, listed), page);
  }

  /** By the kernel of the index alone, over the words that pages have themselves. */
  async #listed(
    lists: LiveLists,
    { id: relationId, neighborLimit, rank }: RelationRecord,
    page: number,
    count: number,
  ): Promise<NeighborList> {
    if (this.segment.at(page) === undefined) {
      const stored = await this.base.neighbors(relationId, page, count);
      if (lists.isAsStored(page, stored)) return stored;
    }
    const { list, isCut } = lists.of(page);
    if (!isCut || list.ids.length >= Math.min(count, neighborLimit)) return list;
    const bag = await this.bag(relationId, page);
    const found = await this.nearest({
      relationId,
      bag,
      count: neighborLimit,
      by: rank === 'votes' ? 'nearness' : 'similarity',
      isRated: rank === 'votes',
      filter: null,
      skip: page,
      exact: true,
    });
    const { start: _start, end: _end, ...all } = withFurther(allOf(list), allOf(found), neighborLimit);
    lists.keep(page, { list: all as NeighborList, isCut: false });
    return all as NeighborList;
  }

  /** Anew: pages that wait may stand in any list, and those that are hidden in none. */
  async #nearestByVector(relationId: number, page: number): Promise<NeighborList> {
    const vector = await this.vector(relationId, page);
    if (vector.length === 0) return NO_NEIGHBORS;
    const { neighborLimit: count } = this.facts.card.relations.find(({ id }) => id === relationId)!;
    return this.nearestVectors({ relationId, vector, count, filter: null, skip: page });
  }

  async nearestVectors(query: NearestVectorsQuery): Promise<NeighborList> {
    const found = await this.base.nearestVectors(query);
    const name = this.facts.vectorName(query.relationId)!;
    const { vectors } = this.segment;
    this.work.spend(vectors.nearestUs(name, query));
    const accept = query.filter === null ? null : this.#accept(query.filter);
    return mergedNearest([found, vectors.nearest(name, query, accept)], query.count);
  }

  async nearest(query: NearestQuery): Promise<NeighborList> {
    const found = await this.base.nearest(query);
    const accept = query.filter === null ? null : this.#accept(query.filter);
    if (query.features !== undefined) {
      const { floor } = this.facts.card.relations.find(({ id }) => id === query.relationId)!;
      const waiting = featuresInSegment(this.segment, { ...query, features: query.features, floor }, accept);
      return mergedNearest([found, waiting], query.count);
    }
    const { relation } = this.segment;
    if (relation === null || query.relationId !== relation.id) return found;
    const waiting = nearestInSegment(this.segment, query, accept);
    return mergedNearest([found, waiting], query.count, candidatesBy(relation, query.by));
  }

  async printed(
    relationId: number,
    page: number,
    count: number,
    filter: StoredFilter | null,
  ): Promise<NeighborList> {
    return this.segment.at(page) === undefined
      ? this.base.printed(relationId, page, count, filter)
      : NO_NEIGHBORS;
  }

  accepting(filter: StoredFilter): AcceptAll {
    const ofIndex = this.base.accepting(filter);
    const ofSegment = this.#accept(filter);
    return async (pageIds) => {
      const ids = Array.from(pageIds);
      const known = ids.filter((id) => this.segment.at(id) === undefined);
      const places = new Map(known.map((id, i) => [id, i]));
      const passed = await ofIndex(known);
      return ids.map((id) => {
        const place = places.get(id);
        return place === undefined ? ofSegment(id) : passed[place]!;
      });
    };
  }

  /** Of pages of the segment. */
  #accept(filter: StoredFilter): Accept {
    const said = (id: number) => this.segment.at(id)!;
    const accept = acceptBy(filter, {
      url: (id) => said(id).url,
      lang: (id) => said(id).said!.facts.lang,
      fetched: () => true,
      site: (id) => said(id).siteId,
      findSite: (name) => this.segment.siteId(name),
      card: (id) => said(id).said!.facts.card,
      hasField: (name, tests) => (id) => passes(said(id).said!.facts.fields, name, tests),
      idHere: (id) => id,
    });
    return (id) => said(id).said !== null && accept(id);
  }

  async linkGraph(): Promise<LinkGraph> {
    return this.segment.withRows(await this.base.linkGraph());
  }

  async nearestUrls(url: string, count: number): Promise<ReadResult<'nearestUrls'>> {
    const host = `${new URL(url).origin}/`;
    const { segment } = this;
    const known = await this.base.nearestUrls(url, count + segment.hiddenCount);
    const own = segment.pages.filter(({ url, said }) => said !== null && url.startsWith(host));
    const near = [
      ...known.filter(({ pageId }) => segment.at(pageId) === undefined),
      ...own.map(({ id, url }) => ({ pageId: id, url })),
    ];
    return mostAlike(near, url).slice(0, count);
  }

  async siteTotal(): Promise<number> {
    return (await this.base.siteTotal()) + this.segment.newSiteCount;
  }

  async siteCounts(): Promise<ReadResult<'siteCounts'>> {
    const counts = new Map((await this.base.siteCounts()).map((one) => [one.site, one]));
    for (const { id, url, said } of this.segment.pages) {
      const [was, wasFetched] = this.segment.isNew(id) ? [0, 0] : await this.#countedBefore(id);
      const is = Number(said !== null);
      const site = siteOf(url);
      const { pageCount, fetchedCount } = counts.get(site) ?? { pageCount: 0, fetchedCount: 0 };
      counts.set(site, {
        site,
        pageCount: pageCount + is - was,
        fetchedCount: fetchedCount + is - wasFetched,
      });
    }
    return [...counts.values()].filter(({ pageCount }) => pageCount > 0);
  }

  /** Whether the index counts a page, and as one that was read. */
  async #countedBefore(page: number): Promise<[number, number]> {
    return (await this.base.isGone(page)) ? [0, 0] : [1, Number((await this.base.page(page)).fetched)];
  }

  async sitePages(site: string, from: number, limit: number): Promise<Uint32Array> {
    const { segment } = this;
    const known = (await this.base.sitePages(site, from, limit + segment.hiddenCount)).filter(
      (page) => segment.at(page) === undefined,
    );
    const own = segment.pages
      .filter(({ id, url, said }) => id >= from && said !== null && siteOf(url) === site)
      .map(({ id }) => id);
    return Uint32Array.from([...known, ...own])
      .sort()
      .subarray(0, limit);
  }

  async recent(count: number): Promise<ReadResult<'recent'>> {
    const { segment } = this;
    // The same for some time, while more and more pages wait: what was found is asked for again.
    const most = 2 ** Math.ceil(Math.log2(count + segment.pages.length + 1));
    const known = (await this.base.recent(most)).filter(({ pageId }) => segment.at(pageId) === undefined);
    const waiting = segment.pages.filter(({ said }) => said !== null);
    const added = waiting.map(async ({ id, said }) => {
      const [first] = segment.isNew(id) ? [] : await this.base.captures(id);
      const sweepId = first?.sweepId ?? segment.sweepId;
      return { pageId: id, publishedAt: said!.facts.card?.publishedAt ?? null, sweepId };
    });
    return [...known, ...(await Promise.all(added))].sort(newestFirst).slice(0, count);
  }
}
