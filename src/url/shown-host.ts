/**
 * A host as people write it, where no other one looks alike: `xn--mller-kva.example` is `müller.example`.
 *
 * A label is shown in letters where these are of one script, or of those that one language writes together. Latin letters are those of
 * Latin-1 and Latin Extended-A. A label of Cyrillic or Greek letters has one that no Latin letter looks like, but below a top level that is in letters itself.
 * Any other stays as it is, and so do those that are written from right to left: in a URL the order of its parts would be lost.
 *
 * Source  the rules of browsers for internationalized names, narrowed: UTS 39, section 5.2.
 */
import { domainToUnicode } from 'node:url';

// bounded: a URL.
const LABEL = /(?<![^.])xn--[a-z\d-]+/g;
const LETTERS_ON_TOP = /\.xn--[^.:]+(?::\d+)?$/;
const LATIN = /^[a-z\d\-ß-öø-ž]+$/;
const LATIN_ALIKE = /[ıĸŀŉ]/;
const CYRILLIC = /^[\d\-\p{Script=Cyrillic}]+$/u;
const CYRILLIC_ALIKE = /^[\d\-асԁеһіјӏорԛѕԝхуъьҽпгѵѡзб]+$/;
const GREEK = /^[\d\-\p{Script=Greek}]+$/u;
const GREEK_ALIKE = /^[\d\-αγεηικνορστυχω]+$/;
const OTHERS = [
  /^[\d\-ー\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+$/u,
  /^[\d\-\p{Script=Han}\p{Script=Hangul}]+$/u,
  /^[\d\-\p{Script=Devanagari}]+$/u,
  /^[\d\-\p{Script=Bengali}]+$/u,
  /^[\d\-\p{Script=Tamil}]+$/u,
  /^[\d\-\p{Script=Telugu}]+$/u,
  /^[\d\-\p{Script=Thai}]+$/u,
];

/** @param host as URLs have it, perhaps with a port. */
export function shownHost(host: string): string {
  if (!host.includes('xn--')) return host;
  const mayBeAlike = LETTERS_ON_TOP.test(host);
  return host.replaceAll(LABEL, (label) => {
    const text = domainToUnicode(label);
    return isPlain(text, mayBeAlike) ? text : label;
  });
}

function isPlain(text: string, mayBeAlike: boolean): boolean {
  if (LATIN.test(text)) return !LATIN_ALIKE.test(text);
  if (CYRILLIC.test(text)) return mayBeAlike || !CYRILLIC_ALIKE.test(text);
  if (GREEK.test(text)) return mayBeAlike || !GREEK_ALIKE.test(text);
  return OTHERS.some((script) => script.test(text));
}
