/**
 * Which pages are relevant to a page: by shared labels, or by judged pairs.
 *
 * Labels   a page is relevant (grade 1) to every other page that shares a label with it.
 * Pairs    the grade of a pair holds both ways, as similarity does.
 */
import { keptIn, listIn } from '../lib/kept.ts';

/** Page to its labels. */
export type Labels<Page> = ReadonlyMap<Page, ReadonlySet<string>>;

export interface Relevance<Page> {
  /** Pages that may be asked about. */
  readonly queries: readonly Page[];
  /** 0 for not relevant; undefined where it was not judged. */
  grade(query: Page, page: Page): number | undefined;
  /** The `limit` greatest grades that any list for this query could have, descending, without zeros. */
  best(query: Page, limit: number): number[];
}

export function relevanceByLabels<Page>(labels: Labels<Page>): Relevance<Page> {
  const counts = new RelevantCounts(labels);
  return {
    queries: [...labels.keys()],
    grade(query, page) {
      const others = labels.get(page);
      if (others === undefined) return undefined;
      return others.isDisjointFrom(labels.get(query)!) ? 0 : 1;
    },
    best: (query, limit) => new Array<number>(Math.min(limit, counts.of(query))).fill(1),
  };
}

export interface JudgedPair<Page> {
  readonly a: Page;
  readonly b: Page;
  /** At least 0. */
  readonly grade: number;
}

export function relevanceByPairs<Page>(pairs: Iterable<JudgedPair<Page>>): Relevance<Page> {
  const grades = new Map<Page, Map<Page, number>>();
  const put = (from: Page, to: Page, grade: number) => keptIn(grades, from, () => new Map()).set(to, grade);
  for (const { a, b, grade } of pairs) {
    put(a, b, grade);
    put(b, a, grade);
  }
  return {
    queries: [...grades.keys()],
    grade: (query, page) => grades.get(query)?.get(page),
    best: (query, limit) =>
      [...(grades.get(query)?.values() ?? [])]
        .filter((grade) => grade > 0)
        .sort((x, y) => y - x)
        .slice(0, limit),
  };
}

/** The share of relevant pages among the labeled ones: what a list drawn at random would reach. */
export function chance<Page>(labels: Labels<Page>, queries: readonly Page[]): number {
  const counts = new RelevantCounts(labels);
  const others = Math.max(1, labels.size - 1);
  return queries.reduce((sum, query) => sum + counts.of(query) / others, 0) / Math.max(1, queries.length);
}

/** How many other pages share a label with a page; counted once for each set of labels. */
class RelevantCounts<Page> {
  readonly #labels: Labels<Page>;
  readonly #pagesOf = new Map<string, Page[]>();
  readonly #counts = new Map<string, number>();

  constructor(labels: Labels<Page>) {
    this.#labels = labels;
    for (const [page, own] of labels) {
      for (const label of own) listIn(this.#pagesOf, label).push(page);
    }
  }

  of(query: Page): number {
    const own = [...this.#labels.get(query)!];
    if (own.length === 1) return this.#pagesOf.get(own[0]!)!.length - 1;
    return keptIn(this.#counts, JSON.stringify(own.sort()), () => {
      const related = new Set<Page>();
      for (const label of own) for (const page of this.#pagesOf.get(label)!) related.add(page);
      return Math.max(0, related.size - 1);
    });
  }
}
