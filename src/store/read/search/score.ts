/**
 * BM25.
 *
 * Source  S. Robertson, H. Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009.
 */

const K1 = 1.2;
const B = 0.75;
/** How much more a word of the title counts than one of the text. */
export const TITLE_WEIGHT = 5;
/**
 * How much a page counts that is known by links alone: what they call it stands as its title, and without a text it is as short as
 * that. A page that was read and has the word in title and text comes before it, up to seven times the
 * average length.
 */
export const UNREAD_SHARE = 0.5;

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
