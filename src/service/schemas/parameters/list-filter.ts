/** What a row of `list-filters.ts` is. */
import type { PageCard } from '../../../page/card/page-card.ts';
import type { FieldTest } from '../../../page/fields/field-condition.ts';
import type { PageFields } from '../../../page/fields/page-fields.ts';
import type { Parameter } from '../parameter.ts';

/** Whose neighbors are listed, as far as filters ask. */
export interface FilterSubject {
  /** Name of its site; null where it has none. */
  site(): Promise<string | null>;
  /** Primary subtag; null where it does not say. */
  lang(): Promise<string | null>;
  /** Fields of its owner's. */
  fields(): Promise<PageFields>;
  /** As cards have it; null where it does not say. */
  publishedAt(): Promise<string | null>;
  /** Ids of the pages that it links to. */
  links(): Promise<Iterable<number>>;
  /** Id of the page that speaks for a canonical URL, -1 for none. */
  find(url: string): Promise<number>;
}

/** What filters ask of the pages that they judge. */
export interface FilterPages {
  url(pageId: number): string;
  lang(pageId: number): string | null;
  /** False for a page that is known by links alone. */
  fetched(pageId: number): boolean;
  /** Number of its site. */
  site(pageId: number): number;
  /** Number of a site by its name, -1 for none. */
  findSite(name: string): number;
  card(pageId: number): PageCard | null;
  /** Says of pages whether they have a value of a field that passes. */
  hasField(name: string, tests: readonly FieldTest[]): (pageId: number) => boolean;
  /** Id, among these pages, of a page by its id in the whole index; -1 for none. */
  idHere(wholeId: number): number;
}

/** How pages are judged, one by one. */
interface Judge {
  /** What is asked of each page, as data: shards and threads ask the same. */
  readonly wanted: (value: never, subject: FilterSubject) => unknown;
  readonly accept: (wanted: never, pages: FilterPages) => (pageId: number) => boolean;
  /** What else of pages `accept` asks for: that of a list is then read together. */
  readonly reads: 'cards' | 'fields' | null;
}

export interface ListFilter extends Parameter {
  /** Null for what is asked of the list, not of each page. */
  readonly judge: Judge | null;
}

export function judge<Value, Wanted>(
  wanted: (value: Value, subject: FilterSubject) => Wanted | Promise<Wanted>,
  accept: (wanted: Wanted, pages: FilterPages) => (pageId: number) => boolean,
  reads: Judge['reads'] = null,
): { readonly judge: Judge } {
  return { judge: { wanted, accept, reads } };
}

/** Leaves out pages by their ids. */
export function notAmong(wholeIds: readonly number[], pages: FilterPages): (pageId: number) => boolean {
  const hidden = new Set(wholeIds.map((id) => pages.idHere(id)));
  return (pageId) => !hidden.has(pageId);
}
