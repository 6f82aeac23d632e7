/**
 * Pages that wait for a fold, in memory beside the index that they will be folded into; each thread that answers has one.
 *
 *   ids       0 .. n-1 of the index; n .. of pages that it has not. A changed page keeps its id.
 *   hidden    pages of the index that are changed or gone: what it says of them counts no more
 *   added     page -> pages that wait and are among its nearest, by the rule of its stored list (added-lists.ts)
 *
 * A list of the index without its hidden pages, together with what was added to it, is all that is at least as near as its last
 * neighbor: so it is a beginning of the list that a search would find, and no search is needed unless it has become too short.
 */

import type { Bag } from '../../../features/bag.ts';
import { Bm25Nearness } from '../../../join/bm25/bm25.ts';
import { sharedOf } from '../../../join/exact/weighted-jaccard.ts';
import { goneAmong, type LinkGraph, type LinkRows } from '../../../join/links/link-graph.ts';
import { JaccardNearness, type PairNearness } from '../../../join/pairs/nearness.ts';
import type { NeighborList } from '../../../join/pairs/neighbor-table.ts';
import type { PageFields } from '../../../page/fields/page-fields.ts';
import { candidatesBy } from '../../../relations/kernels.ts';
import {
  COVERS_NOTHING,
  type FieldRecord,
  type RelationRecord,
  type StoredSweep,
} from '../../../store/records.ts';
import { siteOf } from '../../../url/site.ts';
import { textHash } from '../../http/question/request-key.ts';
import { pageName } from '../../snapshot/page-record.ts';
import { IndexFacts, LIVE_SWEEP } from '../facts.ts';
import type { LocalIndex } from '../file/local-index.ts';
import { Found } from '../found.ts';
import { AddedLists, type AddedPage, type Candidate } from './added-lists.ts';
import { PageSaid } from './page-said.ts';
import type { PendingPage } from './pending-page.ts';
import { BagPostings } from './postings/bag-postings.ts';
import { Bm25Postings } from './postings/bm25-postings.ts';
import { SegmentVectors } from './segment-vectors.ts';

const JACCARD = new JaccardNearness();

/** Numbers of sites that the index has not begin here. */
const FIRST_NEW_SITE = 2 ** 30;

/** A page of the segment, which it stays when it is changed or gone. */
export interface SegmentPage {
  /** 0 .. */
  readonly place: number;
  readonly id: number;
  readonly siteId: number;
  url: string;
  fetchedAtMs: number;
  /** Null of a page that is gone. */
  said: PageSaid | null;
  /** As `pageName` says; null until it is asked for. */
  name: Buffer | null;
}

/** What was written, up to a number. */
export interface SegmentChange {
  readonly pages: readonly PendingPage[];
  readonly sequence: number;
  /** How many pages are in the segment of those behind that number, though not all of them are; 0 for none. */
  readonly beyond: number;
  /** Id of the journal that numbers them. */
  readonly journal: string;
}

export class Segment {
  readonly pageCount: number;
  readonly versionCount: number;
  /** Of lists of nearest bags; null in an index that has none. */
  readonly relation: RelationRecord | null;
  readonly postings = new BagPostings();
  /** To lists of nearest bags; null in an index that has none. */
  readonly added: AddedLists | null;
  sequence = 0;
  beyond = 0;
  #journal = '';
  changedMs = 0;
  readonly #index: LocalIndex;
  readonly #hidden: Uint8Array;
  #hiddenCount = 0;
  readonly #pages: SegmentPage[] = [];
  readonly #byUrl = new Map<string, SegmentPage>();
  readonly #byId = new Map<number, SegmentPage>();
  readonly #vectors = new SegmentVectors();
  /** Made when the first page waits: all features of the index are read for it. */
  #bm25: { readonly postings: Bm25Postings; readonly pair: PairNearness } | null = null;
  readonly #sites = new Map<string, number>();
  /** Names of fields that the index has not met; they stay until the fold. */
  readonly #newFields = new Map<string, FieldRecord>();
  #newCount = 0;
  #state: { readonly facts: IndexFacts; readonly found: Found } | null = null;
  /** As `withRows` has made them. */
  #links: { readonly of: LinkGraph; readonly newCount: number; readonly graph: LinkGraph } | null = null;

