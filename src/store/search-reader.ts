import type { IndexFile } from './index-file.ts';
import type { FoundPage } from './records.ts';
import { rowShape } from './stored-values.ts';

const FOUND = rowShape<FoundPage>('page_text', { pageId: 'count', score: 'number' });
/** How much more a word of the title counts than one of the text. */
const TITLE_WEIGHT = 5;
const FOUND_SQL = `SELECT rowid AS pageId, -bm25(page_text, ${TITLE_WEIGHT}, 1) AS score FROM page_text
  WHERE page_text MATCH ? ORDER BY score DESC, rowid LIMIT ? OFFSET ?`;

/** Finds pages of one open index by the words of their titles and texts. */
export class SearchReader {
  /** Whether the index was built with search; without it nothing is found. */
  readonly isKept: boolean;
  readonly #file: IndexFile;

  constructor(file: IndexFile) {
    this.#file = file;
    this.isKept = file.rowCount('page_text_docsize') > 0;
  }

  /**
   * The best pages, ties by id.
   *
   * Cost  every page that matches is weighed, whatever the limit.
   * @param match an expression of SQLite's FTS5 over the columns title and body: the caller answers for its syntax.
   */
  find(match: string, limit: number, offset = 0): FoundPage[] {
    const found = this.#file.all(FOUND, FOUND_SQL, match, limit, offset);
    for (const { pageId } of found) this.#file.pageId(pageId);
    return found;
  }

  /** How many pages match. */
  count(match: string): number {
    return this.#file.value<number>('SELECT count(*) FROM page_text WHERE page_text MATCH ?', match)!;
  }
}
