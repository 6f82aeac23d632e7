/**
 * Synthetic collections for benches: pages of topics over a Zipf vocabulary, as bags.
 *
 * Each page draws 60 % of its words from its topic's own vocabulary, 25 % from a second, broader theme and
 * the rest from the whole language; ranks in each follow Zipf. Weights are tf^.75 · log(N/df), rounded
 * consistently to integers of sum `weightSum`. Words of fewer than two pages or of more than 2 % of them
 * are dropped. A page's words depend on (seed, page) alone, so nothing is kept between the two passes.
 *
 * Cost    about 5 µs a page.
 */

import type { BagMatrix } from '../src/features/bag.ts';
import { mix32 } from '../src/lib/hash.ts';

export interface SyntheticOptions {
  readonly pageCount: number;
  readonly seed?: number;
  /** Words drawn for a page, mean; actual lengths are half to one and a half times this. */
  readonly pageWords?: number;
  readonly weightSum?: number;
  /** Pages of one topic, mean. */
  readonly topicPages?: number;
}

const PAGE_WORDS = 48;
const TOPIC_WORDS = 80;
const THEME_WORDS = 400;
const TOPICS_PER_THEME = 20;
/** Of 256 topics these are tight, and the words of 256 that their pages, or those of the others, draw from the topic. */
const TIGHT_TOPICS = 106;
const TIGHT_SHARE = 228;
const LOOSE_SHARE = 92;
const THEME_SHARE = 24;
const GOLDEN = 0x9e3779b1;

/** A collection of `pageCount` bags, equal for equal options on every machine, in memory that threads share. */
export function generateBags(options: SyntheticOptions): BagMatrix {
  const { pageCount } = options;
  const offsets = new Float64Array(new SharedArrayBuffer(8 * (pageCount + 1)));
  const sums = new Uint16Array(new SharedArrayBuffer(2 * pageCount));
  const room = pageCount * Math.ceil(1.5 * (options.pageWords ?? PAGE_WORDS));
  // What is not written to takes no memory.
  const features = new Uint32Array(new SharedArrayBuffer(4 * room));
  const weights = new Uint8Array(new SharedArrayBuffer(room));
  let at = 0;
  const featureCount = streamBags(options, (page, bag) => {
    for (let i = 0; i < bag.size; i++) {
      features[at] = bag.features[i]!;
      weights[at++] = bag.weights[i]!;
    }
    offsets[page + 1] = at;
    sums[page] = bag.sum;
  });
  return {
    offsets,
    features: features.subarray(0, at),
    weights: weights.subarray(0, at),
    sums,
    featureCount,
  };
}

/** One generated page: the first `size` of each array. */
interface GeneratedBag {
  readonly features: Uint32Array;
  readonly weights: Uint8Array;
  size: number;
  sum: number;
}

/** The same bags one by one, each overwritten by the next; returns how many features there are. */
export function streamBags(
  options: SyntheticOptions,
  take: (page: number, bag: GeneratedBag) => void,
): number {
  const { pageCount, seed = 1, weightSum = 200 } = options;
  const draw = createDraw(options);
  const vocabulary = vocabularyOf(pageCount);
  const pageCounts = new Uint32Array(vocabulary);
  for (let page = 0; page < pageCount; page++) {
    const distinct = draw.page(page);
    for (let i = 0; i < distinct; i++) pageCounts[draw.words[i]!]!++;
  }
  const maxPages = Math.max(2, Math.floor(pageCount * 0.02));
  const { featureOf, idf, featureCount } = rankFeatures(pageCounts, maxPages, pageCount);
  weigh(draw, { pageCount, seed, weightSum, featureOf, idf, featureCount }, take);
  return featureCount;
}

function vocabularyOf(pageCount: number): number {
  return Math.max(2000, Math.floor(Math.min(40 * Math.sqrt(pageCount) * 10, 2_000_000)));
}

/** The words of pages by number, before any is dropped. */
interface Draw {
  readonly words: Uint32Array;
  readonly counts: Uint8Array;
  /** Draws one page into `words` and `counts`; returns how many distinct words. */
  page(page: number): number;
}

