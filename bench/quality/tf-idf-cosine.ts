/**
 * The baseline: cosine of (1 + ln tf) ln(N / df) vectors over all pages, by brute force.
 *
 * Source  Manning, Raghavan, Schütze, Introduction to Information Retrieval, 2008, 6.4 (scheme ltc).
 */
import type { Answers } from './judge.ts';

const MIN_PAGES = 2;
const MAX_SHARE = 0.3;

interface Entry {
  readonly page: number;
  readonly weight: number;
}

export class TfIdfCosine {
  readonly #urls: string[];
  readonly #pageOf: Map<string, number>;
  readonly #vectors: Map<string, number>[];
  readonly #postings = new Map<string, Entry[]>();

  constructor(pages: ReadonlyMap<string, ReadonlyMap<string, number>>) {
    this.#urls = [...pages.keys()];
    this.#pageOf = new Map(this.#urls.map((url, page) => [url, page]));
    const pageCounts = new Map<string, number>();
    for (const words of pages.values()) {
      for (const word of words.keys()) pageCounts.set(word, (pageCounts.get(word) ?? 0) + 1);
    }
    this.#vectors = [...pages.values()].map((words) => weigh(words, pageCounts, pages.size));
    for (const [page, vector] of this.#vectors.entries()) {
      for (const [word, weight] of vector) {
        const list = this.#postings.get(word);
        if (list === undefined) this.#postings.set(word, [{ page, weight }]);
        else list.push({ page, weight });
      }
    }
  }

  similarity(a: string, b: string): number {
    const [left, right] = [this.#vectors[this.#pageOf.get(a)!]!, this.#vectors[this.#pageOf.get(b)!]!];
    let dot = 0;
    for (const [word, weight] of left) dot += weight * (right.get(word) ?? 0);
    return dot;
  }

  /** The `limit` nearest pages of each query. */
  answers(queries: Iterable<string>, limit: number): Answers {
    return new Map(Array.from(queries, (query) => [query, this.#nearest(query, limit)]));
  }

  #nearest(query: string, limit: number): string[] {
    const own = this.#pageOf.get(query);
    if (own === undefined) return [];
    const dots = new Float64Array(this.#urls.length);
    for (const [word, weight] of this.#vectors[own]!) {
      for (const entry of this.#postings.get(word)!) dots[entry.page]! += weight * entry.weight;
    }
    dots[own] = 0;
    const order = Uint32Array.from(dots.keys()).filter((page) => dots[page]! > 0);
    order.sort((a, b) => dots[b]! - dots[a]! || a - b);
    return Array.from(order.subarray(0, limit), (page) => this.#urls[page]!);
  }
}

function weigh(
  words: ReadonlyMap<string, number>,
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