  constructor(index: LocalIndex) {
    const { facts } = index;
    this.#index = index;
    this.pageCount = facts.pageCount;
    this.versionCount = facts.versionCount;
    this.relation = facts.words?.measure === 'exact' ? facts.words : null;
    this.#hidden = new Uint8Array(facts.pageCount);
    const { relation } = this;
    const idAt = (place: number) => this.#pages[place]!.id;
    this.added = relation && new AddedLists(candidatesBy(relation), relation.neighborLimit, idAt);
  }

  get facts(): IndexFacts {
    return (this.#state ??= this.#newState()).facts;
  }

  get found(): Found {
    return (this.#state ??= this.#newState()).found;
  }

  get pages(): readonly SegmentPage[] {
    return this.#pages;
  }

  /** Null where the kernel of the index is another one. */
  get bm25(): Bm25Postings | null {
    return this.#ofBm25()?.postings ?? null;
  }

  /** By the kernel of the index. */
  get pair(): PairNearness {
    return this.#ofBm25()?.pair ?? JACCARD;
  }

  #ofBm25() {
    if (this.relation === null || candidatesBy(this.relation) !== 'nearness') return null;
    if (this.#bm25 !== null) return this.#bm25;
    const facts = this.#index.bm25Facts(this.relation.id);
    return (this.#bm25 = { postings: new Bm25Postings(facts), pair: new Bm25Nearness(facts) });
  }

  get vectors(): SegmentVectors {
    return this.#vectors;
  }

  get hiddenCount(): number {
    return this.#hiddenCount;
  }

  /** Id of the sweep that stands for what waits. */
  get sweepId(): number {
    return (this.#index.facts.sweeps.at(-1)?.id ?? 0) + 1;
  }

  /** What makes another segment of this state. */
  all(): SegmentChange {
    const pages = this.#pages.map(({ id, url, fetchedAtMs, said }) => {
      return { pageId: id < this.pageCount ? id : -1, url, fetchedAtMs, said: said?.memory ?? null };
    });
    return { pages, sequence: this.sequence, beyond: this.beyond, journal: this.#journal };
  }

  at(id: number): SegmentPage | undefined {
    // Nearly all pages of a list are of the index: no look into the map.
    return this.#hidden[id] === 0 ? undefined : this.#byId.get(id);
  }

  find(url: string): SegmentPage | undefined {
    return this.#byUrl.get(url);
  }

  /** The page whose text is a version of the segment. */
  ofVersion(versionId: number): SegmentPage | undefined {
    return this.#pages[versionId - this.versionCount];
  }

  /** Whether the index has no page of this id. */
  isNew(id: number): boolean {
    return id >= this.pageCount;
  }

  isHidden(id: number): boolean {
    return this.#hidden[id] === 1;
  }

  isGone(id: number): boolean {
    return this.at(id)?.said === null;
  }

  /** Sites that the index has no page of. */
  get newSiteCount(): number {
    return this.#sites.size;
  }

  /** Number of a site; -1 where neither the index nor a page that waits is of it. */
  siteId(name: string): number {
    return this.#sites.get(name) ?? this.#index.siteId(name);
  }

  /** The links of the index, with a row for each page that is new; made anew when there is a next one. */
  withRows(links: LinkGraph): LinkGraph {
    if (this.#newCount === 0) return links;
    const { of, newCount, graph } = this.#links ?? {};
    if (of === links && newCount === this.#newCount) return graph!;
    const longer = { ...links, out: this.#rows(links.out), in: this.#rows(links.in) };
    this.#links = { of: links, newCount: this.#newCount, graph: longer };
    return longer;
  }

  /** A page that waits may be back, or be gone now. */
  goneIn(links: LinkGraph): (page: number) => boolean {
    const inIndex = goneAmong(links);
    return (page) => (this.at(page) === undefined ? inIndex?.(page) === true : this.isGone(page));
  }

  #rows({ ends, ids }: LinkRows): LinkRows {
    const longer = new Uint32Array(ends.length + this.#newCount).fill(ends.at(-1)!);
    longer.set(ends);
    return { ends: longer, ids };
  }

  apply({ pages, sequence, beyond, journal }: SegmentChange): void {
    for (const page of pages) this.#put(page);
    this.sequence = sequence;
    this.beyond = beyond;
    this.#journal = journal;
    this.changedMs = Date.now();
    this.#state = null;
  }

  #put({ url, pageId, fetchedAtMs, said }: PendingPage): void {
    // Not kept: what it has read would stay in memory.
    const read = said === null ? null : new PageSaid(said);
    const page = this.#byUrl.get(url) ?? this.#newPage(url, pageId);
    if (page.said !== null) this.#withdraw(page, page.said);
    page.fetchedAtMs = fetchedAtMs;
    page.said = said === null ? null : new PageSaid(said);
    page.name = null;
    this.#vectors.put(page.id, read?.facts.vectors ?? '');
    if (read === null) return;
    this.#meetFields(read.facts.fields);
    this.#enter(page, read);
  }

  #meetFields(fields: PageFields): void {
    for (const name of Object.keys(fields)) {
      if (this.#newFields.has(name) || this.#index.facts.card.fields.some((known) => known.name === name))
        continue;
      this.#newFields.set(name, { name, kind: null, pageCount: 0 });
    }
  }

  /** As it is shown: what the titles of a host have in common is known of a title that the index has, else at the fold. */
  titleOf({ id }: Pick<SegmentPage, 'id'>, title: string): string {
    if (this.isNew(id)) return title;
    const before = this.#index.page(id);
    return before.fullTitle === title ? before.title : title;
  }

  nameOf(page: SegmentPage): Buffer {
    if (page.name !== null) return page.name;
    const { url, said } = page;
    const title = said === null ? '' : this.titleOf(page, said.facts.title);
    return (page.name = Buffer.from(pageName({ url, title })));
  }

  #newPage(url: string, pageId: number): SegmentPage {
    const id = pageId >= 0 ? pageId : this.pageCount + this.#newCount++;
    const site = siteOf(url);
    let siteId = this.siteId(site);
    if (siteId < 0) this.#sites.set(site, (siteId = FIRST_NEW_SITE + this.#sites.size));
    const page = {
      place: this.#pages.length,
      id,
      siteId,
      url,
      fetchedAtMs: 0,
      said: null,
      name: null,
    };
    this.#pages.push(page);
    this.#byUrl.set(url, page);
    this.#byId.set(id, page);
    if (pageId >= 0) {
      this.#hidden[pageId] = 1;
      this.#hiddenCount++;
      // By the text that it had.
      this.added?.clear(id);
    }
    return page;
  }

  #enter(page: SegmentPage, { bag, nearest, reached }: PageSaid): void {
    const { relation, added } = this;
    if (relation === null || added === null || nearest === null) return;
    const { id, place } = page;
    const least = leastOf(nearest, relation);
    if (this.bm25 === null) this.#meetSimilar(page, bag, least, relation.floor, added);
    else this.#meetByBm25(page, bag, least, this.bm25, added);
    const { ids, shared, total, nearness } = reached;
    for (let i = 0; i < ids.length; i++) {
      if (this.isHidden(ids[i]!)) continue;
      const figures = { shared: shared[i]!, total: total[i]!, nearness: nearness[i]! };
      if (added.keeps(ids[i]!, { near: added.nearOf(figures), id }))
        added.add(ids[i]!, { place, ...figures });
    }
    const kept = Math.max(least, added.boundOf(id)?.near ?? 0);
    this.postings.add(place, bag, kept);
    this.bm25?.add(place, bag, kept);
  }

  #meetSimilar(page: SegmentPage, bag: Bag, least: number, floor: number, added: AddedLists): void {
    JACCARD.take(bag);
    const nearest: Candidate<Omit<AddedPage, 'nearness'>>[] = [];
    const withNearness = (page: Omit<AddedPage, 'nearness'>) => {
      const { bag: other } = this.#pages[page.place]!.said!;
      return { ...page, nearness: JACCARD.of(other, page.shared / page.total) };
    };
    this.postings.meet(bag, { floor, least }, (place, shared, total) => {
      const near = shared / total;
      const met = { place, shared, total };
      const { id } = this.#pages[place]!;
      if (near >= least) nearest.push({ near, id, page: met });
      if (near >= this.postings.leastAt(place) && added.keeps(id, { near, id: page.id }))
        this.#add(this.#pages[place]!, { ...withNearness(met), place: page.place }, added);
    });
    added.fill(page.id, nearest, withNearness);
  }

  /** How near one is to the other is not how near that is to the one. */
  #meetByBm25(page: SegmentPage, bag: Bag, least: number, postings: Bm25Postings, added: AddedLists): void {
    for (const { place: otherPlace, near, back } of postings.meet(bag)) {
      const other = this.#pages[otherPlace]!;
      const isNear = near >= least && added.keeps(page.id, { near, id: other.id });
      const isNearBack =
        back > 0 &&
        back >= postings.leastAt(otherPlace) &&
        added.keeps(other.id, { near: back, id: page.id });
      if (!isNear && !isNearBack) continue;
      const figures = sharedOf(bag, other.said!.bag);
      if (isNear) this.#add(page, { place: otherPlace, ...figures, nearness: near }, added);
      if (isNearBack) this.#add(other, { place: page.place, ...figures, nearness: back }, added);
    }
  }

  #add({ id, place }: SegmentPage, page: AddedPage, added: AddedLists): void {
    if (!added.add(id, page)) return;
    const { near } = added.boundOf(id)!;
    this.postings.raise(place, near);
    this.bm25?.raise(place, near);
  }

