/** Lists by a dot product of the words of a page with those of every other, for the baselines. */
import type { Answers } from './judge.ts';

/** Word to weight. */
export type Weights = ReadonlyMap<string, number>;

interface Entry {
  readonly page: number;
  readonly weight: number;
}

export class BruteForce {
  readonly #urls: readonly string[];
  readonly #pageOf: ReadonlyMap<string, number>;
  readonly #postings = new Map<string, Entry[]>();

  /** Shape  `pages` has the weights of each page, by URL. */
  constructor(pages: ReadonlyMap<string, Weights>) {
    this.#urls = [...pages.keys()];
    this.#pageOf = new Map(this.#urls.map((url, page) => [url, page]));
    for (const [page, weights] of [...pages.values()].entries()) {
      for (const [word, weight] of weights) {
        const list = this.#postings.get(word);
        if (list === undefined) this.#postings.set(word, [{ page, weight }]);
        else list.push({ page, weight });
      }
    }
  }

  /** The `limit` pages of the greatest products with each query, itself left out; `weightsOf` are the weights of the query. */
  answers(queries: Iterable<string>, limit: number, weightsOf: (query: string) => Weights): Answers {
    return new Map(Array.from(queries, (query) => [query, this.#greatest(query, limit, weightsOf)]));
  }

  #greatest(query: string, limit: number, weightsOf: (query: string) => Weights): string[] {
    const own = this.#pageOf.get(query);
    if (own === undefined) return [];
    const products = new Float64Array(this.#urls.length);
    for (const [word, weight] of weightsOf(query)) {
      for (const entry of this.#postings.get(word) ?? []) products[entry.page]! += weight * entry.weight;
    }
    products[own] = 0;
    const order = Uint32Array.from(products.keys()).filter((page) => products[page]! > 0);
    order.sort((a, b) => products[b]! - products[a]! || a - b);
    return Array.from(order.subarray(0, limit), (page) => this.#urls[page]!);
  }
}

/** Number of pages that have each word. */
export function pageCountsOf(pages: Iterable<Weights>): Map<string, number> {
  const pageCounts = new Map<string, number>();
  for (const words of pages) {
    for (const word of words.keys()) pageCounts.set(word, (pageCounts.get(word) ?? 0) + 1);
  }
  return pageCounts;
}
