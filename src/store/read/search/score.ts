/**
 * BM25.
 *
 * Source  S. Robertson, H. Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009.
 */

const K1 = 1.2;
const B = 0.75;
/** How much more a word of the title counts than one of the text. */
export const TITLE_WEIGHT = 5;

/** By how much the length of a page, in words, takes away from what it says. */
export function lengthShare(length: number, averageLength: number): number {
  return K1 * (1 - B + (B * length) / averageLength);
}

/** What a term says of a page that has it `own` times, or words that stand for it `others` times. */
export function termScore(
  { weight, otherWeight }: { readonly weight: number; readonly otherWeight: number },
  own: number,
  others: number,
  share: number,
): number {
  const frequency = own > 0 ? own : others;
  return ((own > 0 ? weight : otherWeight) * frequency * (K1 + 1)) / (frequency + share);
}
