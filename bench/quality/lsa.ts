/**
 * Latent semantic analysis: vectors of pages from the words that occur together, as a stand-in for an encoder.
 *
 *   A  pages by words, (1 + ln tf) ln(N / df), rows of length 1; words of 2 pages to 30 % of them
 *   Q  an orthonormal basis of A (A' A)^4 R, R by lot; B = Q' A; B B' = L L'
 *   V  B' L^-T, the words' vectors: a page's vector is its row of A times V, those of these pages are Q L
 *
 * Source  Deerwester, Dumais, Furnas, Landauer, Harshman (1990); Halko, Martinsson, Tropp (2011) for Q.
 */
import { Random } from '../../src/lib/random.ts';

type Words = ReadonlyMap<string, number>;

const ROUNDS = 4;
const MIN_PAGES = 2;
const MAX_SHARE = 0.3;

interface Sparse {
  readonly words: Uint32Array;
  readonly weights: Float64Array;
}

/** Makes vectors of `dimensions` components of any words; zeros for words that the pages do not have. */
export function trainLsa(
  pages: readonly Words[],
  dimensions: number,
  seed = 1,
): (words: Words) => Float32Array {
  const pageCounts = new Map<string, number>();
  for (const words of pages)
    for (const word of words.keys()) pageCounts.set(word, (pageCounts.get(word) ?? 0) + 1);
  const kept = [...pageCounts].filter(([, count]) => count >= MIN_PAGES && count <= MAX_SHARE * pages.length);
  const idOf = new Map(kept.map(([word], id) => [word, id]));
  const idf = kept.map(([, count]) => Math.log(pages.length / count));
  const rowOf = (words: Words): Sparse => {
    const entries = [...words].flatMap(([word, tf]) => {
      const id = idOf.get(word);
      return id === undefined ? [] : [[id, (1 + Math.log(tf)) * idf[id]!] as const];
    });
    const length = Math.hypot(...entries.map(([, weight]) => weight)) || 1;
    return {
      words: Uint32Array.from(entries, ([id]) => id),
      weights: Float64Array.from(entries, ([, weight]) => weight / length),
    };
  };
  const rows = pages.map(rowOf);
  const random = new Random(seed);
  let q: Float64Array[] = Array.from({ length: pages.length }, () =>
    Float64Array.from({ length: dimensions }, () => random.below(2 ** 20) / 2 ** 19 - 1),
  );
  orthonormalize(q, dimensions);
  for (let round = 0; round < ROUNDS; round++) {
    const ofWords = timesTransposed(rows, q, kept.length, dimensions);
    q = rows.map((row) => times(row, ofWords, dimensions));
    orthonormalize(q, dimensions);
  }
  const vectors = timesTransposed(rows, q, kept.length, dimensions);
  const factor = cholesky(gram(vectors, dimensions), dimensions);
  for (const vector of vectors) solve(factor, vector, dimensions);
  return (words) => Float32Array.from(times(rowOf(words), vectors, dimensions));
}

function times(
  { words, weights }: Sparse,
  vectors: readonly Float64Array[],
  dimensions: number,
): Float64Array {
  const sum = new Float64Array(dimensions);
  for (const [i, word] of words.entries()) {
    const vector = vectors[word]!;
    for (let d = 0; d < dimensions; d++) sum[d]! += weights[i]! * vector[d]!;
  }
  return sum;
}

function timesTransposed(
  rows: readonly Sparse[],
  q: readonly Float64Array[],
  wordCount: number,
  dimensions: number,
): Float64Array[] {
  const sums = Array.from({ length: wordCount }, () => new Float64Array(dimensions));
  for (const [page, { words, weights }] of rows.entries()) {
    for (const [i, word] of words.entries()) {
      const sum = sums[word]!;
      for (let d = 0; d < dimensions; d++) sum[d]! += weights[i]! * q[page]![d]!;
    }
  }
  return sums;
}

/** Gram and Schmidt on the columns, twice for rounding. */
function orthonormalize(rows: readonly Float64Array[], dimensions: number): void {
  for (let d = 0; d < dimensions; d++) {
    for (const pass of [0, 1]) {
      for (let before = 0; before < d; before++) {
        let dot = 0;
        for (const row of rows) dot += row[d]! * row[before]!;
        for (const row of rows) row[d]! -= dot * row[before]!;
      }
      if (pass === 0) continue;
      const length = Math.sqrt(rows.reduce((sum, row) => sum + row[d]! ** 2, 0)) || 1;
      for (const row of rows) row[d]! /= length;
    }
  }
}

/** Of the columns. */
function gram(rows: readonly Float64Array[], dimensions: number): Float64Array[] {
  const sums = Array.from({ length: dimensions }, () => new Float64Array(dimensions));
  for (const row of rows)
    for (let i = 0; i < dimensions; i++) for (let j = 0; j <= i; j++) sums[i]![j]! += row[i]! * row[j]!;
  return sums;
}

/** The lower factor. */
function cholesky(matrix: readonly Float64Array[], dimensions: number): Float64Array[] {
  const factor = Array.from({ length: dimensions }, () => new Float64Array(dimensions));
  for (let i = 0; i < dimensions; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i]![j]!;
      for (let k = 0; k < j; k++) sum -= factor[i]![k]! * factor[j]![k]!;
      factor[i]![j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / factor[j]![j]!;
    }
  }
  return factor;
}

/** Puts L^-1 x in the place of x. */
function solve(factor: readonly Float64Array[], x: Float64Array, dimensions: number): void {
  for (let i = 0; i < dimensions; i++) {
    for (let k = 0; k < i; k++) x[i]! -= factor[i]![k]! * x[k]!;
    x[i]! /= factor[i]![i]!;
  }
}
