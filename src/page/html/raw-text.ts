/**
 * Where text that is not markup ends: what title, style, script and their like hold.
 *
 * Source  HTML standard, 13.2.5.9 to 13.2.5.31.
 */
import { BANG, DASH, endsName, GREATER, isLetter, LESS, SLASH, standsAt } from './page-units.ts';

/**
 * Index of the end tag that ends the element whose name is `html.slice(nameStart, nameEnd)`, sought from `from` on;
 * the length of `html` where there is none.
 */
export function endOfRawText(
  html: string,
  units: Uint16Array,
  from: number,
  nameStart: number,
  nameEnd: number,
): number {
  const length = nameEnd - nameStart;
  let at = html.indexOf('</', from);
  while (at >= 0) {
    if (endsName(units[at + 2 + length]!) && isSameName(units, at + 2, nameStart, length)) return at;
    at = html.indexOf('</', at + 2);
  }
  return html.length;
}

/** Names of letters only are compared, so that one bit is the case. */
function isSameName(units: Uint16Array, at: number, other: number, length: number): boolean {
  for (let i = 0; i < length; i++) {
    const unit = units[at + i]!;
    if (!isLetter(unit) || (unit | 0x20) !== (units[other + i]! | 0x20)) return false;
  }
  return true;
}

/**
 * The same for a script. From `<!--` to `-->` a `<script>` hides the next `</script>`: pages used to hide their
 * scripts in comments, and wrote scripts that write scripts.
 */
export function endOfScript(html: string, units: Uint16Array, from: number): number {
  let at = html.indexOf('<', from);
  while (at >= 0) {
    if (isScriptEnd(units, at)) return at;
    let next = at + 1;
    if (units[at + 1] === BANG && units[at + 2] === DASH && units[at + 3] === DASH) {
      next = endOfEscaped(units, at + 2, html.length);
      if (isScriptEnd(units, next)) return next;
    }
    at = html.indexOf('<', next);
  }
  return html.length;
}

/** From the dashes of `<!--` on: behind `-->`, or at the end tag that ends the script all the same, or at `length`. */
function endOfEscaped(units: Uint16Array, dashes: number, length: number): number {
  let hidden = false;
  for (let at = dashes + 2; at < length; at++) {
    const unit = units[at]!;
    if (unit === GREATER && units[at - 1] === DASH && units[at - 2] === DASH) return at + 1;
    if (unit !== LESS) continue;
    if (!isScriptEnd(units, at)) {
      hidden ||= standsAt(units, at + 1, 'script') && endsName(units[at + 7]!);
    } else if (hidden) {
      hidden = false;
    } else {
      return at;
    }
  }
  return length;
}

function isScriptEnd(units: Uint16Array, at: number): boolean {
  return (
    units[at] === LESS &&
    units[at + 1] === SLASH &&
    standsAt(units, at + 2, 'script') &&
    endsName(units[at + 8]!)
  );
}
