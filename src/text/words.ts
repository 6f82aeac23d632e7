/**
 * The words of a text, in order.
 *
 * A word is a run of letters and their combining marks, in lower case, usual width (width.ts) and NFC; digits and everything else
 * separate ("non-alphabetic characters are removed": Haveliwala, Gionis, Indyk 2000, section 2). An
 * apostrophe, soft hyphen or joiner between two letters is dropped: "don't" is "dont"; a ligature is its letters. Words of one letter
 * and of more than 40 (encoded data) are left out. Scripts written without spaces give overlapping pairs of
 * characters, each with its marks, as there is no dictionary here; a character by itself stands alone.
 *
 * ASCII words are found by a table; a run with any other character takes the slow road by Unicode class.
 *
 * Cost    about 35 ns a word of English text. Pages are read by `takeWords` (take-words.ts), which comes here but
 *         once for a token that it meets often.
 * Limits  French and Italian elisions stay glued ("l'arbre" is "larbre"); German compounds stay whole.
 */
import { characterClass, DROPPED, MARK, SEPARATOR, SYLLABLE, UNSPACED } from './character-class.ts';
import { usualWidth } from './width.ts';

const MAX_WORD_LETTERS = 40;
/** Bounds a word whose letters carry heaps of marks. */
const MAX_WORD_UNITS = 3 * MAX_WORD_LETTERS;

type WordVisitor = (word: string, start: number, end: number) => void;

const APOSTROPHE = 0x27;
const DOTTED_CAPITAL_I = '\u0130';
/** Of Latin letters: `ﬁ`. */
const LIGATURES = /[\ufb00-\ufb06]/g;
/**
 * What stands in a word or not, as the writer likes: the stroke that stretches Arabic letters and the signs of vowels above and below
 * them (as in Lucene's ArabicNormalizer), and what chooses a form of the character before it.
 */
const OPTIONAL = /\u0640|[\u064b-\u0652]|\u0670|\p{VS}/gu;

/** ASCII code to its lower-case letter, 0 where it is none. */
const LOWER = Uint8Array.from({ length: 128 }, (_, code) => {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a && code >= 0x41 ? lower : 0;
});

/**
 * Calls `visit` for each word of `text`; the word stands at `text.slice(start, end)`, marks and all.
 *
 * A word may be a slice that keeps the whole text alive: copy what outlives the text.
 */
export function forEachWord(text: string, visit: WordVisitor): void {
  const length = text.length;
  let i = 0;
  while (i < length) {
    const code = text.charCodeAt(i);
    if (code >= 128) {
      i = visitUnicodeRun(text, i, visit);
      continue;
    }
    let lower = LOWER[code]!;
    if (lower === 0) {
      i++;
      continue;
    }
    const start = i;
    let capital = 0;
    let unit = code;
    do {
      capital |= lower ^ unit;
      i++;
      unit = i < length ? text.charCodeAt(i) : 0;
      lower = unit < 128 ? LOWER[unit]! : 0;
    } while (lower !== 0);
    if (unit >= 128 || unit === APOSTROPHE) {
      i = visitUnicodeRun(text, start, visit);
      continue;
    }
    if (i - start < 2 || i - start > MAX_WORD_LETTERS) continue;
    const word = text.slice(start, i);
    visit(capital === 0 ? word : word.toLowerCase(), start, i);
  }
}

/** Visits the word of the run that begins at `from`, whatever its script; returns where to go on. */
function visitUnicodeRun(text: string, from: number, visit: WordVisitor): number {
  const length = text.length;
  let i = from;
  let end = from;
  let letters = 0;
  let dropped = false;
  while (i < length) {
    const codePoint = text.codePointAt(i)!;
    const width = codePoint > 0xffff ? 2 : 1;
    const kind = characterClass(codePoint);
    if (letters === 0 && kind === UNSPACED) return visitPairs(text, i, visit);
    if (letters === 0 && (kind === SEPARATOR || kind === MARK || kind === DROPPED)) return i + width;
    if (kind === SEPARATOR || kind === UNSPACED) break;
    if (kind === DROPPED) {
      // Two in a row are quotation marks.
      if (end < i) break;
      dropped = true;
    } else {
      if (kind !== MARK) letters++;
      end = i + width;
    }
    i += width;
  }
  if (letters <= MAX_WORD_LETTERS && end - from <= MAX_WORD_UNITS) {
    const word = normalized(text.slice(from, end), dropped);
    if (letters > 1 || characterClass(word.charCodeAt(0)) === SYLLABLE) visit(word, from, end);
  }
  return i;
}

function normalized(form: string, dropped: boolean): string {
  const kept = dropped ? form.replace(/['\u2019\u02bc\u00ad\u200c\u200d]/g, '') : form;
  // Lower-casing the dotted capital would leave a combining dot that no other spelling has.
  const lower = kept.replaceAll(DOTTED_CAPITAL_I, 'i').toLowerCase();
  return composed(lower);
}

function composed(form: string): string {
  const usual = usualWidth(form).replace(LIGATURES, (found) => found.normalize('NFKD'));
  return usual.normalize('NFC').replace(OPTIONAL, '');
}

/** Overlapping pairs of the characters of a run without spaces; returns where the run ends. */
function visitPairs(text: string, from: number, visit: WordVisitor): number {
  const length = text.length;
  let previous = -1;
  let i = from;
  let count = 0;
  while (i < length && characterClass(text.codePointAt(i)!) === UNSPACED) {
    const start = i;
    i += text.codePointAt(i)! > 0xffff ? 2 : 1;
    while (i < length && characterClass(text.codePointAt(i)!) === MARK) {
      i += text.codePointAt(i)! > 0xffff ? 2 : 1;
    }
    if (previous >= 0 && i - previous <= MAX_WORD_UNITS)
      visit(composed(text.slice(previous, i)), previous, i);
    previous = start;
    count++;
  }
  if (count === 1 && i - from <= MAX_WORD_UNITS) visit(composed(text.slice(from, i)), from, i);
  return i;
}
