import { bytesOf } from '../../blobs/blobs.ts';
import { SEARCH_BLOCK_PAGES } from '../../blobs/search-blobs.ts';
import type { StoredPage } from '../../records.ts';
import type { FormerRows } from '../former-rows.ts';
import type { Insert } from '../table-writer.ts';
import { KeptWords } from './kept-words.ts';
import { PostingWriter } from './posting-writer.ts';
import { WordLog } from './word-log.ts';
import { WordRuns } from './word-runs.ts';

const MAX_LENGTH = 0xffff;
const NO_LANG = 0;

/** What a page is found by. */
interface SearchedPage extends Pick<StoredPage, 'id' | 'siteId' | 'lang'> {
  /** As the page gives it. */
  readonly title: string;
  readonly text: string;
}

/**
 * Fills the search of a new index. The same pages in the same order give the same rows, whatever the memory is.
 *
 * Memory  `memoryBytes`, 4 bytes a page, and the words of one page; what does not fit waits, sorted, in a file at `scratchPath`.
 */
export class SearchWriter {
  readonly #insert: Insert;
  readonly #memoryBytes: number;
  readonly #log = new WordLog();
  readonly #runs: WordRuns;
  readonly #kept: KeptWords | null;
  #pageCount = 0;
  #wordCount = 0;
  #block = 0;
  /** Of the block, up to the last that is searched. */
  #blockPages = 0;
  readonly #lengths: Uint16Array[] = [new Uint16Array(SEARCH_BLOCK_PAGES)];
  readonly #sites = new Uint32Array(SEARCH_BLOCK_PAGES);
  readonly #langs = new Uint16Array(SEARCH_BLOCK_PAGES);
  readonly #langNumbers = new Map<string, number>([['', NO_LANG]]);

  /** `former`: an index, some of whose pages are kept. */
  constructor(insert: Insert, scratchPath: string, memoryBytes: number, former: FormerRows['search']) {
    this.#insert = insert;
    this.#memoryBytes = memoryBytes;
    this.#runs = new WordRuns(scratchPath);
    this.#kept = former === null ? null : new KeptWords(former.search, former.pageCount);
  }

  /** Pages come in id order, each once, by `add` or by `keep`. */
  add({ title, text, ...page }: SearchedPage): void {
    this.#count(page, this.#log.add(page.id, title, text));
    if (!this.#log.isFull(this.#memoryBytes)) return;
    this.#runs.add(this.#log.words());
    this.#log.clear();
  }

  /** A page whose title and text are those of a page of the former index; returns false where it is to be added after all. */
  keep(page: Omit<SearchedPage, 'title' | 'text'>, formerId: number): boolean {
    const length = this.#kept?.keep(formerId, page.id) ?? -1;
    if (length >= 0) this.#count(page, length);
    return length >= 0;
  }

  #count({ id, siteId, lang }: Omit<SearchedPage, 'title' | 'text'>, length: number): void {
    const block = Math.floor(id / SEARCH_BLOCK_PAGES);
    if (block !== this.#block) this.#endBlock(block);
    const at = id % SEARCH_BLOCK_PAGES;
    this.#blockPages = at + 1;
    this.#lengths[block]![at] = Math.min(length, MAX_LENGTH);
    this.#sites[at] = siteId;
    this.#langs[at] = this.#langNumber(lang ?? '');
    this.#pageCount++;
    this.#wordCount += length;
  }

  #langNumber(lang: string): number {
    let number = this.#langNumbers.get(lang);
    if (number === undefined) {
      number = this.#langNumbers.size;
      // As many tags as there are pages are no languages.
      if (number > MAX_LENGTH) return NO_LANG;
      this.#langNumbers.set(lang, number);
      this.#insert('search_lang', number, lang);
    }
    return number;
  }

  #endBlock(next: number): void {
    const columns = [this.#lengths[this.#block]!, this.#sites, this.#langs];
    const blobs = columns.map((column) => bytesOf(column.subarray(0, this.#blockPages)));
    this.#insert('search_page', this.#block, ...blobs);
    this.#sites.fill(0);
    this.#langs.fill(0);
    this.#lengths[next] = new Uint16Array(SEARCH_BLOCK_PAGES);
    this.#block = next;
    this.#blockPages = 0;
  }

  finish(): void {
    this.#endBlock(this.#block + 1);
    this.#insert('search_total', this.#pageCount, this.#wordCount);
    const rows = {
      searchWords: (...row: unknown[]) => this.#insert('search_word', ...row),
      searchPosting: (...row: unknown[]) => this.#insert('search_posting', ...row),
      searchPart: (...row: unknown[]) => this.#insert('search_part', ...row),
    };
    const writer = new PostingWriter(rows, this.#lengths);
    const words = this.#runs.merged(this.#log.words());
    if (this.#kept === null) for (const pages of words) writer.add(pages);
    else this.#kept.writeWith(words, writer);
    writer.finish();
    this.#runs.discard();
    this.#log.clear();
  }

  /** Removes what waits in a file. */
  abandon(): void {
    this.#runs.discard();
  }
}
