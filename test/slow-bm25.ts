/** BM25 over the words of short texts, from the formula; shares no code with what it judges. */

const SYLLABLES = ['ka', 'lo', 'mu', 'ri', 'ba', 'to', 'gu', 'pa', 'do'];
const WORDS = SYLLABLES.flatMap((a) => SYLLABLES.map((b) => `${a}${b}vo`));

/** Texts of some twenty words, each of one of six subjects or of any: most once, some twice and one three times. */
export function shortTexts(count: number, seed = 7): string[] {
  let state = seed;
  const below = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * limit);
  };
  return Array.from({ length: count }, (_, i) => {
    const words = new Set<string>();
    const size = 18 + below(8);
    while (words.size < size) words.add(WORDS[below(2) === 0 ? below(81) : ((i % 6) * 13 + below(20)) % 81]!);
    return [...words].flatMap((word, at) => Array(at === 0 ? 3 : at < 4 ? 2 : 1).fill(word)).join(' ');
  });
}

/** How near each text is to each other, in whole 65,535ths, by the document frequencies and the mean length of a collection. */
export function slowBm25(texts: readonly string[], collection: readonly string[] = texts): number[][] {
  const wordsOf = (text: string) => text.split(' ');
  const bags = texts.map((text) => Map.groupBy(wordsOf(text), (word) => word));
  const pages = Map.groupBy(
    collection.flatMap((text) => [...new Set(wordsOf(text))]),
    (word) => word,
  );
  const df = (word: string) => pages.get(word)?.length ?? 0;
  const total = collection.length;
  const mean = collection.reduce((sum, text) => sum + wordsOf(text).length, 0) / total;
  const lengths = texts.map((text) => wordsOf(text).length);
  const score = (a: number, c: number) =>
    [...bags[a]!].reduce((sum, [word, { length: asked }]) => {
      const tf = bags[c]!.get(word)?.length ?? 0;
      const idf = Math.log(1 + (total - df(word) + 0.5) / (df(word) + 0.5));
      const norm = 1.2 * (0.25 + (0.75 * lengths[c]!) / mean);
      return sum + ((1 + Math.log(asked)) * idf * tf * 2.2) / (tf + norm);
    }, 0);
  return texts.map((_, a) => {
    const own = score(a, a);
    return texts.map((_, c) => Math.round(65_535 * Math.min(1, score(a, c) / own)));
  });
}
