import type { IndexFile } from '../index-file.ts';
import type { FoundPage } from '../records.ts';
import { rowShape } from '../stored-values.ts';
import { type SearchWeights, scoresBy, weightsOf } from './search-weights.ts';

const FOUND_ROW = rowShape<FoundPage & { readonly total: number }>('page_text', {
  pageId: 'count',
  score: 'number',
  total: 'count',
});
/** How much more a word of the title counts than one of the text. */
const TITLE_WEIGHT = 5;
/** Scheme, host and port of a page, with a slash behind: `https://` has eight letters, so the host goes on at the ninth. */
const ORIGIN = `substr(url, 1, 8 + instr(substr(url, 9), '/'))`;

/** What is looked for. */
export interface SearchExpression {
  /** In the language of SQLite's FTS5, over the columns title and body: the caller answers for its syntax. */
  readonly match: string;
  /** The phrases of it that pages are to have, each an expression of its own. */
  readonly phrases: readonly string[];
}

export interface SearchFilter {
  readonly siteId?: number;
  /** Host names, those of their subdomains included: letters, digits, dots and hyphens. */
  readonly hosts?: readonly string[];
  readonly lang?: string;
}

interface FoundPages {
  /** Best first, ties by id. */
  readonly pages: readonly FoundPage[];
  /** How many match, `mostWeighed` at most. */
  readonly total: number;
}

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
   * The best `limit` of the first `mostWeighed` pages, by id, that match.
   *
   * Cost  some 2 us for each page that has a word, and for each that matches.
   */
  find(
    expression: string | Pick<SearchExpression, 'match'>,
    limit: number,
    mostWeighed: number,
    filter: SearchFilter = {},
  ): FoundPages {
    const match = typeof expression === 'string' ? expression : expression.match;
    const { siteId, hosts = [], lang } = filter;
    const isFiltered = siteId !== undefined || hosts.length > 0 || lang !== undefined;
    const conditions = [
      'page_text MATCH ?',
      ...(siteId === undefined ? [] : ['site_id = ?']),
      ...(lang === undefined ? [] : ['lang = ?']),
      ...(hosts.length === 0 ? [] : [`(${hosts.map(() => HOST_SQL).join(' OR ')})`]),
    ];
    const keys = [match, siteId, lang, ...hosts.flatMap(hostPatterns)].filter((key) => key !== undefined);
    const sql = `SELECT pageId, score, count(*) OVER () AS total FROM (
      SELECT page_text.rowid AS pageId, -bm25(page_text, ${TITLE_WEIGHT}, 1) AS score
      FROM page_text ${isFiltered ? 'CROSS JOIN page ON page.id = page_text.rowid' : ''}
      WHERE ${conditions.join(' AND ')} LIMIT ?) ORDER BY score DESC, pageId LIMIT ?`;
    const rows = this.#file.all(FOUND_ROW, sql, ...keys, mostWeighed, limit);
    for (const { pageId } of rows) this.#file.pageId(pageId);
    return { pages: rows.map(({ pageId, score }) => ({ pageId, score })), total: rows[0]?.total ?? 0 };
  }

  /** What of this file goes into the weights of a search over several. */
  weights(phrases: readonly string[]): SearchWeights {
    return weightsOf(this.#file, phrases);
  }

  /** As `find`, each page weighed by the figures of all the files that are searched. */
  findBy(
    weights: SearchWeights,
    expression: SearchExpression,
    limit: number,
    mostWeighed: number,
    filter: SearchFilter = {},
  ): FoundPages {
    const { pages, total } = this.find(expression, mostWeighed, mostWeighed, filter);
    const scores = scoresBy(this.#file, expression, weights, TITLE_WEIGHT);
    const weighed = pages.map(({ pageId }) => ({ pageId, score: scores.get(pageId)! }));
    weighed.sort((a, b) => b.score - a.score || a.pageId - b.pageId);
    return { pages: weighed.slice(0, limit), total };
  }
}

const HOST_SQL = `(${ORIGIN} GLOB ? OR ${ORIGIN} GLOB ?)`;

/** With a slash or a port behind it. */
function hostPatterns(host: string): [string, string] {
  return [`*[/.]${host}/`, `*[/.]${host}:*`];
}
