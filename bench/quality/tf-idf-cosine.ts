/**
 * The baseline: cosine of (1 + ln tf) ln(N / df) vectors over all pages, by brute force.
 *
 * Source  Manning, Raghavan, Schütze, Introduction to Information Retrieval, 2008, 6.4 (scheme ltc).
 */
import { BruteForce, pageCountsOf, type Weights } from './brute-force.ts';
import type { Answers } from './judge.ts';

const MIN_PAGES = 2;
const MAX_SHARE = 0.3;

export class TfIdfCosine {
  readonly #vectors: ReadonlyMap<string, Weights>;
  readonly #products: BruteForce;

  constructor(pages: ReadonlyMap<string, Weights>) {
    const pageCounts = pageCountsOf(pages.values());
    this.#vectors = new Map([...pages].map(([url, words]) => [url, weigh(words, pageCounts, pages.size)]));
    this.#products = new BruteForce(this.#vectors);
  }

  similarity(a: string, b: string): number {
    const [left, right] = [this.#vectors.get(a)!, this.#vectors.get(b)!];
    let dot = 0;
    for (const [word, weight] of left) dot += weight * (right.get(word) ?? 0);
    return dot;
  }

  /** The `limit` nearest pages of each query. */
  answers(queries: Iterable<string>, limit: number): Answers {
    return this.#products.answers(queries, limit, (query) => this.#vectors.get(query)!);
  }
}

function weigh(
  words: Weights,
  pageCounts: ReadonlyMap<string, number>,
  pageTotal: number,
): Map<string, number> {
  const vector = new Map<string, number>();
  let squares = 0;
  for (const [word, count] of words) {
    const pages = pageCounts.get(word)!;
    if (pages < MIN_PAGES || pages > pageTotal * MAX_SHARE) continue;
    const weight = (1 + Math.log(count)) * Math.log(pageTotal / pages);
    vector.set(word, weight);
    squares += weight * weight;
  }
  const length = Math.sqrt(squares);
  for (const [word, weight] of vector) vector.set(word, weight / length);
  return vector;
}
