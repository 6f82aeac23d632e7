/**
 * The kernel `bm25`: how near a page is to the owner of a list, by BM25 with the whole owner as the query, as a share of what
 * the owner itself would score.
 *
 *   B(a, c) = sum over the words of both of (1 + ln tf_a) idf tf_c (k1 + 1) / (tf_c + k1 (1 - b + b L_c / mean L))
 *   nearness = B(a, c) / B(a, a), at most 1;   k1 = 1.2, b = .75
 *
 * A word of the title, of headings or of links to the page is another feature than that of the text, and counts beside it.
 *
 * Source  Robertson, Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009.
 */
import { type EntrySpan, type PairNearness, WHOLE } from '../pairs/nearness.ts';
import { lengthOf, TermCounter } from './term-counts.ts';
import type { WordFeatures } from './word-features.ts';

const K1 = 1.2;
const B = 0.75;

/** What BM25 knows of an index. */
export interface Bm25Facts {
  readonly features: WordFeatures;
  /** Words of a page on average, of those that have any. */
  readonly meanLength: number;
}

/** What the length of a page takes from its words. */
export function lengthNorm(length: number, { meanLength }: Pick<Bm25Facts, 'meanLength'>): number {
  return K1 * (1 - B + (B * length) / meanLength);
}

/** What a word weighs in the page that asks, by its count. */
export const QUERY_WEIGHTS = Float64Array.from({ length: 256 }, (_, count) =>
  count === 0 ? 0 : 1 + Math.log(count),
);

/** What a word weighs in a page that is found. */
export function pageWeight(idf: number, count: number, norm: number): number {
  return (idf * count * (K1 + 1)) / (count + norm);
}

/** A score as a share of that of the owner, in whole 65,535ths. */
export function nearnessOfScore(score: number, own: number): number {
  return own > 0 ? Math.min(WHOLE, Math.round((WHOLE * score) / own)) : 0;
}

/** A page as a query: its words, ascending, what each weighs in it, and what it scores itself; and as a page that is found. */
export interface Bm25Query {
  readonly features: Uint32Array;
  readonly weights: Float64Array;
  readonly own: number;
  readonly counts: Uint8Array;
  /** What its length takes from its words. */
  readonly norm: number;
}

/** Makes queries of bags. */
export class Bm25Queries {
  readonly #facts: Bm25Facts;
  readonly #counter: TermCounter;

  constructor(facts: Bm25Facts) {
    this.#facts = facts;
    this.#counter = new TermCounter(facts.features);
  }

  of(bag: EntrySpan): Bm25Query {
    const counts = this.#counter.count(bag);
    return queryOf(this.#facts, bag, counts);
  }
}

/** The same where words are counted already. */
export function queryOf(
  facts: Bm25Facts,
  { features, start = 0 }: Pick<EntrySpan, 'features' | 'start'>,
  counts: Uint8Array,
): Bm25Query {
  const words: number[] = [];
  for (let i = 0; i < counts.length; i++) if (counts[i]! > 0) words.push(i);
  const norm = lengthNorm(lengthOf(counts), facts);
  const ids = Uint32Array.from(words, (i) => features[start + i]!);
  const weights = Float64Array.from(words, (i) => QUERY_WEIGHTS[counts[i]!]!);
  let own = 0;
  for (const [i, word] of words.entries()) {
    own += weights[i]! * pageWeight(facts.features.idf[ids[i]!]!, counts[word]!, norm);
  }
  return { features: ids, weights, own, counts: Uint8Array.from(words, (i) => counts[i]!), norm };
}

const NO_QUERY = { features: new Uint32Array(0), weights: new Float64Array(0), own: 0 };

/** Memory  8 bytes a feature. */
export class Bm25Nearness implements PairNearness {
  readonly #facts: Bm25Facts;
  readonly #queries: Bm25Queries;
  readonly #counter: TermCounter;
  /** Of each feature its weight in the query, else 0. */
  readonly #weights: Float64Array;
  #query: Pick<Bm25Query, 'features' | 'weights' | 'own'> = NO_QUERY;

  constructor(facts: Bm25Facts) {
    this.#facts = facts;
    this.#queries = new Bm25Queries(facts);
    this.#counter = new TermCounter(facts.features);
    this.#weights = new Float64Array(facts.features.idf.length);
  }

  take(bag: EntrySpan): void {
    for (const feature of this.#query.features) this.#weights[feature] = 0;
    this.#query = this.#queries.of(bag);
    for (const [i, feature] of this.#query.features.entries())
      this.#weights[feature] = this.#query.weights[i]!;
  }

  of(bag: EntrySpan): number {
    const { features, start = 0 } = bag;
    const { idf } = this.#facts.features;
    const counts = this.#counter.count(bag);
    const norm = lengthNorm(lengthOf(counts), this.#facts);
    let score = 0;
    for (let i = 0; i < counts.length; i++) {
      const feature = features[start + i]!;
      if (counts[i] === 0 || this.#weights[feature] === 0) continue;
      score += this.#weights[feature]! * pageWeight(idf[feature]!, counts[i]!, norm);
    }
    return nearnessOfScore(score, this.#query.own);
  }
}
