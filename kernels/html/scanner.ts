/**
 * AssemblyScript: a page of HTML as tokens, one at a time, each as offsets into the page.
 *
 * The states of the standard are places in this code. What a token holds stays as written: character references, NUL and
 * line ends are the reader's business.
 *
 * Source  HTML standard, 13.2.5 (tokenization).
 */
// @ts-nocheck: compiled by asc, not by tsc.

import { CONTENT, PLAIN_TEXT, RCDATA, SCRIPT_DATA } from '../../src/page/html/element-bits';
import {
  ATTRIBUTE_END,
  ATTRIBUTE_START,
  COMMENT_TOKEN,
  DOCTYPE_TOKEN,
  ELEMENT,
  END,
  END_TAG_TOKEN,
  HAS_MARKS,
  NAME_END,
  NAME_START,
  NO_MORE,
  POSITION,
  REFERENCES,
  SELF_CLOSING,
  START,
  START_TAG_TOKEN,
  TAIL,
  TEXT_TOKEN,
  VALUE_END,
  VALUE_START,
} from '../../src/page/html/kernel-layout';
import { elementOfName, nameEnd, readName } from './elements';
import { isForeign, startForeign } from './foreign';
import { beginText } from './page-text';
import { endOfRawText, endOfScript } from './raw-text';
import { put } from './state';
import {
  BANG,
  DASH,
  DOUBLE_QUOTE,
  EQUALS,
  endsAttributeName,
  findUnit,
  fourStandAt,
  GREATER,
  isBlank,
  isLetter,
  LESS,
  lower,
  QUESTION,
  SINGLE_QUOTE,
  SLASH,
  standsAt,
} from './units';

/** What stands there is no token. */
const NO_TOKEN: i32 = -1;

/** Bytes of a unit. */
const U: usize = 2;
const DOCT: u32 = 0x74636f64;
const YPE: u32 = 0x657079;
const DATA: u32 = 0x61746164;
const AKIN: u32 = 0x6e696b61;
const PAGE: u32 = 0x65676170;
const FIND: u32 = 0x646e6966;
/** `data-akin-body` */
const SHORTEST_MARK: usize = 14;

/** All addresses. */
export let page: usize = 0;
export let pageEnd: usize = 0;
export let start: usize = 0;
export let end: usize = 0;
export let hasReferences: bool = false;
let nameStart: usize = 0;
/** Of the tag just read. */
let tagNameEnd: usize = 0;
export let element: u32 = 0;
export let isSelfClosing: bool = false;
/** Whether a tag so far had an attribute by which pages mark their parts. */
export let hasMarks: bool = false;
export let isXhtml: bool = false;
let at: usize = 0;
/** How what stands at `at` is read: CONTENT of the element just begun. */
let content: u32 = 0;

let attributeStart: usize = 0;
let attributeEnd: usize = 0;
export let valueStart: usize = 0;
export let valueEnd: usize = 0;

/** Begins the page of `length` units at `units`; what it says will stand at `text`, `tail` and `headings`. */
export function begin(
  units: usize,
  length: u32,
  xhtml: bool,
  text: usize,
  tail: usize,
  headings: usize,
): void {
  page = units;
  pageEnd = units + ((<usize>length) << 1);
  memory.fill(pageEnd, 0, 32);
  at = units;
  content = 0;
  hasMarks = false;
  put(HAS_MARKS, 0);
  isXhtml = xhtml;
  startForeign(0);
  beginText(text, tail, headings);
  put(TAIL, <u32>tail);
}

function offset(address: usize): u32 {
  return <u32>((address - page) >>> 1);
}

/** Goes on to the next token, says of what kind it is, and leaves its offsets where the caller reads them. */
export function nextToken(): i32 {
  const token = next();
  put(START, offset(start));
  put(END, offset(end));
  put(REFERENCES, hasReferences);
  putTag();
  put(POSITION, offset(at));
  return token;
}

/** Leaves what is known of the tag just read where the caller reads it. */
export function putTag(): void {
  put(NAME_START, offset(nameStart));
  put(NAME_END, offset(tagNameEnd));
  put(ELEMENT, element);
  put(SELF_CLOSING, isSelfClosing);
  put(HAS_MARKS, hasMarks);
}

/** Goes on to the next token and says of what kind it is. */
export function next(): i32 {
  if (content !== 0 && readContent()) return TEXT_TOKEN;
  while (at < pageEnd) {
    const from = at;
    if (<u32>load<u16>(from) === LESS) {
      const token = readMarkup(from);
      if (token !== NO_TOKEN) return token;
      if (at > from) continue;
    }
    at = findUnit(LESS, from + U, pageEnd);
    return takeText(from, at, true);
  }
  return NO_MORE;
}

