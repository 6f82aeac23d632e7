import { lookupCount } from '../../../sketch/lookup-keys.ts';
import type { SearchOrder } from '../../../store/read/search/search-reader.ts';
import type { VersionRecord } from '../../../store/records.ts';
import type { LocalIndex } from '../file/local-index.ts';
import { mergedCounts, mergedFound, mostFrequent } from '../merged-search.ts';
import type { AskedWord, ReadResult } from '../read-table.ts';
import { NO_VERSION, type Reads } from '../reads.ts';
import type { Work } from '../work.ts';
import type { BlendedLists } from './blended-lists.ts';
import type { HiddenMembers } from './hidden-members.ts';
import type { LiveLists } from './live-lists.ts';
import type { PageSaid } from './page-said.ts';
import type { Segment, SegmentPage } from './segment.ts';
import type { SegmentSearch } from './segment-search.ts';

/** What all reads of one thread share. */
export interface LiveParts {
  readonly segment: Segment;
  readonly search: SegmentSearch;
  readonly hiddenMembers: HiddenMembers;
  /** Null in an index without exact lists of nearest bags. */
  readonly lists: LiveLists | null;
  /** In place of them, where lists go by vectors, too, and of pages that wait where neighbors lend words; else null. */
  readonly blended: BlendedLists | null;
}

/** To count the keys that a text shares. */
const SHARED_US = 1;

/** Texts of an index and of the pages that wait: each of these has a version of its own, numbered behind those of the index. */
export abstract class LiveTexts {
  readonly work: Work;
  /** Of the index alone. */
  protected readonly base: Reads;
  protected readonly segment: Segment;
  protected readonly hiddenMembers: HiddenMembers;
  readonly #search: SegmentSearch;

  abstract idOf(url: string): Promise<number>;

  constructor(index: LocalIndex, { segment, search, hiddenMembers }: LiveParts, work?: Work) {
    this.base = index.readsOf(work, (page) => segment.isHidden(page));
    this.work = this.base.work;
    this.segment = segment;
    this.hiddenMembers = hiddenMembers;
    this.#search = search;
  }

  async captures(page: number): Promise<ReadResult<'captures'>> {
    const own = this.segment.at(page);
    const before = this.segment.isNew(page) ? [] : await this.base.captures(page);
    return own === undefined || own.said === null ? before : [...before, this.#captureOf(own, own.said)];
  }

  #captureOf({ place, fetchedAtMs }: SegmentPage, { facts, version }: PageSaid) {
    const { mediaType, bodyBytes } = facts;
    const { id: sweepId, name: sweep } = this.segment.facts.sweeps.at(-1)!;
    const versionId = version === null ? -1 : this.segment.versionCount + place;
    return { sweepId, sweep, fetchedAtMs, mediaType, charset: 'utf-8', bodyBytes, versionId };
  }

  saidLinks(page: number): string[] | null {
    return this.segment.at(page)?.said?.links ?? null;
  }

  /** What links to a page is known at the fold; what it links to at once. */
  async links(page: number): Promise<Uint32Array> {
    const said = this.saidLinks(page);
    if (said === null) return this.segment.isNew(page) ? new Uint32Array(0) : this.base.links(page);
    const ids = await Promise.all(said.map((url) => this.idOf(url)));
    return Uint32Array.from(new Set(ids.filter((id) => id >= 0 && id !== page))).sort();
  }

  async version(version: number): Promise<VersionRecord> {
    if (version < this.segment.versionCount) return this.base.version(version);
    return { ...(this.segment.ofVersion(version)?.said?.version ?? NO_VERSION), id: version };
  }

  async sketch(version: number): Promise<ReadResult<'sketch'>> {
    return version < this.segment.versionCount ? this.base.sketch(version) : this.version(version);
  }

  async versionText(version: number): Promise<ReadResult<'versionText'>> {
    if (version < this.segment.versionCount) return this.base.versionText(version);
    const said = this.segment.ofVersion(version)?.said ?? null;
    const text = said?.text ?? null;
    return text === null ? null : { title: said!.facts.title, text };
  }

