import type { Relevance } from '../../evaluate/relevance.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import type { RelationRecord } from '../../store/records.ts';
import type { ExamplesReport, PageExample } from './report.ts';

/** Pages shown of each kind, at most. */
const SHOWN = 5;
/** Length of a list that a reader takes in at a glance. */
const USUAL_LENGTH = 5;
const COPY_SIMILARITY = 0.9;

/** The list length that stands for all: five where five were measured, else the nearest to it. */
export function headlineLength(at: readonly number[]): number {
  const distance = (k: number) => Math.abs(k - USUAL_LENGTH);
  return at.reduce((best, k) => (distance(k) < distance(best) ? k : best));
}

interface ExampleOptions {
  readonly k: number;
  readonly relevantFrom: number;
}

interface Judged {
  readonly page: number;
  readonly ids: Uint32Array;
  readonly similarities: readonly number[];
  readonly isRelevant: readonly (boolean | null)[];
  readonly relevantCount: number;
}

/**
 * The pages whose first k neighbors are relevant most often, and those where they are least often: where an index does
 * well and where it fails. Among equals come pages with the more similar nearest page first, so that the worst are the
 * misses that look surest; copies are the last of the best. Pages without a relevant page in the index, or without
 * neighbors, cannot show either.
 */
export function findExamples(
  reader: IndexReader,
  relation: RelationRecord,
  relevance: Relevance<number>,
  { k, relevantFrom }: ExampleOptions,
): ExamplesReport {
  const judged = relevance.queries.flatMap((page): Judged[] => {
    const list = reader.neighbors(relation.id, page);
    const ids = list.ids.slice(0, k);
    if (ids.length === 0 || (relevance.best(page, 1)[0] ?? 0) < relevantFrom) return [];
    const grades = [...ids].map((other) => relevance.grade(page, other));
    const isRelevant = grades.map((grade) => (grade === undefined ? null : grade >= relevantFrom));
    const similarities = [...ids].map((_, i) => list.shared[i]! / list.total[i]!);
    return [{ page, ids, similarities, isRelevant, relevantCount: isRelevant.filter(Boolean).length }];
  });
  const bySimilarity = (a: Judged, b: Judged) => b.similarities[0]! - a.similarities[0]! || a.page - b.page;
  const best = spread(
    judged.toSorted(
      (a, b) =>
        b.relevantCount - a.relevantCount || Number(isCopy(a)) - Number(isCopy(b)) || bySimilarity(a, b),
    ),
    judged.length / 2,
  );
  const worst = spread(
    judged
      .filter((one) => !best.includes(one))
      .sort((a, b) => a.relevantCount - b.relevantCount || bySimilarity(a, b)),
    judged.length / 2,
  );
  const example = (one: Judged) => exampleOf(reader, one);
  return { k, best: best.map(example), worst: worst.map(example) };
}

/** A copy of its nearest page: that its list is good says little. */
function isCopy({ similarities }: Judged): boolean {
  return similarities[0]! >= COPY_SIMILARITY;
}

/** The first of a list, without pages that one before has as a neighbor: they would show the same again. */
function spread(judged: readonly Judged[], most: number): Judged[] {
  const chosen: Judged[] = [];
  const seen = new Set<number>();
  for (const one of judged) {
    if (chosen.length >= Math.min(SHOWN, most)) break;
    if (seen.has(one.page)) continue;
    chosen.push(one);
    for (const id of one.ids) seen.add(id);
  }
  return chosen;
}

function exampleOf(reader: IndexReader, { page, ids, similarities, isRelevant }: Judged): PageExample {
  const named = (id: number) => {
    const { url, title } = reader.page(id);
    return { url, title };
  };
  const neighbors = [...ids].map((id, i) => ({
    ...named(id),
    similarity: similarities[i]!,
    isRelevant: isRelevant[i]!,
  }));
  return { ...named(page), neighbors };
}
