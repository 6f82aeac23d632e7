/**
 * How near two pages are by words and by vectors together.
 *
 *   s(a, c) = (1 - l) t(a, c) + l kappa max(cos(a, c), 0);   t, the nearness by words, where one of both has no vector
 *   kappa   = mean of t / mean of cos, each over the ten greatest among the candidates of a page, of all pages
 *
 * kappa makes both about as large, so that l is the share that vectors have. Pairs without a vector, as pages have that are known by
 * links alone, say nothing of it: with them kappa of articles was four times as large.
 *
 * Measured   bench/quality/vectors
 */
import { WHOLE } from '../pairs/nearness.ts';
import { COSINE_PARTS } from './cosine.ts';

export interface Blend {
  /** l, from 0 to 1. */
  readonly share: number;
  /** kappa. */
  readonly scale: number;
}

/** In place of a cosine, where one of two pages has no vector. */
export const NO_COSINE = 0xffff;

const MEASURED = 10;

/** s in whole 65,535ths, from t in the same and the cosine in parts (cosine.ts). */
export function blended(words: number, parts: number, { share, scale }: Blend): number {
  if (parts === NO_COSINE) return words;
  return Math.min(WHOLE, Math.round((1 - share) * words + (share * scale * WHOLE * parts) / COSINE_PARTS));
}

/** Measures kappa, page by page; sums are whole numbers, so that the order of pages is all one. */
export class ScaleCount {
  #words = 0;
  #parts = 0;

  /** Takes the candidates of a page: t and the cosine of each in the same order. */
  add(words: ArrayLike<number>, parts: ArrayLike<number>): void {
    const both = [...Array(parts.length).keys()].filter((i) => parts[i] !== NO_COSINE);
    this.#words += sumOfGreatest(both.map((i) => words[i]!));
    this.#parts += sumOfGreatest(both.map((i) => parts[i]!));
  }

  /** 0 where no two pages have vectors that point the same way. */
  get scale(): number {
    if (this.#parts === 0) return 0;
    return Math.round(((this.#words / WHOLE) * 1e6) / (this.#parts / COSINE_PARTS)) / 1e6;
  }
}

function sumOfGreatest(values: number[]): number {
  return values
    .sort((a, b) => b - a)
    .slice(0, MEASURED)
    .reduce((sum, value) => sum + value, 0);
}
