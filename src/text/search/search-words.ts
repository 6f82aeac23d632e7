/**
 * What a search takes for a word: a run of letters and digits with their marks, in lower case, without accents, and in the plain
 * letters that stand for ligatures, full-width and other forms (Unicode's compatibility decomposition), and for those of `TYPED_AS`.
 *
 * All else separates, an apostrophe too, so that `arbre` finds `l'arbre`. Each character of a script without spaces is a
 * word of its own: a word of several is found as a phrase. Only the first 64 UTF-16 units of a word count.
 */
import { spaceOut } from '../space-out.ts';

/** A letter that is an apostrophe (U+02BC) separates as other apostrophes do; a joiner within a word of Sinhala or Hindi does not. */
const RUN = /(?:[^\P{L}\u02bc]|\p{N})(?:[^\P{L}\u02bc]|[\p{N}\p{M}\u200d])*/gu;
const ONE_RUN = new RegExp(`^${RUN.source}$`, 'u');
/** What does not tell words apart: accents, the points of Hebrew and Arabic, the stroke that stretches Arabic letters, and what chooses a form of the character before it. */
const ACCENT = /[\u0300-\u036f]|\u0640|\u200d|\p{VS}|(?=\p{M})[\p{scx=Hebrew}\p{scx=Arabic}]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is whether it is ASCII
const ASCII = /^[\u0000-\u007f]*$/;
/** Not of numbers such as ², ½ and ①: what is 10² would be 102. */
const FORMS = /\P{No}+/gu;
/**
 * What people type who lack a letter that Unicode decomposes into no other one: `strasse`, `oeuvre`, `lodz`. Letters of languages
 * written today, each as in Lucene's ICUFoldingFilter (the older ones of UTR #30), whose longer list has letters of phonetics
 * and of manuscripts, too; without `ə`, which has another letter in each list (`a` there, `e` in CLDR's Latin-ASCII).
 */
const TYPED_AS: Readonly<Record<string, string>> = {
  // German; Danish, Norwegian, French; Polish; Croatian, Vietnamese, Sami; Icelandic; Turkish; Maltese.
  ...{ ß: 'ss', æ: 'ae', ø: 'o', œ: 'oe', ł: 'l', đ: 'd', ŋ: 'n', ŧ: 't', ð: 'd', þ: 'th', ı: 'i', ħ: 'h' },
  // Hausa; Ukrainian.
  ...{ ɓ: 'b', ɗ: 'd', ƙ: 'k', ƴ: 'y', ґ: 'г' },
  // Persian and Urdu on a keyboard for Arabic, and what Arabic itself spells either way.
  ...{ ی: 'ي', ک: 'ك', ى: 'ي', ة: 'ه' },
};
const TYPED_OTHERWISE = new RegExp(`[${Object.keys(TYPED_AS).join('')}]`, 'g');
const MAX_WORD_UNITS = 64;

export interface TextWord {
  /** As it is compared. */
  readonly word: string;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

/** The words of a text in order. Cost  200 ns a word of ASCII, 1 to 3 microseconds others. */
export function searchWords(text: string): TextWord[] {
  const words: TextWord[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    let start = index;
    // Only spaces are added, so lengths add up to the place.
    for (const word of spaceOut(run).split(' ')) {
      const end = start + word.length;
      const plain = folded(word);
      // A line of strokes that stretch nothing.
      if (plain !== '') words.push({ word: plain, start, end });
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
  const bare = decomposed.toLowerCase().replaceAll('ς', 'σ').replace(ACCENT, '');
  return bare.replace(TYPED_OTHERWISE, (letter) => TYPED_AS[letter]!).normalize('NFC');
}

/** The source of a regular expression (`iu`) that finds a word as texts may have it: other letters for one or two of its own, and marks. */
export function asWritten(word: string): string {
  writtenForms ??= formsByPlain();
  const forms = writtenForms;
  const oneOf = (letters: string) => `[${letters}][\\p{M}\\u0640\\u200d]*`;
  return word.replace(LETTERS_AS_WRITTEN, (letters) => {
    const apart = Array.from(letters, (letter) => oneOf(letter + (forms.get(letter) ?? ''))).join('');
    const joined = letters.length > 1 ? forms.get(letters) : undefined;
    return joined === undefined ? apart : `(?:${apart}|${oneOf(joined)})`;
  });
}

/** One letter, or two that may be written as one. */
const LETTERS_AS_WRITTEN = /ss|ae|oe|th|f[fil]|./gu;
/** Letters that are others in a word, by those; made when first asked for. */
let writtenForms: ReadonlyMap<string, string> | null = null;
/** Latin, Greek, Cyrillic, Hebrew, Arabic; ligatures; letters and digits of full width. */
const WITH_FORMS = /[\u00c0-\u06ff\u1e00-\u1fff\ufb00-\ufb04\uff10-\uff5a]/;

function formsByPlain(): Map<string, string> {
  const forms = new Map<string, string>();
  for (let code = 0; code < 0x10000; code++) {
    const letter = String.fromCharCode(code);
    const plain = WITH_FORMS.test(letter) ? searchWords(letter)[0]?.word : undefined;
    if (plain !== undefined && plain !== letter) forms.set(plain, (forms.get(plain) ?? '') + letter);
  }
  return forms;
}

/** Whether a UTF-16 unit is the first half of a character. */
export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
