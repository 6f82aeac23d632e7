/**
 * Porter's stemmer as printed in 1980 ("-abli" and no "-logi" in step 2, words of two letters stemmed too).
 *
 * The package `stemmer` follows its author's later revision; the three departures are undone here.
 *
 * Source  M. F. Porter, An algorithm for suffix stripping, Program 14(3), 1980.
 */
import { stemmer } from 'stemmer';

/** Forms that step 1 turns into "…bli" or "…logi", which as printed no later step touches. */
const KEEPS_I = /^((?:.*[^a])?bl|.*log)(?:ys?|is?|ies|ied|ying)$/;
/** A vowel; y is one after a consonant, and after a vowel it does not matter. */
const HAS_VOWEL = /[aeiou]|.y/;

/** The last two letters of words that a step may change: nearly half of the words of a crawl have others. */
const CHANGED = /^(?:.[sye]|ed|ng|[cglt]i|[alu]l|[eo]r|on|sm|nt|ic|ou)$/;
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const isChanged = LETTERS.flatMap((one) => LETTERS.map((last) => CHANGED.test(one + last)));

/** Stem of a word of a-z. */
export function porterStem(word: string): string {
  const { length } = word;
  if (length <= 2 || word === 'ies') return stemShort(word);
  if (!isChanged[26 * word.charCodeAt(length - 2) + word.charCodeAt(length - 1) - 27 * 97]) return word;
  const base = KEEPS_I.exec(word)?.[1];
  return base !== undefined && HAS_VOWEL.test(base) ? `${base}i` : stemmer(word);
}

/** Steps 1a and 1c, all that can befall a word this short. */
function stemShort(word: string): string {
  if (word === 'ies') return 'i';
  if (word.endsWith('s') && word !== 'ss') return word.slice(0, -1);
  return /^[aeiouy]y$/.test(word) ? `${word[0]}i` : word;
}
