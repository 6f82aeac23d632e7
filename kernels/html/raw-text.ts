/**
 * AssemblyScript: where text that is not markup ends: what title, style, script and their like hold.
 *
 * Source  HTML standard, 13.2.5.9 to 13.2.5.31.
 */
// @ts-nocheck: compiled by asc, not by tsc.

import { BANG, DASH, endsName, findUnit, fourStandAt, GREATER, isLetter, LESS, lower, SLASH } from './units';

/** Bytes of a unit. */
const U: usize = 2;
const SCRI: u32 = 0x69726373;

/** Address of the end tag that ends the element of this name, sought from `from` on; `to` where there is none. */
export function endOfRawText(from: usize, to: usize, name: usize, nameBytes: usize): usize {
  let at = findUnit(LESS, from, to);
  while (at < to) {
    if (<u32>load<u16>(at, U) === SLASH && isSameName(at + 2 * U, name, nameBytes)) {
      if (endsName(load<u16>(at + 2 * U + nameBytes))) return at;
    }
    at = findUnit(LESS, at + U, to);
  }
  return to;
}

/** Names of letters only are compared, so that one bit is the case. */
function isSameName(at: usize, other: usize, bytes: usize): bool {
  for (let i: usize = 0; i < bytes; i += U) {
    const unit = <u32>load<u16>(at + i);
    if (!isLetter(unit) || (unit | 0x20) !== (<u32>load<u16>(other + i) | 0x20)) return false;
  }
  return true;
}

/**
 * The same for a script. From `<!--` to `-->` a `<script>` hides the next `</script>`: pages used to hide their
 * scripts in comments, and wrote scripts that write scripts.
 */
export function endOfScript(from: usize, to: usize): usize {
  let at = findUnit(LESS, from, to);
  while (at < to) {
    if (isScriptEnd(at)) return at;
    let next = at + U;
    if (
      <u32>load<u16>(at, U) === BANG &&
      <u32>load<u16>(at, 2 * U) === DASH &&
      <u32>load<u16>(at, 3 * U) === DASH
    ) {
      next = endOfEscaped(at + 2 * U, to);
      if (isScriptEnd(next)) return next;
    }
    at = findUnit(LESS, next, to);
  }
  return to;
}

/** From the dashes of `<!--` on: behind `-->`, or at the end tag that ends the script all the same, or at `to`. */
function endOfEscaped(dashes: usize, to: usize): usize {
  let hidden = false;
  for (let at = dashes + 2 * U; at < to; at += U) {
    const unit = <u32>load<u16>(at);
    if (unit === GREATER && <u32>load<u16>(at - U) === DASH && <u32>load<u16>(at - 2 * U) === DASH)
      return at + U;
    if (unit !== LESS) continue;
    if (!isScriptEnd(at)) {
      hidden = hidden || (isScript(at + U) && endsName(load<u16>(at, 7 * U)));
    } else if (hidden) {
      hidden = false;
    } else {
      return at;
    }
  }
  return to;
}

function isScript(at: usize): bool {
  return (
    fourStandAt(at, SCRI) && lower(load<u16>(at, 4 * U)) === 0x70 && lower(load<u16>(at, 5 * U)) === 0x74
  );
}

function isScriptEnd(at: usize): bool {
  return (
    <u32>load<u16>(at) === LESS &&
    <u32>load<u16>(at, U) === SLASH &&
    isScript(at + 2 * U) &&
    endsName(load<u16>(at, 8 * U))
  );
}