function takeText(from: usize, to: usize, references: bool): i32 {
  start = from;
  end = to;
  hasReferences = references;
  return TEXT_TOKEN;
}

function takeComment(from: usize, to: usize, behind: usize): i32 {
  start = from;
  end = to;
  at = behind;
  return COMMENT_TOKEN;
}

/** The text of an element that holds no markup; false where it is empty. */
function readContent(): bool {
  const kind = content;
  const from = at;
  content = 0;
  let to = pageEnd;
  if (kind === SCRIPT_DATA) to = endOfScript(from, pageEnd);
  else if (kind !== PLAIN_TEXT) to = endOfRawText(from, pageEnd, nameStart, tagNameEnd - nameStart);
  at = to;
  takeText(from, to, kind === RCDATA);
  return to > from;
}

/** Reads what begins with the `<` at `from`. NO_TOKEN without a step forward says that the `<` is text. */
function readMarkup(from: usize): i32 {
  const unit = <u32>load<u16>(from, U);
  if (isLetter(unit)) return readTag(from + U, START_TAG_TOKEN);
  if (unit === SLASH) {
    const third = <u32>load<u16>(from, 2 * U);
    if (isLetter(third)) return readTag(from + 2 * U, END_TAG_TOKEN);
    if (from + 2 * U >= pageEnd) return NO_TOKEN;
    if (third !== GREATER) return readBogusComment(from + 2 * U);
    at = from + 3 * U;
    return NO_TOKEN;
  }
  if (unit === QUESTION) return readBogusComment(from + U);
  return unit === BANG ? readDeclaration(from + 2 * U) : NO_TOKEN;
}

function readTag(name: usize, token: i32): i32 {
  readName(name, pageEnd);
  nameStart = name;
  tagNameEnd = nameEnd;
  const behind = readAttributes(nameEnd);
  if (behind === 0) {
    // A tag that the page ends in is none.
    at = pageEnd;
    return NO_MORE;
  }
  at = behind;
  element = elementOfName();
  const isMarkup = token === END_TAG_TOKEN || isForeign || (isXhtml && isSelfClosing);
  content = isMarkup ? 0 : element & CONTENT;
  return token;
}

/** Where the tag is over that goes on at `from`; 0 where the page ends first. */
function readAttributes(from: usize): usize {
  let place = from;
  do {
    place = readAttribute(place);
    if (place === 0) return 0;
    if (attributeStart !== 0 && attributeEnd - attributeStart >= SHORTEST_MARK * U) {
      hasMarks = hasMarks || isMark(attributeStart);
    }
  } while (attributeStart !== 0);
  return place;
}

/** Reads the next attribute; returns where it is over. Behind the last one `attributeStart` is 0; 0 where the page ends first. */
function readAttribute(from: usize): usize {
  let place = from;
  let unit = <u32>load<u16>(place);
  while (isBlank(unit) || unit === SLASH) {
    place += U;
    unit = load<u16>(place);
  }
  attributeStart = 0;
  if (unit === GREATER) {
    isSelfClosing = place > from && <u32>load<u16>(place - U) === SLASH;
    return place + U;
  }
  if (place >= pageEnd) return 0;
  const name = place;
  place += U;
  while (place < pageEnd && !endsAttributeName(load<u16>(place))) place += U;
  attributeEnd = place;
  while (isBlank(load<u16>(place))) place += U;
  if (<u32>load<u16>(place) !== EQUALS) {
    attributeStart = name;
    valueStart = attributeEnd;
    valueEnd = attributeEnd;
    return place;
  }
  place += U;
  while (isBlank(load<u16>(place))) place += U;
  const quote = <u32>load<u16>(place);
  if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
    valueStart = place + U;
    place = findUnit(quote, valueStart, pageEnd);
    if (place >= pageEnd) return 0;
    valueEnd = place;
    attributeStart = name;
    return place + U;
  }
  valueStart = place;
  while (place < pageEnd) {
    unit = load<u16>(place);
    if (unit === GREATER || isBlank(unit)) break;
    place += U;
  }
  valueEnd = place;
  attributeStart = name;
  return place;
}

function isMark(name: usize): bool {
  if (!fourStandAt(name, DATA) || <u32>load<u16>(name, 4 * U) !== DASH) return false;
  if (fourStandAt(name + 5 * U, AKIN)) return <u32>load<u16>(name, 9 * U) === DASH;
  return (
    fourStandAt(name + 5 * U, PAGE) &&
    fourStandAt(name + 9 * U, FIND) &&
    <u32>load<u16>(name, 13 * U) === DASH
  );
}

