/**
 * Letters, digits and kana that old character sets have in another width, in their usual forms: `ＡＢＣ１２３` is `ABC123`, `ｶﾞ` is `ガ`.
 *
 * Source  Unicode's compatibility decomposition, of the characters that Lucene's CJKWidthFilter knows; Hangul is left as it is, as there.
 */

const FIRST_HALF_KANA = 0xff66;
const LAST_HALF_KANA = 0xff9d;
const OTHER_WIDTH = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f]+/g;

/** A text in usual forms: marks of sound stand behind their kana, not yet composed with it. */
export function usualWidth(text: string): string {
  return text.replace(OTHER_WIDTH, (run) => run.normalize('NFKD'));
}

/** The usual form of half-width kana with the unit `next` behind it, if both are one character; without it otherwise. Others stay. */
export function usualKana(codePoint: number, next: number): number {
  if (codePoint < FIRST_HALF_KANA || codePoint > LAST_HALF_KANA) return codePoint;
  return String.fromCharCode(codePoint, next).normalize('NFKC').charCodeAt(0);
}
