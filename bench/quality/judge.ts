/** The figures that the labelled benches print, from the measures of `src/evaluate/`. */
import { judgeLists } from '../../src/evaluate/judge-lists.ts';
import { type Labels as PageLabels, relevanceByLabels } from '../../src/evaluate/relevance.ts';
import { round, type Table } from '../bench.ts';

/** Page to its labels, by URL. */
export type Labels = PageLabels<string>;
/** Neighbors of a page, nearest first. */
export type Answers = ReadonlyMap<string, readonly string[]>;

export interface Judgement {
  readonly p10: number;
  readonly p1: number;
  /** Share of the queries with a relevant page among the first ten. */
  readonly hit10: number;
  readonly p10Labelled: number;
  /** Share of the queries with ten neighbors or more. */
  readonly tenAnswers: number;
}

export function judge(answers: Answers, labels: Labels, queries: readonly string[]): Judgement {
  const listOf = (query: string) => answers.get(query) ?? [];
  const [at1, at10] = judgeLists(listOf, relevanceByLabels(labels), queries, { at: [1, 10] });
  return {
    p10: at10!.precision,
    p1: at1!.precision,
    hit10: at10!.hit,
    p10Labelled: at10!.judged.precision,
    tenAnswers: at10!.full,
  };
}

export function judgementTable(caption: string, rows: readonly (readonly [string, Judgement])[]): Table {
  return {
    caption,
    columns: ['method', 'P@10', 'P@1', 'hit@10', 'P@10 among labelled', 'pages with ten answers'],
    rows: rows.map(([name, { p10, p1, hit10, p10Labelled, tenAnswers }]) => [
      name,
      ...[p10, p1, hit10, p10Labelled, tenAnswers].map((value) => round(value)),
    ]),
  };
}

/** Mean difference of our figures from theirs over the queries, with the standard error of the mean of the pairs. */
export function pairedRow(
  ours: Answers,
  theirs: Answers,
  labels: Labels,
  queries: readonly string[],
): (number | string)[] {
  const differences = queries.map((query) => {
    const [our, their] = [judge(ours, labels, [query]), judge(theirs, labels, [query])];
    return [our.p10 - their.p10, our.p1 - their.p1, our.hit10 - their.hit10] as const;
  });
  return ([0, 1, 2] as const).map((i) => {
    const values = differences.map((difference) => difference[i]);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const error = Math.sqrt(squares / (values.length - 1) / values.length);
    return `${mean < 0 ? '-' : '+'}${Math.abs(mean).toFixed(4)} ± ${error.toFixed(4)}`;
  });
}
