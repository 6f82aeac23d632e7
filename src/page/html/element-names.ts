/**
 * Finds an element by its name as it stands in a page, without making a string of it: a name of at most six
 * letters packs into 31 bits, five a letter, and is looked up as a number. Longer ones are rare.
 *
 * The alphabet is a-z and 1-6, which is 32 characters; a one goes before them, so that lengths differ.
 */
import { elementNames, elementOf } from './elements.ts';

const MAX_PACKED_LETTERS = 6;
const NO_LETTER = 255;

/** UTF-16 unit to its five bits, letters of either case alike. */
const LETTER_BITS = new Uint8Array(65536).fill(NO_LETTER);
for (let bits = 0; bits < 26; bits++) {
  LETTER_BITS[0x61 + bits] = bits;
  LETTER_BITS[0x41 + bits] = bits;
}
for (let digit = 1; digit <= 6; digit++) LETTER_BITS[0x30 + digit] = 25 + digit;

const SLOT_BITS = 9;
const packedNames = new Int32Array(1 << SLOT_BITS);
const elements = new Int32Array(1 << SLOT_BITS);

for (const name of elementNames()) {
  if (name.length > MAX_PACKED_LETTERS) continue;
  const packed = pack(
    Uint16Array.from(name, (letter) => letter.charCodeAt(0)),
    0,
    name.length,
  );
  let slot = slotOf(packed);
  while (packedNames[slot] !== 0) slot = (slot + 1) & (packedNames.length - 1);
  packedNames[slot] = packed;
  elements[slot] = elementOf(name);
}

/** The element (see `elements.ts`) whose name is `html.slice(start, end)`; `units` are those of `html`. */
export function elementAt(html: string, units: Uint16Array, start: number, end: number): number {
  if (end - start > MAX_PACKED_LETTERS) return elementOf(html.slice(start, end).toLowerCase());
  const packed = pack(units, start, end);
  let slot = slotOf(packed);
  while (packedNames[slot] !== packed) {
    if (packedNames[slot] === 0) return 0;
    slot = (slot + 1) & (packedNames.length - 1);
  }
  return elements[slot]!;
}

/** -1 for a name with any other character: no name packs to it. */
function pack(units: Uint16Array, start: number, end: number): number {
  let packed = 1;
  for (let at = start; at < end; at++) {
    const bits = LETTER_BITS[units[at]!]!;
    if (bits === NO_LETTER) return -1;
    packed = (packed << 5) | bits;
  }
  return packed;
}

function slotOf(packed: number): number {
  return Math.imul(packed, 0x9e3779b1) >>> (32 - SLOT_BITS);
}
