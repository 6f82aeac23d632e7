/** The UTF-16 units of the page being read: an array is read several times faster than a string. */

const TAB = 0x09;
const LINE_FEED = 0x0a;
const FORM_FEED = 0x0c;
const RETURN = 0x0d;
const SPACE = 0x20;
export const BANG = 0x21;
export const DOUBLE_QUOTE = 0x22;
export const NUMBER_SIGN = 0x23;
export const AMPERSAND = 0x26;
export const SINGLE_QUOTE = 0x27;
export const DASH = 0x2d;
export const SLASH = 0x2f;
export const SEMICOLON = 0x3b;
export const LESS = 0x3c;
export const EQUALS = 0x3d;
export const GREATER = 0x3e;
export const QUESTION = 0x3f;

/** Zeros behind the last unit, so that a look ahead needs no look at the length. */
const PADDING = 16;

let units = new Uint16Array(1 << 16);
let bytes = Buffer.from(units.buffer);

/** The units of `text` and zeros behind them; valid until the next call. */
export function loadUnits(text: string): Uint16Array {
  if (text.length + PADDING > units.length) {
    units = new Uint16Array(text.length + (text.length >> 2) + PADDING);
    bytes = Buffer.from(units.buffer);
  }
  bytes.write(text, 0, 'utf16le');
  units.fill(0, text.length, text.length + PADDING);
  return units;
}

/** White space of markup. */
export function isBlank(unit: number): boolean {
  return unit === SPACE || unit === LINE_FEED || unit === TAB || unit === RETURN || unit === FORM_FEED;
}

export function isLetter(unit: number): boolean {
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

export function isAlphanumeric(unit: number): boolean {
  return isLetter(unit) || (unit >= 0x30 && unit <= 0x39);
}

const ENDS_NAME = 1;
const ENDS_ATTRIBUTE_NAME = 2;
/** A table, since names are read unit by unit. */
const ENDS = new Uint8Array(65536);
for (const unit of [TAB, LINE_FEED, FORM_FEED, RETURN, SPACE, SLASH, GREATER]) {
  ENDS[unit] = ENDS_NAME | ENDS_ATTRIBUTE_NAME;
}
ENDS[EQUALS] = ENDS_ATTRIBUTE_NAME;

/** A tag name is over: white space, `/` or `>`. */
export function endsName(unit: number): boolean {
  return (ENDS[unit]! & ENDS_NAME) !== 0;
}

/** An attribute name is over: the same or `=`. */
export function endsAttributeName(unit: number): boolean {
  return ENDS[unit] !== 0;
}

/** Whether the ASCII `name`, in lower case, stands at `at` in either case. */
export function standsAt(units: Uint16Array, at: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const unit = units[at + i]!;
    if ((unit >= 0x41 && unit <= 0x5a ? unit | 0x20 : unit) !== name.charCodeAt(i)) return false;
  }
  return true;
}
