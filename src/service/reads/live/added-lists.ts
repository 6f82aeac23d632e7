/**
 * Which of the pages that wait come into the list of a page: the nearest of them, in any order.
 *
 * Cost  12 bytes an entry, of which a page has at most four times the limit of its list. All that are near would be each with each: of
 *       14,000 pages of one crawl that waited a page took ten times as long as the first ones.
 */
import type { NearBy } from '../../../join/pairs/nearness.ts';
import { NumberLists } from '../../../lib/keys/number-lists.ts';

/** So many limits are kept at least, and fewer than twice as many. */
const KEPT_LIMITS = 2;

/** An entry of a list, in whose order nearer ones come first, and of equals the one of the smaller id. */
export interface ListPlace {
  /** The similarity; where lists hold the nearest by nearness that. */
  readonly near: number;
  readonly id: number;
}

export interface AddedPage {
  /** Of the segment. */
  readonly place: number;
  readonly shared: number;
  readonly total: number;
  readonly nearness: number;
}

/** What may come into a list. */
export type Candidate<Page> = ListPlace & { readonly page: Page };

/** Below 0 where the first one comes before the other. */
export function compareEntries(a: ListPlace, b: ListPlace): number {
  return b.near - a.near || a.id - b.id;
}

export class AddedLists {
  /** The place, `shared << 16 | total`, and how near it is. */
  readonly #entries = new NumberLists(3);
  /** By page the nearest that was not kept. */
  readonly #bounds = new Map<number, ListPlace>();
  readonly #by: NearBy;
  readonly #least: number;
  readonly #idAt: (place: number) => number;

  /** @param idAt of a page of the segment, by its place. */
  constructor(by: NearBy, neighborLimit: number, idAt: (place: number) => number) {
    this.#by = by;
    this.#least = KEPT_LIMITS * neighborLimit;
    this.#idAt = idAt;
  }

  /** Whether some were added to the list of a page. */
  has(id: number): boolean {
    return this.#entries.count(id) > 0 || this.#bounds.has(id);
  }

  /** What comes before it in the list of a page is all there, and nothing behind it; undefined where nothing was left out. */
  boundOf(id: number): ListPlace | undefined {
    return this.#bounds.get(id);
  }

  /** What it stands in a list by. */
  nearOf({ shared, total, nearness }: Omit<AddedPage, 'place'>): number {
    return this.#by === 'nearness' ? nearness : shared / total;
  }

  /** Whether the list of a page keeps one. */
  keeps(id: number, entry: ListPlace): boolean {
    const bound = this.#bounds.get(id);
    return bound === undefined || compareEntries(entry, bound) < 0;
  }

  visit(id: number, visit: (added: AddedPage) => void): void {
    const list = this.#entries.find(id);
    if (list < 0) return;
    const { pool } = this.#entries;
    const end = this.#entries.end(list);
    for (let at = this.#entries.start(list); at < end; at += 3) {
      const counts = pool[at + 1]!;
      visit({ place: pool[at]!, shared: counts >>> 16, total: counts & 0xffff, nearness: pool[at + 2]! });
    }
  }

  /** Adds one that the list keeps; returns whether others were left out for it, by which the bound of the list has come nearer. */
  add(id: number, added: AddedPage): boolean {
    this.#push(id, added);
    if (this.#entries.count(id) < 2 * this.#least) return false;
    this.#cut(id);
    return true;
  }

  #push(id: number, { place, shared, total, nearness }: AddedPage): void {
    this.#entries.add(id, place, (shared << 16) | total, nearness);
  }

  #cut(id: number): void {
    const entries: Candidate<AddedPage>[] = [];
    this.visit(id, (page) => entries.push({ near: this.nearOf(page), id: this.#idAt(page.place), page }));
    this.#entries.clear(id);
    this.fill(id, entries, (page) => page);
  }

  /** Keeps the nearest of these for a page that has none yet; only of them `complete` is asked how near they are. */
  fill<Page>(id: number, candidates: Candidate<Page>[], complete: (page: Page) => AddedPage): void {
    candidates.sort(compareEntries);
    for (const { page } of candidates.slice(0, this.#least)) this.#push(id, complete(page));
    const next = candidates[this.#least];
    if (next !== undefined) this.#bounds.set(id, { near: next.near, id: next.id });
  }

  remove(id: number, place: number): void {
    this.#entries.remove(id, place);
  }

  clear(id: number): void {
    this.#entries.clear(id);
    this.#bounds.delete(id);
  }
}
