/**
 * Several shards read as one index: pages by their whole ids, which are those of the index that was split.
 *
 * A page is asked of the shard that has it; what may be anywhere is asked of all shards and merged in the order in which
 * one index has it. So the answers made from this reader are those of one index.
 */
import type { Bag } from '../../features/bag.ts';
import type { NeighborList } from '../../join/pairs/neighbor-table.ts';
import type { StoredSweep } from '../../store/read/card.ts';
import type { AliasRecord, CaptureRecord, FeatureRecord, StoredPage } from '../../store/records.ts';
import { shardOf } from '../../url/shard.ts';
import { Problem } from '../http/problem.ts';
import { mergedNearest, sharedLength } from './merge.ts';
import type { ServedIndex } from './served-index.ts';
import type { NamedPage, NearestRead, ShardSet } from './shard-reads.ts';
import { UnionClusters, UnionSearch, UnionVersions } from './union-parts.ts';
import { type UnionFacts, UnionReads } from './union-reads.ts';

const NO_LIST: NeighborList = {
  ids: new Uint32Array(0),
  shared: new Uint16Array(0),
  total: new Uint16Array(0),
};
const NO_BAG: Bag = { features: new Uint32Array(0), weights: new Uint8Array(0), sum: 0 };
const NO_FEATURE: FeatureRecord = { id: 0, part: 'content', stem: '', term: '', pageCount: 1 };
const UNREAD = { wordCount: 0, inLinkCount: 0, outLinkCount: 0 };
/** Stands for a page that no shard at hand can name. */
const NO_NAME = { url: 'http://unknown.invalid/', title: '', site: '', lang: null, fetched: false };
/** Stands for a page until it is at hand how others name it. */
const UNREAD_NAME = { id: 0, ...NO_NAME, url: 'http://unread.invalid/' };
/** Steps of a chain of pages that lead elsewhere. */
const MAX_STEPS = 16;

export class UnionReader extends UnionReads implements ServedIndex {
  readonly path = '';
  readonly generation: string;
  readonly pageCount: number;
  readonly ownPageCount: number;
  readonly shard = null;
  readonly clusters: UnionClusters;
  readonly versions: UnionVersions;
  readonly search: UnionSearch;
  readonly pageCards: ServedIndex['pageCards'];

  constructor(shards: ShardSet, facts: UnionFacts) {
    super(shards, facts);
    this.generation = facts.card.generation;
    this.pageCount = facts.homes.length;
    this.ownPageCount = this.pageCount;
    this.clusters = new UnionClusters(this);
    this.versions = new UnionVersions(this);
    this.search = new UnionSearch(this);
    this.pageCards = { get: (pageId) => this.atHome(pageId, 'pageCard', [pageId], null) };
  }

  /** Errors  Problem `shard-unavailable` where the shard of the URL, or of the page that it leads to, cannot be asked. */
  findPage(url: string): number {
    const shard = shardOf(url, this.shards.count);
    if (this.shards.isLost(shard)) throw lostShard(url, shard);
    const { pageId } = this.shards.read(shard, 'find', [url], undefined);
    const home = pageId < 0 ? shard : this.facts.homes[pageId]!;
    if (home >= this.shards.count || this.shards.isLost(home)) throw lostShard(url, home);
    return pageId;
  }

  /** Id of a page, -1 where there is none, or the shard of the URL cannot be asked. */
  findMentioned(url: string): number {
    return this.shards.read(shardOf(url, this.shards.count), 'idOf', [url], -1);
  }

  alias(url: string): { pageId: number; kind: AliasRecord['kind'] } | null {
    return this.shards.read(shardOf(url, this.shards.count), 'alias', [url], null);
  }

  goneIn(url: string): number | null {
    return this.shards.read(shardOf(url, this.shards.count), 'goneIn', [url], null);
  }

  aliases(pageId: number): AliasRecord[] {
    return [...this.atHome(pageId, 'aliases', [pageId], [])];
  }

  successor(pageId: number): number {
    let end = pageId;
    const met = [pageId];
    for (let step = 0; step < MAX_STEPS; step++) {
      const next = this.atHome(end, 'successor', [end], end);
      if (next === end) return end;
      // Of a circle the first stands for all.
      if (met.includes(next)) return Math.min(...met.slice(met.indexOf(next)));
      met.push(next);
      end = next;
    }
    return end;
  }

  nearestUrls(url: string, count: number): { pageId: number; url: string }[] {
    const found = this.ofAll('nearestUrls', [url, count], [])
      .flat()
      .sort((a, b) => a.pageId - b.pageId);
    const before = found.filter((page) => page.url < url).slice(-count);
    const behind = found.filter((page) => page.url > url).slice(0, count);
    return [...before, ...behind]
      .map((page) => ({ page, shared: sharedLength(page.url, url) }))
      .sort((a, b) => b.shared - a.shared || a.page.pageId - b.page.pageId)
      .slice(0, count)
      .map(({ page }) => page);
  }

