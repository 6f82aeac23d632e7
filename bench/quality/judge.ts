/**
 * How good lists of neighbours are by labels: relevant is a page that shares a label with the query.
 *
 * A page without a label (unknown, or known by links only and never fetched) counts as not relevant, as a
 * person who asks sees it; `p10Labelled` judges the first ten labelled pages of the list instead. Precision is
 * always over ten, also where the list is shorter.
 */
import { round, type Table } from '../bench.ts';

/** Page to its labels, by URL. */
export type Labels = ReadonlyMap<string, ReadonlySet<string>>;
/** Neighbours of a page, nearest first. */
export type Answers = ReadonlyMap<string, readonly string[]>;

export interface Judgement {
  readonly p10: number;
  readonly p1: number;
  readonly p10Labelled: number;
  /** Share of the queries with ten neighbours or more. */
  readonly tenAnswers: number;
}

export function judge(answers: Answers, labels: Labels, queries: readonly string[]): Judgement {
  let [at10, at1, labelledAt10, full] = [0, 0, 0, 0];
  for (const query of queries) {
    const list = answers.get(query) ?? [];
    const own = labels.get(query)!;
    const isRelevant = (url: string) => !(labels.get(url)?.isDisjointFrom(own) ?? true);
    at10 += list.slice(0, 10).filter(isRelevant).length;
    at1 += list.slice(0, 1).filter(isRelevant).length;
    const labelled = list.filter((url) => labels.has(url));
    labelledAt10 += labelled.slice(0, 10).filter(isRelevant).length;
    if (list.length >= 10) full++;
  }
  const n = queries.length;
  return { p10: at10 / n / 10, p1: at1 / n, p10Labelled: labelledAt10 / n / 10, tenAnswers: full / n };
}

/** What a list drawn at random would reach. */
export function chance(labels: Labels, queries: readonly string[]): number {
  const pagesOf = Map.groupBy(
    [...labels].flatMap(([url, own]) => [...own].map((label) => ({ url, label }))),
    ({ label }) => label,
  );
  let sum = 0;
  for (const query of queries) {
    const related = new Set(
      [...labels.get(query)!].flatMap((label) => pagesOf.get(label)!.map(({ url }) => url)),
    );
    sum += (related.size - 1) / (labels.size - 1);
  }
  return sum / queries.length;
}

export function judgementTable(caption: string, rows: readonly (readonly [string, Judgement])[]): Table {
  return {
    caption,
    columns: ['method', 'P@10', 'P@1', 'P@10 among labelled', 'pages with ten answers'],
    rows: rows.map(([name, { p10, p1, p10Labelled, tenAnswers }]) => [
      name,
      ...[p10, p1, p10Labelled, tenAnswers].map((value) => round(value)),
    ]),
  };
}
