import type { Bag } from '../../../features/bag.ts';
import type { Bm25Facts } from '../../../join/bm25/bm25.ts';
import type { Reach } from '../../../join/exact/reach.ts';
import { type NeighborList, ratedList } from '../../../join/pairs/neighbor-table.ts';
import { candidatesBy } from '../../../relations/kernels.ts';
import { bm25Facts } from '../../../store/read/stored/stored-kernel.ts';
import type { ClusterRecord, RelationRecord, StoredPage } from '../../../store/records.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Accept } from '../accept.ts';
import type { FactsRecord, IndexFacts } from '../facts.ts';
import type { Found } from '../found.ts';
import { mergedNearest } from '../merge.ts';
import type { Reads } from '../reads.ts';
import type { Work } from '../work.ts';
import type { OpenFile } from './open-file.ts';
import type { PageIds } from './page-ids.ts';

interface LocalFile {
  readonly file: OpenFile;
  /** By which its pages are asked for. */
  readonly ids: PageIds;
}

interface LocalParts {
  readonly record: FactsRecord;
  readonly facts: IndexFacts;
  readonly found: Found;
  readonly files: readonly LocalFile[];
  /** Number of the file that has a page. */
  homeOf(page: number): number;
  /** Number of a site by its name, and by its id in the first file. */
  siteIdOf(name: string, id: number): number;
  /** Reads of all files as one index; no search finds what is hidden. */
  readsOf(work: Work | undefined, isHidden: Accept): Reads;
}

/** An index whose files, one or those of all shards, this process has open: so what is read of a page is there at once. */
export class LocalIndex {
  readonly record: FactsRecord;
  readonly facts: IndexFacts;
  readonly found: Found;
  readonly readsOf: LocalParts['readsOf'];
  readonly #files: readonly LocalFile[];
  readonly #homeOf: LocalParts['homeOf'];
  readonly #siteIdOf: LocalParts['siteIdOf'];

  constructor({ record, facts, found, files, homeOf, siteIdOf, readsOf }: LocalParts) {
    this.record = record;
    this.facts = facts;
    this.found = found;
    this.readsOf = readsOf;
    this.#files = files;
    this.#homeOf = homeOf;
    this.#siteIdOf = siteIdOf;
  }

  /** Of the one file; null where there are several, or all is read from it. */
  get snapshot(): Snapshot | null {
    return this.#files.length === 1 ? this.#files[0]!.file.snapshot : null;
  }

  /** Of the first file. */
  get path(): string {
    return this.#files[0]!.file.reader.path;
  }

  /** The file of a page, and its place in it. */
  #at(page: number): LocalFile & { readonly place: number } {
    const { file, ids } = this.#files[this.#homeOf(page)]!;
    return { file, ids, place: ids.ownPlace(page) };
  }

  page(page: number): StoredPage {
    const { file, place } = this.#at(page);
    return file.reader.page(place);
  }

  isGone(page: number): boolean {
    const { file, place } = this.#at(page);
    return file.reader.isGone(place);
  }

  /** All that are stored, or the first ones; as `Reads.neighbors`. */
  neighbors(relationId: number, page: number, count = Number.POSITIVE_INFINITY): NeighborList {
    const { file, ids, place } = this.#at(page);
    const list = file.neighbors(relationId, place, count);
    return { ...list, ids: ids.idsOf(list.ids) };
  }

  /** Date of the last answer of a URL that has no page of its own: gone, a redirect, ...; `UNDATED_MS` where there is none. */
  otherDateMs(url: string): number {
    return Math.max(...this.#files.map(({ file }) => file.reader.input.otherDateMs(url)));
  }

  /** What the kernel bm25 of a relation knows of its words: the same in all files. */
  bm25Facts(relationId: number): Bm25Facts {
    return bm25Facts(this.#files[0]!.file.reader, relationId);
  }

  /** Clusters of all relations. */
  clusters(page: number): ClusterRecord[] {
    const { file, ids, place } = this.#at(page);
    const found = this.facts.card.relations.flatMap(({ id }) => file.reader.clusters.ofPage(id, place));
    return found.map((cluster) => ({ ...cluster, centerId: ids.idOf(cluster.centerId) }));
  }

  /** Number of a site, as pages have it; -1 where no page is of it. */
  siteId(name: string): number {
    const ids = this.#files.map(({ file }) => file.reader.sites().find(name));
    return ids.every((id) => id < 0) ? -1 : this.#siteIdOf(name, ids[0]!);
  }

  /** As `OpenFile.reach`. */
  reach(relation: RelationRecord, bag: Bag, skip: number): Reach {
    const all = this.#files.map(({ file, ids }) => {
      const { nearest, reached } = file.reach(relation, bag, skip < 0 ? -1 : ids.ownPlace(skip));
      return {
        nearest: { ...nearest, ids: ids.idsOf(nearest.ids) },
        reached: { ...reached, ids: ids.idsOf(reached.ids) },
      };
    });
    const [first] = all as [Reach];
    if (all.length === 1) return first;
    return {
      nearest: mergedNearest(
        all.map(({ nearest }) => nearest),
        relation.neighborLimit,
        candidatesBy(relation),
      ),
      reached: ascending(all.map(({ reached }) => reached)),
    };
  }
}

/** Lists of different pages as one, by page id. */
function ascending(lists: readonly NeighborList[]): NeighborList {
  const entries = lists.flatMap(({ ids, shared, total, nearness }) =>
    Array.from(ids, (id, at) => ({
      id,
      shared: shared[at]!,
      total: total[at]!,
      nearness: nearness?.[at] ?? 0,
    })),
  );
  return ratedList(entries.sort((a, b) => a.id - b.id));
}
