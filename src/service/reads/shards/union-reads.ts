/**
 * Several shards read as one index: pages by their whole ids, which are those of the index that was split.
 *
 * A page is asked of the shard that has it; what may be anywhere is asked of all shards and merged in the order in which
 * one index has it. So the answers made from these reads are those of one index.
 */
import { goneAmong, type LinkGraph, LinkGraphBuilder } from '../../../join/links/link-graph.ts';
import { type NeighborList, NO_NEIGHBORS } from '../../../join/pairs/neighbor-table.ts';
import { cutText } from '../../../lib/cut-text.ts';
import { keptIn, numberIn } from '../../../lib/kept.ts';
import type { PageCard } from '../../../page/card/page-card.ts';
import { passes } from '../../../page/fields/field-condition.ts';
import type { PageFields } from '../../../page/fields/page-fields.ts';
import { candidatesBy } from '../../../relations/kernels.ts';
import { mostAlike } from '../../../store/read/pages/nearest-urls.ts';
import type { StoredPage } from '../../../store/records.ts';
import { shardOf } from '../../../url/shard.ts';
import { checkedUrl } from '../../http/checked-url.ts';
import { Problem } from '../../http/problems/problem.ts';
import { acceptBy, readsWhat, type StoredFilter } from '../accept.ts';
import type { IndexFacts } from '../facts.ts';
import { packedLinks } from '../file/link-loading.ts';
import type { Found } from '../found.ts';
import { mergedNearest } from '../merge.ts';
import type {
  AllLinks,
  Description,
  FoundUrl,
  NamedPage,
  NearestQuery,
  NearestVectorsQuery,
  ReadResult,
} from '../read-table.ts';
import { type AcceptAll, type Head, NO_NAME, type Reads } from '../reads.ts';
import { RecentCache } from '../recent-cache.ts';
import type { Work } from '../work.ts';
import type { ShardSet } from './shard-set.ts';
import type { UnionState } from './union-ask.ts';
import { UnionTexts } from './union-texts.ts';

const NO_LINKS: AllLinks = {
  pages: new Uint32Array(0),
  ends: new Uint32Array(0),
  targets: new Uint32Array(0),
  gone: new Uint32Array(0),
};
const UNREAD = { wordCount: 0, inLinkCount: 0, outLinkCount: 0 };
/** Names that are at hand: an export asks for all. */
const MOST_NAMED = 16_384;
/** Steps of a chain of pages that lead elsewhere. */
const MAX_STEPS = 16;

export class UnionReads extends UnionTexts implements Reads {
  readonly facts: IndexFacts;
  readonly work: Work;
  readonly found: Found;
  readonly readAhead: number;
  readonly namesAll = false;
  readonly goneIn = goneAmong;
  readonly saidLinks = () => null;
  /** A list names a page several times. */
  readonly #named = new RecentCache<number, Promise<NamedPage>>(MOST_NAMED, () => 1);
  /** Shards of what is asked about, with its URL. */
  readonly #required = new Map<number, string>();

  constructor(shards: ShardSet, state: UnionState, work: Work) {
    super(shards, state);
    this.facts = state.facts;
    this.work = work;
    this.found = state.found;
    this.readAhead = shards.readAhead;
  }

  isNearWaiting(): boolean {
    return false;
  }

  get lost(): readonly number[] {
    return this.shards.lost;
  }

  /** The figures of shards that nothing is known of are missing. */
  async describe(): Promise<Description> {
    this.missUnknown();
    const { card, sweeps, versionCount, hasSearch, hasLinks } = this.state.union;
    return { card, sweeps, versionCount, hasSearch, hasLinks, wholeIds: new Uint32Array(0) };
  }

  /** Errors  Problem `shard-unavailable` where the shard of the URL, or of the page that it leads to, cannot be asked. */
  async find(url: string): Promise<FoundUrl> {
    const shard = shardOf(url, this.shards.count);
    const found = await this.shards.read(shard, 'find', url);
    if (found === undefined) throw lostShard(url, `shard ${shard}, which`);
    if (found.pageId >= 0) this.requireHome(found.pageId, url);
    return found;
  }

