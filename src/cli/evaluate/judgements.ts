import { InputError } from '../../errors.ts';
import type { Path } from '../../evaluate/familial-distance.ts';
import {
  chance,
  type JudgedPair,
  type Labels,
  type Relevance,
  relevanceByLabels,
  relevanceByPairs,
} from '../../evaluate/relevance.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';
import { type JudgementTable, type LabelRow, type PairRow, rowFault } from './judgement-table.ts';

/** Judgements of pages of an index, by page id. */
export interface Judgements {
  readonly facts: JudgementFacts;
  readonly relevance: Relevance<number>;
  /** Null for judged pairs. */
  readonly labels: Labels<number> | null;
}

export interface JudgementFacts {
  readonly path: string;
  readonly kind: 'labels' | 'pairs';
  /** The column of the labels; null for judged pairs. */
  readonly column: string | null;
  readonly rowCount: number;
  /** Rows with an empty cell of labels. */
  readonly blankCount: number;
  /** Rows with a page that the index does not hold, or that is gone. */
  readonly missingCount: number;
  /** Judged pages in the index. */
  readonly pageCount: number;
  /** Different labels, or judged pairs, in the index. */
  readonly judgementCount: number;
  /** Share of relevant pages among the labelled ones; null for judged pairs. */
  readonly chance: number | null;
}

/** The page of a URL, or of an alias; -1 for one that is not there, or is gone: it has no list, and is in none. */
export function pageThere(reader: IndexReader, url: string): number {
  const page = reader.findPage(url);
  return page !== -1 && reader.isGone(page) ? -1 : page;
}

/**
 * Finds the judged pages in the index, by their URL or an alias. A page on two lines has the labels of both.
 *
 * Errors  InputError AKIN_ERR_INPUT_UNREADABLE with file, line and column for what is no URL or a pair judged
 *         twice; AKIN_ERR_INPUT_EMPTY where the index holds none of the pages.
 */
export function findJudged(reader: IndexReader, path: string, table: JudgementTable): Judgements {
  const pageOf = (line: number, column: string, url: string) => {
    const canonical = canonicalUrl(url);
    if (canonical === null) throw rowFault(path, line, column, `"${url}" is not an http(s) URL`);
    return pageThere(reader, canonical);
  };
  const judgements =
    table.kind === 'labels'
      ? fromLabels(path, table.column, table.rows, pageOf)
      : fromPairs(path, table.rows, pageOf);
  if (judgements.facts.pageCount === 0) {
    throw new InputError('AKIN_ERR_INPUT_EMPTY', nothingJudged(path, table, reader), {
      hint: 'check one of their URLs: akin related FILE URL',
    });
  }
  return judgements;
}

/** Why there is nothing to measure. Where the index holds one page of a pair, the missing page is named. */
function nothingJudged(path: string, table: JudgementTable, reader: IndexReader): string {
  if (table.kind === 'pairs') {
    const isThere = (url: string) => pageThere(reader, canonicalUrl(url)!) !== -1;
    const half = table.rows.find(({ urlA, urlB }) => isThere(urlA) || isThere(urlB));
    if (half !== undefined) {
      const missing = isThere(half.urlA) ? half.urlB : half.urlA;
      return `the index holds no pair of ${path}; on line ${half.line}, ${missing} is not in the index`;
    }
  }
  return `none of the pages in ${path} are in the index`;
}

type PageOf = (line: number, column: string, url: string) => number;

function fromLabels(path: string, column: string, rows: readonly LabelRow[], pageOf: PageOf): Judgements {
  const labels = new Map<number, Set<string>>();
  let [blankCount, missingCount] = [0, 0];
  for (const { line, url, labels: own } of rows) {
    const page = pageOf(line, 'url', url);
    if (own.length === 0) blankCount++;
    else if (page === -1) missingCount++;
    else labels.set(page, (labels.get(page) ?? new Set()).union(new Set(own)));
  }
  const relevance = relevanceByLabels(labels);
  return {
    labels,
    relevance,
    facts: {
      path,
      kind: 'labels',
      column,
      rowCount: rows.length,
      blankCount,
      missingCount,
      pageCount: labels.size,
      judgementCount: new Set([...labels.values()].flatMap((own) => [...own])).size,
      chance: chance(labels, relevance.queries),
    },
  };
}

function fromPairs(path: string, rows: readonly PairRow[], pageOf: PageOf): Judgements {
  const pairs: JudgedPair<number>[] = [];
  const lineOf = new Map<string, number>();
  let missingCount = 0;
  for (const { line, urlA, urlB, grade } of rows) {
    const a = pageOf(line, 'url_a', urlA);
    const b = pageOf(line, 'url_b', urlB);
    if (a === -1 || b === -1) {
      missingCount++;
      continue;
    }
    if (a === b) throw rowFault(path, line, 'url_b', 'is the same page as url_a');
    const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
    const before = lineOf.get(key);
    if (before !== undefined) {
      throw rowFault(
        path,
        line,
        'grade',
        `line ${before} judges this pair too; give it one grade (the mean)`,
      );
    }
    lineOf.set(key, line);
    pairs.push({ a, b, grade });
  }
  const relevance = relevanceByPairs(pairs);
  return {
    labels: null,
    relevance,
    facts: {
      path,
      kind: 'pairs',
      column: null,
      rowCount: rows.length,
      blankCount: 0,
      missingCount,
      pageCount: relevance.queries.length,
      judgementCount: pairs.length,
      chance: null,
    },
  };
}

export const SEPARATORS = ['/', '.'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** The separator that more than half of the labels hold, `/` before `.`; null where labels are no paths. */
export function findSeparator(labels: Labels<number>): Separator | null {
  const names = new Set([...labels.values()].flatMap((own) => [...own]));
  const holders = (separator: Separator) => [...names].filter((name) => name.includes(separator)).length;
  return SEPARATORS.find((separator) => 2 * holders(separator) > names.size) ?? null;
}

/** `Science/Biology/Birds` as its steps; empty steps (a leading separator) are dropped. */
export function toPath(label: string, separator: Separator): Path {
  return label.split(separator).filter((step) => step !== '');
}
