import type { Statement } from 'better-sqlite3';
import { searchText } from '../../text/space-out.ts';
import type { Db } from '../database.ts';

/** Words that SQLite collects before it writes them: fewer, larger pieces to merge. */
const COLLECTED_BYTES = 32 << 20;

/**
 * Fills the full-text search of a new index. The same pages in the same order give the same bytes, whatever is written
 * beside them.
 */
export class PageTextWriter {
  readonly #db: Db;
  readonly #insert: Statement<unknown[], unknown>;

  constructor(db: Db) {
    this.#db = db;
    this.#db.exec(`INSERT INTO page_text (page_text, rank) VALUES ('hashsize', ${COLLECTED_BYTES})`);
    this.#insert = db.prepare('INSERT INTO page_text (rowid, title, body) VALUES (?, ?, ?)');
  }

  add(pageId: number, title: string, body: string): void {
    this.#insert.run(pageId, searchText(title), searchText(body));
  }

  /** One piece, so that a word is looked up once. */
  finish(): void {
    this.#db.exec("INSERT INTO page_text (page_text) VALUES ('optimize')");
  }
}
