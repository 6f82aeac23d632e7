/** A seeded index of any size for serving benches, written without building: topics of 40 words and a Zipf tail. */
import { Random } from '../src/lib/random.ts';
import { IndexWriter } from '../src/store/writer.ts';

export const NEIGHBOURS = 32;
const TOPIC_WORDS = 40;
const TAIL_WORDS = 20_000;
const PAGES_A_TOPIC = 100;
const WORDS_A_PAGE = 90;

export interface ServingIndex {
  readonly urls: string[];
  /** A text of the words of one topic, for POST /similar. */
  text(random: Random): string;
}

/** Letters alone, as words are. */
function wordOf(n: number): string {
  let word = '';
  for (let rest = n + 1; rest > 0; rest = Math.floor(rest / 20)) word += 'bcdfghjklmnpqrstvwxz'[rest % 20];
  return `q${word}`;
}

function tailWord(random: Random, topicCount: number): number {
  const rank = Math.floor(Math.exp(random.below(1e6) * 1e-6 * Math.log(TAIL_WORDS))) - 1;
  return topicCount * TOPIC_WORDS + rank;
}

export function writeServingIndex(path: string, pageCount: number, seed: number): ServingIndex {
  const random = new Random(seed);
  const topicCount = Math.max(1, Math.floor(pageCount / PAGES_A_TOPIC));
  const bags = Array.from({ length: pageCount }, (_, page) => drawBag(random, page % topicCount, topicCount));
  const frequency = new Map<number, number>();
  for (const bag of bags) for (const word of bag.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const words = [...frequency.keys()].sort((a, b) => frequency.get(a)! - frequency.get(b)! || a - b);
  const featureOf = new Map(words.map((word, id) => [word, id]));
  const rows = bags.map((bag) =>
    [...bag].map(([word, weight]) => ({ feature: featureOf.get(word)!, weight })),
  );
  for (const row of rows) row.sort((a, b) => a.feature - b.feature);
  const sums = rows.map((row) => row.reduce((sum, { weight }) => sum + weight, 0));
  const urls = rows.map((_, page) => urlOf(page));

  const writer = new IndexWriter(path);
  writer.parameter('recipe', { parts: { content: 1 }, total: 800, tf: 'pow75', idf: 'flattened' });
  writer.parameter('stop_words', []);
  writer.parameter('cluster_similarity', 0.2);
  for (let site = 0; site < 1000; site++) writer.site(site, `site${String(site).padStart(4, '0')}.example`);
  writer.relation({
    id: 1,
    name: 'topic',
    profile: 'akin',
    measure: 'exact',
    neighbourLimit: NEIGHBOURS,
    floor: 0.03,
  });
  writer.part(1, 'content', pageCount);
  for (const [page, url] of urls.entries()) {
    const title = `Page ${page} about ${wordOf(page % topicCount)} and "what follows" from it`;
    const siteId = Math.floor((page * 1000) / pageCount);
    const counts = { wordCount: 500, inLinkCount: 0, outLinkCount: 0 };
    writer.page({ id: page, url, siteId, title, lang: 'en', fetched: true, ...counts });
  }
  for (const [id, word] of words.entries()) {
    const term = wordOf(word);
    writer.feature(1, { id, part: 'content', stem: term, term, pageCount: frequency.get(word)! });
  }
  for (const [page, row] of rows.entries()) {
    writer.bag(
      1,
      page,
      Uint32Array.from(row, (e) => e.feature),
      Uint8Array.from(row, (e) => e.weight),
    );
  }
  writer.bagSums(1, 0, new Uint8Array(Uint16Array.from(sums).buffer));
  writePostings(writer, rows, words.length);
  for (let page = 0; page < pageCount; page++)
    writer.neighbours(1, page, drawNeighbours(random, page, topicCount, sums));
  writer.finish(0, 'bench');
  return {
    urls,
    text: (draw) => {
      const topic = draw.below(topicCount);
      return Array.from({ length: 300 }, (_, i) =>
        wordOf(i % 3 === 0 ? tailWord(draw, topicCount) : topic * TOPIC_WORDS + draw.below(TOPIC_WORDS)),
      ).join(' ');
    },
  };

  function urlOf(page: number): string {
    const site = String(Math.floor((page * 1000) / pageCount)).padStart(4, '0');
    return `https://www.site${site}.example/articles/2026/${String(page).padStart(8, '0')}-what-follows.html`;
  }
}

function drawBag(random: Random, topic: number, topicCount: number): Map<number, number> {
  const bag = new Map<number, number>();
  for (let i = 0; i < WORDS_A_PAGE; i++) {
    const isTopic = i % 3 !== 0;
    const word = isTopic ? topic * TOPIC_WORDS + random.below(TOPIC_WORDS) : tailWord(random, topicCount);
    bag.set(word, Math.min(255, (bag.get(word) ?? 0) + 4));
  }
  return bag;
}

function writePostings(
  writer: IndexWriter,
  rows: readonly { feature: number; weight: number }[][],
  featureCount: number,
): void {
  const lists: number[][] = Array.from({ length: featureCount }, () => []);
  for (const [page, row] of rows.entries()) {
    for (const { feature, weight } of row) lists[feature]!.push((page | (weight << 24)) >>> 0);
  }
  for (const [feature, list] of lists.entries()) {
    writer.posting(1, 0, feature, new Uint8Array(Uint32Array.from(list).buffer));
  }
}

/** Other pages of the topic, with figures that fall as a real list does. */
function drawNeighbours(random: Random, page: number, topicCount: number, sums: readonly number[]) {
  const ids = new Set<number>();
  while (ids.size < NEIGHBOURS) {
    const other = (page % topicCount) + topicCount * random.below(Math.floor(sums.length / topicCount));
    if (other !== page) ids.add(other);
  }
  const shared = Uint16Array.from({ length: NEIGHBOURS }, () => 40 + random.below(150))
    .sort()
    .reverse();
  const list = Uint32Array.from(ids);
  return { ids: list, shared, total: shared.map((overlap, i) => sums[page]! + sums[list[i]!]! - overlap) };
}
