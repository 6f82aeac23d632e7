import { CorruptError } from '../../errors.ts';
import type { NeighborSpan } from '../../join/pairs/neighbor-table.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import type { RelationRecord, StoredPage } from '../../store/records.ts';
import type { JsonWriter } from '../http/json-writer.ts';
import type { UnionReader } from '../shards/union-reader.ts';
import type { Catalog } from './catalog.ts';

/** What a catalog shows of a page. */
type ListedPage = Pick<StoredPage, 'url' | 'title' | 'fetched' | 'siteId' | 'lang'>;

/** Reads every page when it is asked for: nothing to load, for a single question, or where others hold the pages. */
export class StoredCatalog implements Catalog {
  readonly #reader: Pick<IndexReader, 'findPage' | 'successor' | 'neighbors'>;
  readonly #page: (pageId: number) => ListedPage;
  /** Of several shards; null of one file. */
  readonly #union: UnionReader | null;

  private constructor(
    reader: Pick<IndexReader, 'findPage' | 'successor' | 'neighbors'>,
    page: (pageId: number) => ListedPage,
    union: UnionReader | null,
  ) {
    this.#reader = reader;
    this.#page = page;
    this.#union = union;
  }

  static ofFile(reader: IndexReader): StoredCatalog {
    let last: StoredPage | undefined;
    const page = (pageId: number) => (last?.id === pageId ? last : (last = reader.page(pageId)));
    return new StoredCatalog(reader, page, null);
  }

  /** Of several shards: all pages of a list are asked for together. */
  static ofShards(union: UnionReader): StoredCatalog {
    return new StoredCatalog(union, (pageId) => union.named(pageId), union);
  }

  find(url: string): number {
    return this.#reader.findPage(url);
  }

  findMentioned(url: string): number {
    return this.#union === null ? this.find(url) : this.#union.findMentioned(url);
  }

  isNamed(pageId: number): boolean {
    return this.#union?.isNamed(pageId) ?? true;
  }

  findHeld(): number {
    return -1;
  }

  successor(pageId: number): number {
    return this.#reader.successor(pageId);
  }

  head(pageId: number): string {
    return pageHead(this.#page(pageId));
  }

  writeHead(json: JsonWriter, pageId: number): void {
    json.text(pageHead(this.#page(pageId)));
  }

  writeItem(json: JsonWriter, pageId: number): void {
    json.text(pageItem(this.#page(pageId)));
  }

  touch({ ids, start, end }: NeighborSpan): void {
    if (this.#union !== null) for (let at = start; at < end; at++) this.#page(ids[at]!);
  }

  close(): void {}

  site(pageId: number): number {
    return this.#page(pageId).siteId;
  }

  lang(pageId: number): string | null {
    return this.#page(pageId).lang;
  }

  fetched(pageId: number): boolean {
    return this.#page(pageId).fetched;
  }

  neighbors(relation: RelationRecord, pageId: number): NeighborSpan {
    const list = this.#reader.neighbors(relation.id, pageId);
    return { ...list, start: 0, end: list.ids.length };
  }
}

/** An item of a list as far as its similarity. */
export function pageItem(page: {
  readonly url: string;
  readonly title: string;
  readonly fetched: boolean;
}): string {
  return `${pageHead(page)},"fetched":${page.fetched},"similarity":`;
}

/** What canonical URLs are made of: http or https, ASCII, nothing that JSON or HTML text would have to escape. */
const CANONICAL = /^https?:\/\/[!#-[\]-~]+$/;

/**
 * A URL of an index, for an answer: the file may have been written by anybody.
 *
 * Errors  CorruptError AKIN_ERR_INDEX_CORRUPT for one that no build writes, such as `javascript:`.
 */
export function checkedUrl(url: string): string {
  if (CANONICAL.test(url)) return url;
  throw new CorruptError(
    'AKIN_ERR_INDEX_CORRUPT',
    `the index has a page at ${JSON.stringify(url.slice(0, 100))}, which is no web address`,
    {
      hint: 'build it again: akin index INPUT... --to FILE',
    },
  );
}

function pageHead(page: { readonly url: string; readonly title: string }): string {
  return `"url":"${checkedUrl(page.url)}","title":${JSON.stringify(page.title)}`;
}
