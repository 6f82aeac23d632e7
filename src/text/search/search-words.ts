/**
 * What a search takes for a word: a run of letters and digits with their marks, in lower case, without accents, and in the plain
 * letters that stand for ligatures, full-width and other forms (Unicode's compatibility decomposition).
 *
 * All else separates, an apostrophe too, so that `arbre` finds `l'arbre`. Each character of a script without spaces is a
 * word of its own: a word of several is found as a phrase. Only the first 64 UTF-16 units of a word count.
 */
import { spaceOut } from '../space-out.ts';

/** A letter that is an apostrophe (U+02BC) separates as other apostrophes do. */
const RUN = /(?:[^\P{L}\u02bc]|\p{N})(?:[^\P{L}\u02bc]|[\p{N}\p{M}])*/gu;
const ONE_RUN = new RegExp(`^${RUN.source}$`, 'u');
/** Marks that do not tell words apart: accents, and the points of Hebrew and Arabic. */
const ACCENT = /[\u0300-\u036f]|(?=\p{M})[\p{scx=Hebrew}\p{scx=Arabic}]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is whether it is ASCII
const ASCII = /^[\u0000-\u007f]*$/;
/** Not of numbers such as ², ½ and ①: what is 10² would be 102. */
const FORMS = /\P{No}+/gu;
const MAX_WORD_UNITS = 64;

export interface TextWord {
  /** As it is compared. */
  readonly word: string;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

/** The words of a text in order. Cost  200 ns a word. */
export function searchWords(text: string): TextWord[] {
  const words: TextWord[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    let start = index;
    // Only spaces are added, so lengths add up to the place.
    for (const word of spaceOut(run).split(' ')) {
      const end = start + word.length;
      words.push({ word: folded(word), start, end });
      start = end;
    }
  }
  return words;
}

function folded(word: string): string {
  const plain = ASCII.test(word) ? word.toLowerCase() : plainForm(word);
  if (plain.length <= MAX_WORD_UNITS) return plain;
  const end = isHighSurrogate(plain.charCodeAt(MAX_WORD_UNITS - 1)) ? MAX_WORD_UNITS - 1 : MAX_WORD_UNITS;
  return plain.slice(0, end);
}

function plainForm(word: string): string {
  const plain = word.replace(FORMS, (run) => run.normalize('NFKD'));
  // That of a vowel that is a mark and a letter is no word.
  const decomposed = ONE_RUN.test(plain) ? plain : word.normalize('NFD');
  return decomposed.toLowerCase().replaceAll('ς', 'σ').replace(ACCENT, '').normalize('NFC');
}

/** Whether a UTF-16 unit is the first half of a character. */
export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
