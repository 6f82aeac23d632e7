/**
 * Character references (`&eacute;`, `&#233;`), which the scanner leaves as they are written.
 *
 * Source  HTML standard, 13.2.5.72 to 13.2.5.80; the table of 2,231 names is that of the package `entities`.
 */
import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import type { PageText } from './page-text.ts';
import { AMPERSAND, isAlphanumeric, NUMBER_SIGN, SEMICOLON } from './page-units.ts';

/** What the references met so far stand for: pages have few kinds, and to look one up in the table takes ten times as long. */
const resolved = new Map<string, string>();
const MOST_RESOLVED = 4096;

/** @param reference as it is written, from its ampersand on. */
function resolve(reference: string): string {
  const known = resolved.get(reference);
  if (known !== undefined) return known;
  const text = decodeHTML(reference);
  // A slice of 13 units or more would keep its page alive.
  if (reference.length < 13 && resolved.size < MOST_RESOLVED) resolved.set(reference, text);
  return text;
}

/** Appends `html.slice(start, end)`, whose units are `units`, to a text, references resolved. */
export function appendResolved(
  text: PageText,
  html: string,
  units: Uint16Array,
  start: number,
  end: number,
): void {
  let from = start;
  for (let at = start; at < end; at++) {
    if (units[at] !== AMPERSAND) continue;
    const next = endOfReference(units, at + 1, end);
    text.appendUnits(units, from, at);
    text.append(resolve(html.slice(at, next)));
    from = next;
    at = next - 1;
  }
  text.appendUnits(units, from, end);
}

/** Where what may be a reference is over; `from` is behind the ampersand. */
function endOfReference(units: Uint16Array, from: number, end: number): number {
  let at = from;
  while (at < end && (isAlphanumeric(units[at]!) || units[at] === NUMBER_SIGN)) at++;
  return at < end && units[at] === SEMICOLON ? at + 1 : at;
}

/**
 * The attribute value `html.slice(start, end)` with its references resolved, but not in `?a=b&copy=c`; a NUL becomes
 * U+FFFD.
 */
export function attributeValue(html: string, units: Uint16Array, start: number, end: number): string {
  const written = html.slice(start, end);
  for (let at = start; at < end; at++) {
    const unit = units[at]!;
    if (unit === AMPERSAND || unit === 0) return decodeHTMLAttribute(written).replaceAll('\0', '\ufffd');
  }
  return written;
}
