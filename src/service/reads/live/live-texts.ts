import { lookupCount } from '../../../sketch/lookup-keys.ts';
import type { SearchOrder } from '../../../store/read/search/search-reader.ts';
import type { VersionRecord } from '../../../store/records.ts';
import { FileReads } from '../file/file-reads.ts';
import type { OpenFile } from '../file/open-file.ts';
import { mergedCounts, mergedFound, mostFrequent } from '../merged-search.ts';
import type { AskedWord, ReadResult } from '../read-table.ts';
import type { Work } from '../work.ts';
import type { GoneMembers } from './gone-members.ts';
import type { LiveLists } from './live-lists.ts';
import type { PageSaid } from './page-said.ts';
import type { Segment, SegmentPage } from './segment.ts';
import type { SegmentSearch } from './segment-search.ts';

/** What all reads of one thread share. */
export interface LiveParts {
  readonly segment: Segment;
  readonly search: SegmentSearch;
  readonly gone: GoneMembers;
  /** Null in an index without exact lists of nearest bags. */
  readonly lists: LiveLists | null;
}

/** To count the keys that a text shares. */
const SHARED_US = 1;
const NO_VERSION: Omit<VersionRecord, 'id'> = {
  textDigest: '',
  tokenDigest: '',
  shingleDigest: '',
  tokenCount: 0,
  simhash: null,
  sketch: { keys: new Float64Array(0), limit: Number.POSITIVE_INFINITY, shingleCount: 0 },
};

/** Texts of an index and of the pages that wait: each of these has a version of its own, numbered behind those of the index. */
export class LiveTexts extends FileReads {
  protected readonly segment: Segment;
  protected readonly gone: GoneMembers;
  readonly #search: SegmentSearch;

  constructor(open: OpenFile, { segment, search, gone }: LiveParts, work?: Work) {
    super(open, work, undefined, segment.facts);
    this.segment = segment;
    this.gone = gone;
    this.#search = search;
  }

  protected override readonly isHidden = (page: number): boolean => this.segment.isHidden(page);

  override async captures(page: number): Promise<ReadResult<'captures'>> {
    const own = this.segment.at(page);
    const before = this.segment.isNew(page) ? [] : await super.captures(page);
    return own === undefined || own.said === null ? before : [...before, this.#captureOf(own, own.said)];
  }

  #captureOf({ place, fetchedAtMs }: SegmentPage, { facts, version }: PageSaid) {
    const { mediaType, bodyBytes } = facts;
    const { id: sweepId, name: sweep } = this.facts.sweeps.at(-1)!;
    const versionId = version === null ? -1 : this.segment.versionCount + place;
    return { sweepId, sweep, fetchedAtMs, mediaType, charset: 'utf-8', bodyBytes, versionId };
  }

  override async version(version: number): Promise<VersionRecord> {
    if (version < this.segment.versionCount) return super.version(version);
    return { ...(this.segment.ofVersion(version)?.said?.version ?? NO_VERSION), id: version };
  }

  override async sketch(version: number): Promise<ReadResult<'sketch'>> {
    return version < this.segment.versionCount ? super.sketch(version) : this.version(version);
  }

  override async versionText(version: number): Promise<ReadResult<'versionText'>> {
    if (version < this.segment.versionCount) return super.versionText(version);
    const said = this.segment.ofVersion(version)?.said ?? null;
    const text = said?.text ?? null;
    return text === null ? null : { title: said!.facts.title, text };
  }

  override async currentVersion(page: number): Promise<number> {
    const own = this.segment.at(page);
    if (own !== undefined && own.said !== null)
      return own.said.version === null ? -1 : this.segment.versionCount + own.place;
    return this.segment.isNew(page) ? -1 : super.currentVersion(page);
  }

  override async currentText(page: number): Promise<VersionRecord | null> {
    const version = await this.currentVersion(page);
    return version < 0 ? null : this.version(version);
  }

  override async currentPages(version: number, limit: number): Promise<ReadResult<'currentPages'>> {
    const { segment } = this;
    if (version >= segment.versionCount) {
      const own = segment.ofVersion(version);
      return { pageIds: own === undefined || own.said === null ? [] : [own.id], moreCount: 0 };
    }
    const found = await super.currentPages(version, limit + segment.hiddenCount);
    const pageIds = found.pageIds.filter((page) => !segment.isHidden(page));
    return {
      pageIds: pageIds.slice(0, limit),
      moreCount: found.moreCount + Math.max(0, pageIds.length - limit),
    };
  }

  override async pagesOfText(textDigest: string): Promise<ReadResult<'pagesOfText'>> {
    const { pages, sweepId } = this.segment;
    const own = pages.filter(({ said }) => said?.facts.textDigest === textDigest);
    return [...(await super.pagesOfText(textDigest)), ...own.map(({ id }) => ({ pageId: id, sweepId }))];
  }

  override isNearWaiting(keys: Float64Array): boolean {
    const { pages } = this.segment;
    this.work.spend(pages.length * SHARED_US);
    return pages.some(({ said }) => said !== null && sharedKeys(keys, said.sketchKeys) > 0);
  }

  override async searchCounts(words: readonly AskedWord[]): Promise<ReadResult<'searchCounts'>> {
    return mergedCounts([await super.searchCounts(words), this.#search.counts(words)]);
  }

  override async search(order: SearchOrder): Promise<ReadResult<'search'>> {
    return mergedFound(order, [await super.search(order), this.#search.find(order)]);
  }

  override async frequentWords(start: string, limit: number): Promise<ReadResult<'frequentWords'>> {
    return mostFrequent([...(await super.frequentWords(start, limit)), ...this.#search.from(start)], limit);
  }

  override async withShingle(keys: Float64Array): Promise<ReadResult<'withShingle'>> {
    const found = await super.withShingle(keys);
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
