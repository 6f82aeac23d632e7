import { SEARCH_BLOCK_PAGES } from '../../blobs/search-blobs.ts';
import type { IndexFile } from '../../index-file.ts';

interface PageBlock {
  readonly lengths: Uint16Array;
  readonly siteIds: Uint32Array;
  readonly langs: Uint16Array;
}

const EMPTY: PageBlock = {
  lengths: new Uint16Array(0),
  siteIds: new Uint32Array(0),
  langs: new Uint16Array(0),
};

/** What a search looks at of each page that it found. Memory  8 bytes a page of the blocks that were met. */
export class SearchedPages {
  readonly #file: IndexFile;
  readonly #blocks: PageBlock[] = [];
  #langs: ReadonlyMap<number, string> | null = null;

  constructor(file: IndexFile) {
    this.#file = file;
  }

  /** Words of its title and text, 65,535 at most. */
  length(page: number): number {
    return this.#block(page).lengths[page % SEARCH_BLOCK_PAGES] ?? 0;
  }

  /** Whether its text was read: not of a page that is known by links alone. */
  isRead(page: number): boolean {
    return this.#file.value<number>('SELECT fetched FROM page WHERE id = ?', page) === 1;
  }

  siteId(page: number): number {
    return this.#block(page).siteIds[page % SEARCH_BLOCK_PAGES] ?? 0;
  }

  /** A number for its language, see `lang`. */
  langNumber(page: number): number {
    return this.#block(page).langs[page % SEARCH_BLOCK_PAGES] ?? 0;
  }

  /** Of a number; null where pages name none. */
  lang(number: number): string | null {
    return this.#langsByNumber().get(number) ?? null;
  }

  /** -1 where no page has it. */
  numberOfLang(lang: string): number {
    for (const [number, name] of this.#langsByNumber()) if (name === lang) return number;
    return -1;
  }

  #langsByNumber(): ReadonlyMap<number, string> {
    return (this.#langs ??= new Map(this.#file.tuples<[number, string]>('SELECT id, lang FROM search_lang')));
  }

  #block(page: number): PageBlock {
    const number = Math.floor(page / SEARCH_BLOCK_PAGES);
    return (this.#blocks[number] ??= this.#read(number));
  }

  #read(number: number): PageBlock {
    const sql = 'SELECT lengths, sites, langs FROM search_page WHERE block_id = ?';
    const [row] = this.#file.tuples<Uint8Array[]>(sql, number);
    if (row === undefined) return EMPTY;
    return this.#file.decode(`block ${number} of search_page`, () => {
      const [lengths, sites, langs] = row.map((blob) => Uint8Array.from(blob).buffer) as [
        ArrayBuffer,
        ArrayBuffer,
        ArrayBuffer,
      ];
      return {
        lengths: new Uint16Array(lengths),
        siteIds: new Uint32Array(sites),
        langs: new Uint16Array(langs),
      };
    });
  }
}