  requireHome(page: number, url: string): void {
    this.#required.set(this.homes[page]!, url);
    this.requireHomes();
  }

  /** Errors  Problem `shard-unavailable` where a shard cannot be asked that `requireHome` was called for. */
  requireHomes(): void {
    for (const [shard, url] of this.#required) {
      const isKnown = shard < this.shards.count;
      if (this.#isLost(shard)) throw lostShard(url, isKnown ? `shard ${shard}, which` : 'a shard that');
    }
  }

  isOutOfReach(page: number): boolean {
    return this.#isLost(this.homes[page]!);
  }

  #isLost(shard: number): boolean {
    if (shard < this.shards.count) return this.shards.isLost(shard);
    this.missUnknown();
    return true;
  }

  async page(page: number): Promise<StoredPage> {
    const own = await this.ofHome(page, 'page', page);
    const named = own ?? (await this.#namedElsewhere(page));
    return { ...UNREAD, fullTitle: named.title, ...named, id: page, siteId: this.#siteId(named.site) };
  }

  named(page: number): Promise<NamedPage> {
    return keptIn(this.#named, page, () => this.#name(page));
  }

  async #name(page: number): Promise<NamedPage> {
    const home = this.homes[page]!;
    const named = home < this.shards.count ? await this.shards.readIfThere(home, 'named', page) : undefined;
    return named ?? this.#namedElsewhere(page);
  }

  /** Of a page whose shard is lost, another shard that lists it knows the name. */
  async #namedElsewhere(page: number): Promise<NamedPage> {
    const others = [...this.shards.known.keys()].filter((shard) => shard !== this.homes[page]);
    const said = await Promise.all(others.map((shard) => this.shards.readIfThere(shard, 'named', page)));
    const named = said.find((one) => one);
    if (named === undefined) this.missLost();
    return named ?? { id: page, ...NO_NAME };
  }

  async heads(pageIds: ArrayLike<number>): Promise<Head[]> {
    const named = await Promise.all(Array.from(pageIds, (page) => this.named(page)));
    return named.map((page) => {
      checkedUrl(page.url);
      return { ...page, siteId: this.#siteId(page.site) };
    });
  }

  accepting(filter: StoredFilter): AcceptAll {
    const isByCard = readsWhat(filter, 'cards');
    const isByField = readsWhat(filter, 'fields');
    const heads = new Map<number, Head>();
    const cards = new Map<number, PageCard | null>();
    const fields = new Map<number, PageFields>();
    const accept = acceptBy(filter, {
      url: (page) => heads.get(page)!.url,
      lang: (page) => heads.get(page)!.lang,
      fetched: (page) => heads.get(page)!.fetched,
      site: (page) => heads.get(page)!.siteId,
      findSite: (name) => this.#siteId(name),
      card: (page) => cards.get(page)!,
      hasField: (name, tests) => (page) => passes(fields.get(page)!, name, tests),
      idHere: (page) => page,
    });
    return async (given) => {
      const pages = Array.from(given);
      const [ofPages, said, own] = await Promise.all([
        this.heads(pages),
        isByCard ? Promise.all(pages.map((page) => this.pageCard(page))) : [],
        isByField ? Promise.all(pages.map((page) => this.pageFields(page))) : [],
      ]);
      for (const [i, page] of pages.entries()) {
        heads.set(page, ofPages[i]!);
        cards.set(page, said[i] ?? null);
        fields.set(page, own[i] ?? {});
      }
      const passes = pages.map(accept);
      for (const known of [heads, cards, fields]) known.clear();
      return passes;
    };
  }

  async siteId(name: string): Promise<number> {
    return this.#siteId(name);
  }

  /** A site that no page is of has a number, too. */
  #siteId(name: string): number {
    return numberIn(this.state.sites, name);
  }

  /** A site may have pages in several shards. */
  async siteTotal(): Promise<number> {
    return this.found.by(
      'site total',
      this,
      () => 8,
      async () => (await this.siteCounts()).length,
    );
  }

  neighbors(relationId: number, page: number): Promise<NeighborList> {
    return this.atHome(page, NO_NEIGHBORS, 'neighbors', relationId, page);
  }

  async captures(page: number): Promise<ReadResult<'captures'>> {
    const captures = await this.atHome(page, [], 'captures', page);
    const home = this.homes[page]!;
    return captures.map((capture) => ({ ...capture, versionId: this.versionId(home, capture.versionId) }));
  }

  async allLinks(): Promise<AllLinks> {
    const shards = await this.ofAll(NO_LINKS, 'allLinks');
    return packedLinks([...this.#linkRows(shards)], goneOf(shards));
  }

  /** In the order of pages. */
  *#linkRows(shards: readonly AllLinks[]): IterableIterator<{ pageId: number; targets: Uint32Array }> {
    const next = shards.map(() => 0);
    for (let pageId = 0; pageId < this.homes.length; pageId++) {
      const home = this.homes[pageId]!;
      const links = shards[home];
      if (links === undefined || links.pages[next[home]!] !== pageId) continue;
      const at = next[home]!++;
      yield { pageId, targets: links.targets.subarray(at === 0 ? 0 : links.ends[at - 1]!, links.ends[at]!) };
    }
  }

  linkGraph(): Promise<LinkGraph> {
    return this.state.linkGraph();
  }

  /** What `linkGraph` keeps. Errors  Problem `shard-unavailable`. */
  async readGraph(): Promise<LinkGraph> {
    const shards = await this.ofAll(NO_LINKS, 'allLinks');
    // Links of which a part is missing would be taken for all there are.
    if (this.lost.length > 0)
      throw new Problem('shard-unavailable', `the links of shard ${this.lost.join(', ')} cannot be read now`);
    const builder = new LinkGraphBuilder(this.facts.pageCount);
    for (const { pageId, targets } of this.#linkRows(shards)) builder.add(pageId, targets);
    return builder.graph(goneOf(shards));
  }

  async successor(page: number): Promise<number> {
    let end = page;
    const met = [page];
    for (let step = 0; step < MAX_STEPS; step++) {
      const next = await this.atHome(end, end, 'successor', end);
      if (next === end) return end;
      // Of a circle the first stands for all.
      if (met.includes(next)) return Math.min(...met.slice(met.indexOf(next)));
      met.push(next);
      end = next;
    }
    return end;
  }

  async nearestUrls(url: string, count: number): Promise<ReadResult<'nearestUrls'>> {
    const found = (await this.ofAll([], 'nearestUrls', url, count)).flat();
    found.sort((a, b) => a.pageId - b.pageId);
    const before = found.filter((page) => page.url < url).slice(-count);
    const behind = found.filter((page) => page.url > url).slice(0, count);
    return mostAlike([...before, ...behind], url).slice(0, count);
  }

  async nearest(query: NearestQuery): Promise<NeighborList> {
    const relation = this.facts.card.relations.find(({ id }) => id === query.relationId)!;
    const found = await this.ofAll(NO_NEIGHBORS, 'nearest', query);
    return mergedNearest(found, query.count, candidatesBy(relation, query.by));
  }

  async nearestVectors(query: NearestVectorsQuery): Promise<NeighborList> {
    return mergedNearest(await this.ofAll(NO_NEIGHBORS, 'nearestVectors', query), query.count);
  }

  /** Errors  Error: an index of signatures is not split. */
  async printed(): Promise<NeighborList> {
    throw new Error('shards have no signatures');
  }
}

function goneOf(shards: readonly AllLinks[]): Uint32Array {
  return Uint32Array.from(shards.flatMap(({ gone }) => [...gone])).sort();
}

function lostShard(url: string, which: string): Problem {
  return new Problem('shard-unavailable', `${cutText(url, 300)} belongs to ${which} cannot be asked now`);
}