  #withdraw({ id, place }: SegmentPage, { bag, reached }: PageSaid): void {
    const added = this.added;
    if (this.relation === null || added === null) return;
    const leave = (other: number) => added.remove(this.#pages[other]!.id, place);
    this.postings.remove(place, bag);
    this.bm25?.remove(place, bag);
    added.clear(id);
    if (this.bm25 === null) {
      const { floor } = this.relation;
      this.postings.meet(bag, { floor, least: Number.POSITIVE_INFINITY }, leave);
    } else for (const met of this.bm25.meet(bag)) leave(met.place);
    for (const other of reached.ids) added.remove(other, place);
  }

  #newState(): { facts: IndexFacts; found: Found } {
    const { record, facts } = this.#index;
    if (this.#pages.length === 0) return { facts, found: this.#index.found };
    const sweep: StoredSweep = {
      id: this.sweepId,
      name: LIVE_SWEEP,
      recordCount: this.#pages.length,
      startedAtMs: this.#pages[0]!.fetchedAtMs,
      covered: COVERS_NOTHING,
    };
    const pageCount = this.pageCount + this.#newCount;
    const upTo = this.beyond === 0 ? this.sequence : `${this.sequence}+${this.beyond}`;
    const state = new IndexFacts({
      ...record,
      card: { ...record.card, fields: [...record.card.fields, ...this.#newFields.values()] },
      sweeps: [...record.sweeps, sweep],
      versionCount: this.versionCount + this.#pages.length,
      pageCount,
      ownPageCount: pageCount,
      state: `l-${textHash(`${facts.id} ${this.#journal} ${upTo}`)}`,
    });
    state.rules = facts.rules;
    return { facts: state, found: new Found() };
  }
}

/** How near a page must be to stand in a list, as far as its limit goes. */
function leastOf({ ids, shared, total, nearness }: NeighborList, relation: RelationRecord): number {
  const last = relation.neighborLimit - 1;
  if (ids.length <= last) return 0;
  return candidatesBy(relation) === 'nearness' ? nearness![last]! : shared[last]! / total[last]!;
}
