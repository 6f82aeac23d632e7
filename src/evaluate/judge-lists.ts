/**
 * How good lists of neighbors are, as means over the queries.
 *
 * A page without a judgement counts as not relevant, as a person who asks sees it. The second figures judge
 * the list without such pages instead: their places go to the next judged ones (condensed lists).
 * Source  Sakai, SIGIR 2007 (condensed lists).
 */
import { ndcgAt } from './ndcg.ts';
import { hitAt, precisionAt } from './precision.ts';
import type { Relevance } from './relevance.ts';

export interface ListQuality {
  /** Relevant pages among the first k, over k also where the list is shorter. */
  readonly precision: number;
  /** Share of the queries with a relevant page among the first k. */
  readonly hit: number;
  /** Mean over the queries that have a relevant page; NaN where none has. */
  readonly ndcg: number;
}

export interface ListQualityAt extends ListQuality {
  readonly k: number;
  /** The same of the lists without their unjudged pages. */
  readonly judged: ListQuality;
  /** Share of their first k places that a judged page takes: lists may hold fewer of them. */
  readonly judgedShare: number;
  /** Share of the queries with k neighbors or more. */
  readonly full: number;
}

interface JudgeOptions {
  readonly at: readonly number[];
  /** The least grade that is relevant; anything above 0 by default. */
  readonly relevantFrom?: number;
}

/** Shape  `listOf` gives the neighbors of a query, nearest first; a query without any counts as a failure. */
export function judgeLists<Page>(
  listOf: (query: Page) => readonly Page[],
  relevance: Relevance<Page>,
  queries: readonly Page[],
  { at, relevantFrom = Number.MIN_VALUE }: JudgeOptions,
): ListQualityAt[] {
  const longest = Math.max(...at);
  const seen = at.map(() => new Mean());
  const judged = at.map(() => new Mean());
  const judgedCounts = at.map(() => 0);
  const full = at.map(() => 0);
  for (const query of queries) {
    const list = listOf(query);
    const grades = list.map((page) => relevance.grade(query, page));
    const best = relevance.best(query, longest);
    const asSeen = grades.map((grade) => grade ?? 0);
    const condensed = grades.filter((grade) => grade !== undefined);
    for (const [i, k] of at.entries()) {
      seen[i]!.add(asSeen, best, k, relevantFrom);
      judged[i]!.add(condensed, best, k, relevantFrom);
      judgedCounts[i]! += Math.min(k, condensed.length);
      if (list.length >= k) full[i]!++;
    }
  }
  return at.map((k, i) => ({
    k,
    ...seen[i]!.value(),
    judged: judged[i]!.value(),
    judgedShare: judgedCounts[i]! / k / queries.length,
    full: full[i]! / queries.length,
  }));
}

class Mean {
  #queries = 0;
  #answerable = 0;
  #precision = 0;
  #hit = 0;
  #ndcg = 0;

  add(grades: readonly number[], best: readonly number[], k: number, relevantFrom: number): void {
    this.#queries++;
    this.#precision += precisionAt(grades, k, relevantFrom);
    this.#hit += hitAt(grades, k, relevantFrom);
    if (best.length === 0) return;
    this.#answerable++;
    this.#ndcg += ndcgAt(grades, best, k);
  }

  value(): ListQuality {
    return {
      precision: this.#precision / this.#queries,
      hit: this.#hit / this.#queries,
      ndcg: this.#ndcg / this.#answerable,
    };
  }
}
