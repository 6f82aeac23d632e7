import { newestFirst } from '../../../store/read/pages/recent-pages.ts';
import type { SearchOrder } from '../../../store/read/search/search-reader.ts';
import type { VersionRecord } from '../../../store/records.ts';
import { sum } from '../merge.ts';
import { mergedCounts, mergedFound, mergedSites, mostFrequent } from '../merged-search.ts';
import type { AskedWord, ReadResult } from '../read-table.ts';
import { UnionClusters } from './union-clusters.ts';

/** How many more words are named in the next round. */
const DEEPER = 4;

/** Texts and full-text search of several shards as those of one index. */
export class UnionTexts extends UnionClusters {
  /** Versions are numbered shard by shard; a text that two shards have is two versions. -1 stays -1. */
  protected versionId(shard: number, version: number): number {
    return version < 0 ? -1 : this.state.union.versionStarts[shard]! + version;
  }

  async currentText(page: number): Promise<VersionRecord | null> {
    const version = await this.atHome(page, null, 'currentText', page);
    return version && { ...version, id: this.versionId(this.homes[page]!, version.id) };
  }

  async currentVersion(page: number): Promise<number> {
    return this.versionId(this.homes[page]!, await this.atHome(page, -1, 'currentVersion', page));
  }

  async pagesOfText(textDigest: string): Promise<ReadResult<'pagesOfText'>> {
    if (textDigest === '') return [];
    const found = (await this.ofAll([], 'pagesOfText', textDigest)).flat();
    return found.sort((a, b) => a.pageId - b.pageId || a.sweepId - b.sweepId);
  }

  /** Each shard that has a page of the host has all of it. */
  async template(host: string): Promise<Float64Array> {
    const said = await Promise.all(
      Array.from(this.shards.known.keys(), (shard) => this.shards.readIfThere(shard, 'template', host)),
    );
    const found = said.find((keys) => keys !== undefined && keys.length > 0);
    if (found === undefined) this.missLost();
    return found ?? new Float64Array(0);
  }

  async withShingle(keys: Float64Array): Promise<ReadResult<'withShingle'>> {
    const none = { versionIds: new Uint32Array(0), shared: new Uint32Array(0), unreadCount: 0 };
    const found = await this.ofAll(none, 'withShingle', keys);
    const all = found.flatMap(({ versionIds, shared }, shard) =>
      Array.from(versionIds, (version, i) => ({ id: this.versionId(shard, version), shared: shared[i]! })),
    );
    all.sort((a, b) => b.shared - a.shared || a.id - b.id);
    return {
      versionIds: Uint32Array.from(all, ({ id }) => id),
      shared: Uint32Array.from(all, ({ shared }) => shared),
      unreadCount: Math.max(...found.map(({ unreadCount }) => unreadCount)),
    };
  }

  async searchCounts(words: readonly AskedWord[]): Promise<ReadResult<'searchCounts'>> {
    const nothing = { pageCount: 0, longerPageCount: 0, similar: [], typos: 0 };
    const none = { pageCount: 0, wordCount: 0, words: words.map(() => nothing) };
    return mergedCounts(await this.ofAll(none, 'searchCounts', words));
  }

  /** Each shard weighs its pages by what the order says of all. */
  async search(order: SearchOrder): Promise<ReadResult<'search'>> {
    const none = { pages: [], total: 0, facets: {} };
    return mergedFound(order, await this.ofAll(none, 'search', order));
  }

  async siteCounts(): Promise<ReadResult<'siteCounts'>> {
    return mergedSites((await this.ofAll([], 'siteCounts')).flat());
  }

  async sitePages(site: string, from: number, limit: number): Promise<Uint32Array> {
    const found = await this.ofAll(new Uint32Array(0), 'sitePages', site, from, limit);
    const all = Uint32Array.from(found.flatMap((ids) => [...ids])).sort();
    return all.subarray(0, limit);
  }

  async recent(count: number): Promise<ReadResult<'recent'>> {
    const found = (await this.ofAll([], 'recent', count)).flat();
    return found.sort(newestFirst).slice(0, count);
  }

  /** Each shard names its first words, more of them until none that it does not name can be among those of all. */
  async frequentWords(start: string, limit: number): Promise<ReadResult<'frequentWords'>> {
    for (let depth = limit; ; depth *= DEEPER) {
      const found = await this.ofAll([], 'frequentWords', start, depth);
      const words = found.flatMap((list) => list.map(({ word }) => word));
      const most = await mostFrequent(this, words, limit);
      const unnamed = sum(found, (list) => (list.length < depth ? 0 : list.at(-1)!.pageCount));
      if (unnamed === 0 || most.at(-1)!.pageCount > unnamed) return most;
    }
  }
}
