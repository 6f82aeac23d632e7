import type { Db } from '../database.ts';
import type { IndexReader } from '../read/reader.ts';
import type { StoredPage } from '../records.ts';

/** Pages whose words are looked up, of whatever number. */
const SAMPLE_PAGES = 1000;
/** Letters that no search takes apart or joins with what stands beside them. */
const WORD = /(?<![\p{L}\p{N}\p{M}\p{Co}])[a-z]{3,24}(?![\p{L}\p{N}\p{M}\p{Co}])/iu;

/**
 * The search has every page that is there and no other, and finds a sample of them by a word of their titles and one from
 * the middle of their texts. Its own structure is SQLite's to check.
 */
export function checkSearch(db: Db, reader: IndexReader, faults: string[]): void {
  const isWanted = reader.card().parameters['search'] === true;
  const expected = isWanted
    ? `id < ${reader.ownPageCount} AND id NOT IN (SELECT page_id FROM gone)`
    : 'FALSE';
  const wrong = db
    .prepare(
      `SELECT id FROM page WHERE (${expected}) <> (id IN (SELECT id FROM page_text_docsize))
       UNION SELECT id FROM page_text_docsize WHERE id NOT IN (SELECT id FROM page)`,
    )
    .pluck()
    .all() as number[];
  for (const id of wrong)
    faults.push(`page ${id} is in the search and should not be, or the other way round`);
  if (!isWanted) return;
  const isFound = db.prepare('SELECT 1 FROM page_text WHERE page_text MATCH ? AND rowid = ?').pluck();
  const step = Math.ceil(reader.pageCount / SAMPLE_PAGES);
  for (let id = 0; id < reader.ownPageCount; id += step) {
    if (reader.isGone(id)) continue;
    for (const [column, word] of wordsOf(reader, reader.page(id))) {
      if (isFound.get(`${column} : "${word}"`, id) === undefined) {
        faults.push(`page ${id} is not found by "${word}" of its ${column}`);
      }
    }
  }
}

function wordsOf(reader: IndexReader, { id, fullTitle }: StoredPage): [column: string, word: string][] {
  const version = reader.versions.current(id);
  const text = version < 0 ? '' : (reader.versions.text(version)?.text ?? '');
  const words: [string, string | undefined][] = [
    ['title', WORD.exec(fullTitle)?.[0]],
    ['body', WORD.exec(text.slice(text.length >> 1).replace(/^[^\s]*/, ''))?.[0]],
  ];
  return words.filter((pair): pair is [string, string] => pair[1] !== undefined);
}
