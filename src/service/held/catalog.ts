import type { NeighborSpan } from '../../join/pairs/neighbor-table.ts';
import type { RelationRecord } from '../../store/records.ts';
import type { JsonWriter } from '../http/json-writer.ts';
import type { StoredFilter } from '../shards/shard-reads.ts';

/** Whether a page may be in a list; what is asked of it, for shards that search for pages by themselves. */
export type Accept = ((pageId: number) => boolean) & { readonly filter?: StoredFilter };

/** What every answer asks of the pages; held in memory (`snapshot.ts`) or read as needed (`stored-catalog.ts`). */
export interface Catalog {
  /** Page id of a canonical URL or of an alias, -1 where there is none. */
  find(url: string): number;
  /**
   * The same of a URL that is not what is asked about: -1 also where its shard cannot be asked, and the answer then says
   * which.
   */
  findMentioned(url: string): number;
  /** The same for what is in memory: a canonical URL, no alias. */
  findHeld(url: string): number;
  /** The page that speaks for a page which leads elsewhere since a sweep; the page itself for all others. */
  successor(pageId: number): number;
  /** `"url":"...","title":"..."`, ready to stand in a JSON object. */
  head(pageId: number): string;
  writeHead(json: JsonWriter, pageId: number): void;
  /** The same and `,"fetched":true,"similarity":`, as an item of a list begins. */
  writeItem(json: JsonWriter, pageId: number): void;
  /** Call it before the pages of a list are written: it reads what they need together, not one by one. */
  touch(list: NeighborSpan): void;
  /** False for a page of a shard that cannot be asked, of which nothing is known. */
  isNamed(pageId: number): boolean;
  /** Id of the page's site. */
  site(pageId: number): number;
  lang(pageId: number): string | null;
  /** False for a page that is known by links alone. */
  fetched(pageId: number): boolean;
  /** At least the `count` nearest of those stored; all where there are no more. */
  neighbors(relation: RelationRecord, pageId: number, count?: number): NeighborSpan;
  /** Gives back what is held; nothing is to be asked afterwards. */
  close(): void;
}