export function createDraw(options: SyntheticOptions): Draw {
  const { pageCount, seed = 1, pageWords = PAGE_WORDS, topicPages = 54 } = options;
  const vocabulary = vocabularyOf(pageCount);
  const topicCount = Math.max(1, Math.round(pageCount / topicPages));
  const words = new Uint32Array(pageWords * 2);
  const counts = new Uint8Array(pageWords * 2);
  const lastPage = new Int32Array(vocabulary).fill(-1);
  const slot = new Uint32Array(vocabulary);
  const topicRanks = zipfTable(TOPIC_WORDS);
  const themeRanks = zipfTable(THEME_WORDS);
  const languageRanks = zipfTable(vocabulary);
  return {
    words,
    counts,
    page(page) {
      let state = mix32(mix32(page ^ seed) + seed);
      const next = () => mix32((state = (state + GOLDEN) | 0));
      const topic = Math.floor((next() / 2 ** 32) * topicCount);
      const theme = Math.floor(topic / TOPICS_PER_THEME);
      const own = (mix32(topic * 31 + 7) & 255) < TIGHT_TOPICS ? TIGHT_SHARE : LOOSE_SHARE;
      const length = Math.floor(pageWords * (0.5 + next() / 2 ** 32));
      let distinct = 0;
      for (let i = 0; i < length; i++) {
        const source = next() >>> 24;
        const rank = next() >>> 16;
        let word: number;
        if (source < own) word = mix32(topic * 8191 + topicRanks[rank]! + 0x5bd1e995) % vocabulary;
        else if (source < own + THEME_SHARE)
          word = mix32((theme + 1) * 65_537 + themeRanks[rank]!) % vocabulary;
        else word = languageRanks[rank]!;
        if (lastPage[word] === page) counts[slot[word]!]!++;
        else {
          lastPage[word] = page;
          slot[word] = distinct;
          words[distinct] = word;
          counts[distinct++] = 1;
        }
      }
      for (let i = 0; i < distinct; i++) lastPage[words[i]!] = -1;
      return distinct;
    },
  };
}

/** 65,536 equally likely draws of a rank below `size`, P(rank) proportional to 1 / (rank + 3). */
function zipfTable(size: number): Uint32Array {
  const table = new Uint32Array(65_536);
  const total = Math.log((size + 3) / 3);
  for (let i = 0; i < table.length; i++) {
    table[i] = Math.min(size - 1, Math.floor(3 * Math.exp(((i + 0.5) / table.length) * total) - 3));
  }
  return table;
}

/** Feature ids from the rarest kept word to the most frequent; -1 where dropped. */
function rankFeatures(pageCounts: Uint32Array, maxPages: number, pageCount: number) {
  const kept: number[] = [];
  for (let word = 0; word < pageCounts.length; word++) {
    if (pageCounts[word]! >= 2 && pageCounts[word]! <= maxPages) kept.push(word);
  }
  kept.sort((a, b) => pageCounts[a]! - pageCounts[b]! || a - b);
  const featureOf = new Int32Array(pageCounts.length).fill(-1);
  const idf = new Float64Array(kept.length);
  for (const [feature, word] of kept.entries()) {
    featureOf[word] = feature;
    idf[feature] = Math.log(pageCount / pageCounts[word]!);
  }
  return { featureOf, idf, featureCount: kept.length };
}

function weigh(
  draw: Draw,
  shape: {
    pageCount: number;
    seed: number;
    weightSum: number;
    featureOf: Int32Array;
    idf: Float64Array;
    featureCount: number;
  },
  take: (page: number, bag: GeneratedBag) => void,
): void {
  const { pageCount, featureOf, idf } = shape;
  const damped = Float64Array.from({ length: 256 }, (_, count) => count ** 0.75);
  const ids = new Uint32Array(draw.words.length);
  const real = new Float64Array(shape.featureCount);
  const bag = { features: ids.slice(), weights: new Uint8Array(ids.length), size: 0, sum: 0 };
  for (let page = 0; page < pageCount; page++) {
    const distinct = draw.page(page);
    bag.size = 0;
    bag.sum = 0;
    let kept = 0;
    let total = 0;
    for (let i = 0; i < distinct; i++) {
      const feature = featureOf[draw.words[i]!]!;
      if (feature < 0) continue;
      ids[kept++] = feature;
      total += real[feature] = damped[draw.counts[i]!]! * idf[feature]!;
    }
    ids.subarray(0, kept).sort();
    for (let i = 0; i < kept; i++) {
      const exact = (real[ids[i]!]! * shape.weightSum) / total;
      const up = mix32(ids[i]! ^ shape.seed) / 2 ** 32 < exact - Math.floor(exact) ? 1 : 0;
      const weight = Math.min(255, Math.floor(exact) + up);
      if (weight === 0) continue;
      bag.features[bag.size] = ids[i]!;
      bag.weights[bag.size++] = weight;
      bag.sum += weight;
    }
    take(page, bag);
  }
}
