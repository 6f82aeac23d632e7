import { bytesOf } from '../../blobs/blobs.ts';
import { SEARCH_BLOCK_PAGES } from '../../blobs/search-blobs.ts';
import { PostingWriter } from './posting-writer.ts';
import { WordLog } from './word-log.ts';
import { WordRuns } from './word-runs.ts';

const MAX_LENGTH = 0xffff;
const NO_LANG = 0;

/** Puts a row in a table. */
type Insert = (table: string, ...values: unknown[]) => void;

/** What a page is found by. */
export interface SearchedPage {
  readonly id: number;
  /** As the page gives it. */
  readonly title: string;
  readonly text: string;
  readonly siteId: number;
  readonly lang: string | null;
}

/**
 * Fills the search of a new index. The same pages in the same order give the same rows, whatever the memory is.
 *
 * Memory  `memoryBytes`, 2 bytes a page, and the words of one page; what does not fit waits, sorted, in a file at `scratchPath`.
 */
export class SearchWriter {
  readonly #insert: Insert;
  readonly #memoryBytes: number;
  readonly #log = new WordLog();
  readonly #runs: WordRuns;
  #pageCount = 0;
  #wordCount = 0;
  #block = 0;
  /** Of the block, up to the last that is searched. */
  #blockPages = 0;
  readonly #lengths: Uint16Array[] = [new Uint16Array(SEARCH_BLOCK_PAGES)];
  readonly #sites = new Uint32Array(SEARCH_BLOCK_PAGES);
  readonly #langs = new Uint16Array(SEARCH_BLOCK_PAGES);
  readonly #langNumbers = new Map<string, number>([['', NO_LANG]]);

  constructor(insert: Insert, scratchPath: string, memoryBytes: number) {
    this.#insert = insert;
    this.#memoryBytes = memoryBytes;
    this.#runs = new WordRuns(scratchPath);
  }

  /** Pages come in id order, each once. */
  add({ id, title, text, siteId, lang }: SearchedPage): void {
    const block = Math.floor(id / SEARCH_BLOCK_PAGES);
    if (block !== this.#block) this.#endBlock(block);
    const length = this.#log.add(id, title, text);
    const at = id % SEARCH_BLOCK_PAGES;
    this.#blockPages = at + 1;
    this.#lengths[block]![at] = Math.min(length, MAX_LENGTH);
    this.#sites[at] = siteId;
    this.#langs[at] = this.#langNumber(lang ?? '');
    this.#pageCount++;
    this.#wordCount += length;
    if (this.#log.sizeBytes < this.#memoryBytes) return;
    this.#runs.add(this.#log.words());
    this.#log.clear();
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
    const lengthOf = (page: number) =>
      this.#lengths[Math.floor(page / SEARCH_BLOCK_PAGES)]![page % SEARCH_BLOCK_PAGES]!;
    const writer = new PostingWriter(rows, lengthOf);
    for (const pages of this.#runs.merged(this.#log.words())) writer.add(pages);
    writer.finish();
    this.#runs.discard();
    this.#log.clear();
  }

  /** Removes what waits in a file. */
  abandon(): void {
    this.#runs.discard();
  }
}