  page(pageId: number): StoredPage {
    const own = this.atHome(pageId, 'page', [pageId], null);
    const named = own ?? this.#namedElsewhere(pageId);
    return { ...UNREAD, fullTitle: named.title, ...named, id: pageId, siteId: this.findSite(named.site) };
  }

  /** What lists show of a page. */
  named(pageId: number): NamedPage & { readonly siteId: number } {
    const own = this.atHome(pageId, 'named', [pageId], null);
    const named = own ?? this.#namedElsewhere(pageId);
    return { ...named, siteId: this.findSite(named.site) };
  }

  /** Of a page whose shard is lost, another shard that lists it knows the name. */
  #namedElsewhere(pageId: number): NamedPage {
    const home = this.facts.homes[pageId]!;
    if (home < this.shards.count && !this.shards.isLost(home)) return UNREAD_NAME;
    let isUnread = false;
    for (let shard = 0; shard < this.shards.count; shard++) {
      if (this.shards.isLost(shard)) continue;
      const named = this.shards.read(shard, 'named', [pageId], UNREAD_NAME);
      if (named === UNREAD_NAME) isUnread = true;
      else if (named !== null) return named;
    }
    return isUnread ? UNREAD_NAME : { id: pageId, ...NO_NAME };
  }

  /** False for a page of a lost shard that no other knows. */
  isNamed(pageId: number): boolean {
    return this.named(pageId).url !== NO_NAME.url;
  }

  neighbors(relationId: number, pageId: number): NeighborList {
    return this.atHome(pageId, 'neighbors', [relationId, pageId], NO_LIST);
  }

  bag(relationId: number, pageId: number): Bag {
    return this.atHome(pageId, 'bag', [relationId, pageId], NO_BAG);
  }

  captures(pageId: number): CaptureRecord[] {
    const home = this.facts.homes[pageId]!;
    return this.atHome(pageId, 'captures', [pageId], []).map((capture) => ({
      ...capture,
      versionId: this.versions.idOf(home, capture.versionId),
    }));
  }

  /** Number of a site by its name; a site that no page is of has one, too. */
  findSite(name: string): number {
    const { sites } = this.facts;
    const known = sites.get(name);
    if (known !== undefined) return known;
    sites.set(name, sites.size);
    return sites.size - 1;
  }

  feature(relationId: number, featureId: number): FeatureRecord {
    return this.ofAny('feature', [relationId, featureId], NO_FEATURE);
  }

  findFeature(relationId: number, part: string, stem: string): FeatureRecord | undefined {
    return this.ofAny('findFeature', [relationId, part, stem], null) ?? undefined;
  }

  partPageCount(relationId: number, part: string): number {
    return this.ofAny('partPageCount', [relationId, part], 1);
  }

  links(pageId: number): Uint32Array {
    return this.atHome(pageId, 'linkTargets', [pageId], new Uint32Array(0));
  }

  *allLinks(): IterableIterator<{ pageId: number; targets: Uint32Array }> {
    const none = { pages: new Uint32Array(0), ends: new Uint32Array(0), targets: new Uint32Array(0) };
    const shards = this.ofAll('allLinks', [], none);
    const next = shards.map(() => 0);
    for (let pageId = 0; pageId < this.pageCount; pageId++) {
      const home = this.facts.homes[pageId]!;
      const links = shards[home];
      if (links === undefined || links.pages[next[home]!] !== pageId) continue;
      const at = next[home]!++;
      yield { pageId, targets: links.targets.subarray(at === 0 ? 0 : links.ends[at - 1]!, links.ends[at]!) };
    }
  }

  hasLinks(): boolean {
    return this.facts.hasLinks;
  }

  isGone(pageId: number): boolean {
    return this.atHome(pageId, 'isGone', [pageId], false);
  }

  sweeps(): StoredSweep[] {
    return [...this.facts.sweeps];
  }

  /** Errors  Error: an index of signatures is not split. */
  signatures(): Uint32Array {
    throw new Error('shards have no signatures');
  }

  /** The nearest pages of all shards. */
  nearest(query: NearestRead): NeighborList {
    return mergedNearest(this.ofAll('nearest', [query], NO_LIST), query.count);
  }

  close(): void {
    this.shards.close();
  }
}

function lostShard(url: string, shard: number): Problem {
  return new Problem(
    'shard-unavailable',
    `${url.slice(0, 300)} belongs to shard ${shard}, which cannot be asked now`,
  );
}