  async currentVersion(page: number): Promise<number> {
    const own = this.segment.at(page);
    if (own !== undefined && own.said !== null)
      return own.said.version === null ? -1 : this.segment.versionCount + own.place;
    return this.segment.isNew(page) ? -1 : this.base.currentVersion(page);
  }

  async currentText(page: number): Promise<VersionRecord | null> {
    const version = await this.currentVersion(page);
    return version < 0 ? null : this.version(version);
  }

  async currentPages(version: number, limit: number): Promise<ReadResult<'currentPages'>> {
    const { segment } = this;
    if (version >= segment.versionCount) {
      const own = segment.ofVersion(version);
      return { pageIds: own === undefined || own.said === null ? [] : [own.id], moreCount: 0 };
    }
    let found = await this.base.currentPages(version, limit + segment.hiddenCount);
    // Which of the others are hidden is known of each alone.
    if (found.moreCount > 0 && segment.hiddenCount > 0)
      found = await this.base.currentPages(version, found.pageIds.length + found.moreCount);
    const pageIds = found.pageIds.filter((page) => !segment.isHidden(page));
    return {
      pageIds: pageIds.slice(0, limit),
      moreCount: found.moreCount + Math.max(0, pageIds.length - limit),
    };
  }

  async pagesOfText(textDigest: string): Promise<ReadResult<'pagesOfText'>> {
    const { pages, sweepId } = this.segment;
    const own = pages.filter(({ said }) => said?.facts.textDigest === textDigest);
    return [...(await this.base.pagesOfText(textDigest)), ...own.map(({ id }) => ({ pageId: id, sweepId }))];
  }

  // The process that takes pages has the files of all shards.
  readonly requireHome = () => {};
  readonly isOutOfReach = () => false;

  isNearWaiting(keys: Float64Array): boolean {
    const { pages } = this.segment;
    this.work.spend(pages.length * SHARED_US);
    return pages.some(({ said }) => said !== null && sharedKeys(keys, said.sketchKeys) > 0);
  }

  async searchCounts(words: readonly AskedWord[]): Promise<ReadResult<'searchCounts'>> {
    return mergedCounts([await this.base.searchCounts(words), this.#search.counts(words)]);
  }

  async search(order: SearchOrder): Promise<ReadResult<'search'>> {
    return mergedFound(order, [await this.base.search(order), this.#search.find(order)]);
  }

  async frequentWords(start: string, limit: number): Promise<ReadResult<'frequentWords'>> {
    const first = await this.base.frequentWords(start, limit);
    return mostFrequent(this, [...first.map(({ word }) => word), ...this.#search.from(start)], limit);
  }

  async withShingle(keys: Float64Array): Promise<ReadResult<'withShingle'>> {
    const found = await this.base.withShingle(keys);
    const { pages, versionCount } = this.segment;
    this.work.spend(pages.length * SHARED_US);
    const own = pages.flatMap(({ said, place }) => {
      const shared = said === null ? 0 : sharedKeys(keys, said.sketchKeys);
      return shared === 0 ? [] : [{ versionId: versionCount + place, shared }];
    });
    if (own.length === 0) return found;
    const all = Array.from(found.versionIds, (versionId, i) => ({ versionId, shared: found.shared[i]! }));
    all.push(...own);
    all.sort((a, b) => b.shared - a.shared || a.versionId - b.versionId);
    return {
      versionIds: Uint32Array.from(all, ({ versionId }) => versionId),
      shared: Uint32Array.from(all, ({ shared }) => shared),
      unreadCount: found.unreadCount,
    };
  }
}

/** How many of some keys are among those that a text is looked up by; both ascend. */
function sharedKeys(keys: Float64Array, own: Float64Array): number {
  const end = lookupCount(own);
  let shared = 0;
  for (let i = 0, j = 0; i < keys.length && j < end; ) {
    const [a, b] = [keys[i]!, own[j]!];
    if (a === b) shared++;
    if (a <= b) i++;
    if (b <= a) j++;
  }
  return shared;
}
