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
} from '../../src/page/html/kernel-layout';
import { beginAttributes, hasMarks, isSelfClosing, readAttributes } from './attributes';
import { elementOfName, nameEnd, readName } from './elements';
import { isForeign, startForeign } from './foreign';
import { beginText } from './page-text';
import { endOfRawText, endOfScript } from './raw-text';
import { put } from './state';
import { BANG, DASH, findUnit, fourStandAt, GREATER, isLetter, LESS, lower, QUESTION, SLASH } from './units';

/** What stands there is no token. */
const NO_TOKEN: i32 = -1;

/** Bytes of a unit. */
const U: usize = 2;
const DOCT: u32 = 0x74636f64;
const YPE: u32 = 0x657079;

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
export let isXhtml: bool = false;
let at: usize = 0;
/** How what stands at `at` is read: CONTENT of the element just begun. */
let content: u32 = 0;

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
  beginAttributes(page, pageEnd);
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
