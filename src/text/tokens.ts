/**
 * The canonical token sequence of a text: what two texts must share to be called lexically equivalent,
 * and what shingles are cut from.
 *
 * A token is a run of letters, digits and combining marks, in lower case and usual width (width.ts); all else separates. No
 * stemming, no stop words: copies are about wording. As for words, an apostrophe, soft hyphen or joiner
 * inside a token is dropped; unlike words, a script written without spaces gives one token a character.
 * Code points are folded one by one, without Unicode normalization: the composed and the decomposed
 * spelling of an accented word are different tokens.
 *
 * Each token is kept as a 64-bit fingerprint in two lanes, hashed in place by the kernel: no string is made. Where the words
 * of the same text are looked up, too, `takeTokens` of the kernel has the fingerprints of those that it knows.
 * Cost: see sketch/shingle-sketch.ts, which is what tokens are for.
 */
import * as kernel from './text-kernel.ts';
import { TokenSequence } from './token-sequence.ts';

/**
 * Reads the tokens of a text into `into` and returns it.
 *
 * Units   offsets are UTF-16 units of `text`.     Cost  O(length), no allocation once `into` has grown.
 * Source  Broder, Glassman, Manasse, Zweig, WWW6 1997, section 2 ("canonical sequence of tokens").
 */
export function readTokens(text: string, into: TokenSequence = new TokenSequence()): TokenSequence {
  kernel.readTokens(text, into);
  return into;
}