/**
 * Finds the first attribute of the tag just read that has a name, of `length` units in lower case; its value is from
 * `valueStart` to `valueEnd`.
 */
export function findAttribute(name: usize, length: u32): bool {
  const wasSelfClosing = isSelfClosing;
  const bytes = (<usize>length) << 1;
  let place = tagNameEnd;
  let isFound = false;
  for (;;) {
    place = readAttribute(place);
    if (place === 0 || attributeStart === 0) break;
    if (attributeEnd - attributeStart === bytes && standsAt(attributeStart, name, length)) {
      isFound = true;
      putAttribute();
      break;
    }
  }
  isSelfClosing = wasSelfClosing;
  return isFound;
}

function putAttribute(): void {
  put(ATTRIBUTE_START, offset(attributeStart));
  put(ATTRIBUTE_END, offset(attributeEnd));
  put(VALUE_START, offset(valueStart));
  put(VALUE_END, offset(valueEnd));
}

/** Reads the attribute of the tag just read that stands behind the offset `from`; returns where it is over, 0 where there is none. */
export function readAttributeAt(from: u32): u32 {
  const wasSelfClosing = isSelfClosing;
  const place = readAttribute(page + ((<usize>from) << 1));
  isSelfClosing = wasSelfClosing;
  if (place === 0 || attributeStart === 0) return 0;
  putAttribute();
  return offset(place);
}

/** From behind `<!`. */
function readDeclaration(from: usize): i32 {
  if (<u32>load<u16>(from) === DASH && <u32>load<u16>(from, U) === DASH) return readComment(from + 2 * U);
  if (fourStandAt(from, DOCT) && isYpe(from + 4 * U)) {
    readBogusComment(from);
    return DOCTYPE_TOKEN;
  }
  if ((isForeign || isXhtml) && isCdata(from)) {
    const first = from + 7 * U;
    let close = findUnit(GREATER, first, pageEnd);
    while (close < pageEnd) {
      if (close >= first + 2 * U && <u32>load<u32>(close - 2 * U) === 0x5d005d) break;
      close = findUnit(GREATER, close + U, pageEnd);
    }
    if (close >= pageEnd) {
      at = pageEnd;
      return takeText(first < pageEnd ? first : pageEnd, pageEnd, false);
    }
    at = close + U;
    return takeText(first, close - 2 * U, false);
  }
  return readBogusComment(from);
}

function isYpe(place: usize): bool {
  for (let i: u32 = 0; i < 3; ++i) {
    if (lower(load<u16>(place + ((<usize>i) << 1))) !== ((YPE >> (i << 3)) & 0xff)) return false;
  }
  return true;
}

/** `[CDATA[`, in capitals. */
function isCdata(place: usize): bool {
  const bracket: u32 = 0x5b;
  if (<u32>load<u16>(place) !== bracket || <u32>load<u16>(place, 6 * U) !== bracket) return false;
  return (
    <u32>load<u16>(place, U) === 0x43 &&
    <u32>load<u16>(place, 2 * U) === 0x44 &&
    <u32>load<u16>(place, 3 * U) === 0x41 &&
    <u32>load<u16>(place, 4 * U) === 0x54 &&
    <u32>load<u16>(place, 5 * U) === 0x41
  );
}

function readComment(from: usize): i32 {
  if (<u32>load<u16>(from) === GREATER) return takeComment(from, from, from + U);
  if (<u32>load<u16>(from) === DASH && <u32>load<u16>(from, U) === GREATER)
    return takeComment(from, from, from + 2 * U);
  // From `>` to `>`: to look for `-->` and `--!>` by turns could take time without end.
  let close = findUnit(GREATER, from, pageEnd);
  while (close < pageEnd) {
    const to = <u32>load<u16>(close - U) === BANG ? close - 3 * U : close - 2 * U;
    if (to >= from && <u32>load<u16>(to) === DASH && <u32>load<u16>(to, U) === DASH)
      return takeComment(from, to, close + U);
    close = findUnit(GREATER, close + U, pageEnd);
  }
  return takeComment(from < pageEnd ? from : pageEnd, pageEnd, pageEnd);
}

/** Up to the next `>`. */
function readBogusComment(from: usize): i32 {
  const to = findUnit(GREATER, from, pageEnd);
  return to >= pageEnd
    ? takeComment(from < pageEnd ? from : pageEnd, pageEnd, pageEnd)
    : takeComment(from, to, to + U);
}
