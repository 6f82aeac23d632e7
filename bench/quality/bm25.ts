/**
 * The second baseline: BM25 with the whole page as the query, by brute force; k1 = 1.2, b = .75, words of the query
 * weighted 1 + ln tf.
 *
 * Source  Robertson, Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009; the idf that is never
 *         negative, ln(1 + (N - df + .5) / (df + .5)), as Lucene has it.
 */
import { BruteForce, pageCountsOf, type Weights } from './brute-force.ts';
import type { Answers } from './judge.ts';

const K1 = 1.2;
const B = 0.75;

export class Bm25 {
  readonly #pages: ReadonlyMap<string, Weights>;
  readonly #scores: BruteForce;

  /** Shape  `pages` has the count of each word of each page, by URL. */
  constructor(pages: ReadonlyMap<string, Weights>) {
    this.#pages = pages;
    const pageCounts = pageCountsOf(pages.values());
    const lengthOf = (words: Weights) => [...words.values()].reduce((sum, count) => sum + count, 0);
    const meanLength = [...pages.values()].reduce((sum, words) => sum + lengthOf(words), 0) / pages.size;
    const weigh = (words: Weights): Weights => {
      const norm = K1 * (1 - B + (B * lengthOf(words)) / meanLength);
      return new Map(
        [...words].map(([word, count]) => {
          const df = pageCounts.get(word)!;
          const idf = Math.log(1 + (pages.size - df + 0.5) / (df + 0.5));
          return [word, (idf * count * (K1 + 1)) / (count + norm)];
        }),
      );
    };
    this.#scores = new BruteForce(new Map([...pages].map(([url, words]) => [url, weigh(words)])));
  }

  /** The `limit` pages of the greatest scores, of each query. */
  answers(queries: Iterable<string>, limit: number): Answers {
    return this.#scores.answers(
      queries,
      limit,
      (query) => new Map([...this.#pages.get(query)!].map(([word, count]) => [word, 1 + Math.log(count)])),
    );
  }
}
