import type { Relevance } from '../../evaluate/relevance.ts';
import type { IndexReader } from '../../store/reader.ts';
import type { RelationRecord } from '../../store/records.ts';
import type { ExamplesReport, PageExample } from './report.ts';

/** Pages shown of each kind, at most. */
const SHOWN = 5;
/** Length of a list that a reader takes in at a glance. */
const USUAL_LENGTH = 5;

/** The list length that stands for all: five where five were measured, else the nearest to it. */
export function headlineLength(at: readonly number[]): number {
  const distance = (k: number) => Math.abs(k - USUAL_LENGTH);
  return at.reduce((best, k) => (distance(k) < distance(best) ? k : best));
}

export interface ExampleOptions {
  readonly k: number;
  readonly relevantFrom: number;
}

interface Judged {
  readonly page: number;
  readonly ids: Uint32Array;
  readonly similarities: readonly number[];
  readonly isRelevant: readonly boolean[];
  readonly relevantCount: number;
}

/**
 * The pages whose first k neighbours are relevant most often, and those where they are least often: where an index does
 * well and where it fails. Among equals come pages with the more similar nearest page first, so that the worst are the
 * misses that look surest. Pages without a relevant page in the index, or without neighbours, cannot show either.
 */
export function findExamples(
  reader: IndexReader,
  relation: RelationRecord,
  relevance: Relevance<number>,
  { k, relevantFrom }: ExampleOptions,
): ExamplesReport {
  const judged = relevance.queries.flatMap((page): Judged[] => {
    const list = reader.neighbours(relation.id, page);
    const ids = list.ids.slice(0, k);
    if (ids.length === 0 || (relevance.best(page, 1)[0] ?? 0) < relevantFrom) return [];
    const isRelevant = [...ids].map((other) => (relevance.grade(page, other) ?? 0) >= relevantFrom);
    const similarities = [...ids].map((_, i) => list.shared[i]! / list.total[i]!);
    return [{ page, ids, similarities, isRelevant, relevantCount: isRelevant.filter(Boolean).length }];
  });
  const bySimilarity = (a: Judged, b: Judged) => b.similarities[0]! - a.similarities[0]! || a.page - b.page;
  const shown = Math.min(SHOWN, Math.floor(judged.length / 2));
  const best = judged
    .toSorted((a, b) => b.relevantCount - a.relevantCount || bySimilarity(a, b))
    .slice(0, shown);
  const worst = judged
    .filter((one) => !best.includes(one))
    .sort((a, b) => a.relevantCount - b.relevantCount || bySimilarity(a, b))
    .slice(0, shown);
  const example = (one: Judged) => exampleOf(reader, one);
  return { k, best: best.map(example), worst: worst.map(example) };
}

function exampleOf(reader: IndexReader, { page, ids, similarities, isRelevant }: Judged): PageExample {
  const named = (id: number) => {
    const { url, title } = reader.page(id);
    return { url, title };
  };
  const neighbours = [...ids].map((id, i) => ({
    ...named(id),
    similarity: similarities[i]!,
    isRelevant: isRelevant[i]!,
  }));
  return { ...named(page), neighbours };
}
