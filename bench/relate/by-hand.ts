import { builtInStopWords } from '../../src/text/stop-words.ts';
import { type Article, best, type Lists } from './article.ts';

/** Lists as they are written by hand: the cosine of TF-IDF vectors, each in a `Map`, of every pair in a loop. */
export function byHand(articles: readonly Article[]): Lists {
  const stopWords = builtInStopWords();
  const counts = articles.map(({ text }) => {
    const tfs = new Map<string, number>();
    for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
      if (!stopWords.has(word)) tfs.set(word, (tfs.get(word) ?? 0) + 1);
    }
    return tfs;
  });
  const pageCounts = new Map<string, number>();
  for (const tfs of counts) {
    for (const word of tfs.keys()) pageCounts.set(word, (pageCounts.get(word) ?? 0) + 1);
  }
  const vectors = counts.map((tfs) => {
    const idf = (word: string) => Math.log(articles.length / pageCounts.get(word)!);
    const weights = Array.from(tfs, ([word, tf]) => [word, tf * idf(word)] as const);
    const length = Math.hypot(...weights.map(([, weight]) => weight)) || 1;
    return new Map(weights.map(([word, weight]) => [word, weight / length]));
  });
  const scores = articles.map(() => new Float64Array(articles.length));
  for (const [i, a] of vectors.entries()) {
    for (let j = 0; j < i; j++) {
      let cosine = 0;
      for (const [word, weight] of a) cosine += weight * (vectors[j]!.get(word) ?? 0);
      scores[i]![j] = scores[j]![i] = cosine;
    }
  }
  return new Map(articles.map(({ url }, i) => [url, best(articles, i, scores[i]!)]));
}
