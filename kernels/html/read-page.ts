/** AssemblyScript: what the tokens of a page mean to its text, links and headings. */

// @ts-nocheck: compiled by asc, not by tsc.

import {
  ANCHOR,
  AREA,
  BLOCK,
  FOREIGN_ROOT,
  FRAME,
  HEADING,
  IMAGE,
  KIND,
  SILENT,
  SPACED,
  TITLE,
  WEIGHT,
} from '../../src/page/html/element-bits';
import {
  END,
  END_TAG_TOKEN,
  FIRST_HEADING,
  H1,
  NO_MORE,
  NOSCRIPT,
  NOSCRIPT_TEXT,
  NOTHING,
  RESOLVED_AT,
  SCRIPT,
  SCRIPT_START,
  SECTION,
  SECTION_START,
  START,
  START_TAG_TOKEN,
  SVG,
  TAIL,
  TEMPLATE,
  TEXT_LENGTH,
  TEXT_TOKEN,
  TITLE_END,
  TITLE_LENGTH,
  WATCHED_SCRIPT,
  WEIGHT_END,
} from '../../src/page/html/kernel-layout';
import { findAttribute, hasMarks, isSelfClosing, valueEnd, valueStart } from './attributes';
import { closeForeign, isForeign, openForeign, root } from './foreign';
import {
  beginLinks,
  closeAnchor,
  closeHeading,
  openAnchor,
  openHeading,
  push,
  putCounts,
  target,
} from './links';
import {
  append,
  appendResolved,
  beginTitle,
  endTitle,
  isTitle,
  lineBreak,
  space,
  tail,
  textLength,
} from './page-text';
import { element, end, hasReferences, isXhtml, next, page, pageEnd, putTag, start } from './scanner';
import { get, put } from './state';
import { AMPERSAND, lower } from './units';

/** Writes an attribute's value, references resolved, to TAIL; returns how many units it has. */
declare function writeValue(from: usize, to: usize): u32;

/** `akin-related` and `application/ld+json`: no shorter value holds them. */
const MIN_CLASS_BYTES: usize = 2 * 12;
const MIN_TYPE_BYTES: usize = 2 * 19;

/** The silent element we are in, 0 outside, and how many of its name are open; an svg is not counted here. */
let silent: u32 = 0;
let silentDepth: u32 = 0;
/** In a script of which the caller wants the text. */
let isWatched: bool = false;
/** How many templates are open that browsers show as the shadow tree of the element around them. */
let shadowDepth: u32 = 0;
/** The start tag just read closes itself: to be done when the caller has looked at it. */
let isCloseDue: bool = false;

/** Names of attributes, sixteen units at most, as `name` and `rest` write them, eight each. */
function find(name: u64, rest: u64 = 0): bool {
  return findAttribute(RESOLVED_AT, write(rest, write(name, 0)));
}

/** Writes the letters of a part of a name behind `length` others; returns how many there are then. */
function write(part: u64, length: u32): u32 {
  for (let letters = part; letters !== 0; letters >>= 8) {
    store<u16>(RESOLVED_AT + ((<usize>length) << 1), <u16>(letters & 0xff));
    ++length;
  }
  return length;
}

const HREF: u64 = 0x66657268;
const REL: u64 = 0x6c6572;
const ALT: u64 = 0x746c61;
const SRC: u64 = 0x637273;
const TYPE: u64 = 0x65707974;
const CLASS: u64 = 0x7373616c63;
const SHADOWRO: u64 = ((<u64>0x6f72776f) << 32) | 0x64616873;
const OTMODE: u64 = ((<u64>0x6564) << 32) | 0x6f6d746f;
const OPEN: u64 = 0x6e65706f;
const CLOSED: u64 = ((<u64>0x6465) << 32) | 0x736f6c63;

/**
 * Reads on, from the start where `isFirst`, to what the caller is to look at; NOTHING at the end, and behind a start tag
 * from which on the page has marks where it ends there.
 */
export function readPage(isFirst: bool, endsAtMarks: bool): u32 {
  if (isFirst) {
    silent = 0;
    shadowDepth = 0;
    isWatched = false;
    isCloseDue = false;
    beginLinks();
  } else if (isCloseDue) {
    isCloseDue = false;
    const event = close(element);
    if (event !== NOTHING) return see(event);
  }
  if (endsAtMarks && hasMarks) return see(NOTHING);
  let event: u32 = NOTHING;
  let token = next();
  while (token !== NO_MORE) {
    if (token === TEXT_TOKEN) event = readText();
    else if (token === START_TAG_TOKEN) {
      event = readStartTag();
      if (event === NOTHING && endsAtMarks && hasMarks) break;
    } else if (token === END_TAG_TOKEN) event = close(element);
    if (event !== NOTHING) break;
    token = next();
  }
  return see(event);
}

/** Leaves where the caller reads it what it may want to know. */
function see(event: u32): u32 {
  put(START, <u32>((start - page) >>> 1));
  put(END, <u32>((end - page) >>> 1));
  put(TEXT_LENGTH, textLength);
  put(TAIL, <u32>tail);
  putTag();
  return event;
}

/** Ends what is open. Where it returns TITLE_END, a title stands at the tail; it is to be called again. */
export function closePage(): u32 {
  if (isTitle) return see(takeTitle());
  closeAnchor(true);
  putCounts();
  return see(NOTHING);
}

/** Nothing counts up to the end tag of this element. */
export function silence(within: u32): void {
  silent = within;
  silentDepth = 1;
  isWatched = false;
}

/** The caller wants the text of the script that begins. */
export function watchScript(): void {
  isWatched = true;
}

function readText(): u32 {
  if (silent !== 0 || root === get(SVG)) {
    if (silent === get(NOSCRIPT)) return NOSCRIPT_TEXT;
    return isWatched ? WATCHED_SCRIPT : NOTHING;
  }
  if (hasReferences) appendResolved(start, end);
  else append(start, end);
  return NOTHING;
}

function readStartTag(): u32 {
  if (root !== 0 || (element & FOREIGN_ROOT) !== 0) {
    openForeign(element, isSelfClosing);
    if (root === get(SVG) || element === get(SVG)) return NOTHING;
  }
  if (element === 0) return NOTHING;
  let event: u32 = NOTHING;
  if (silent === 0) event = open();
  else if (element === silent) ++silentDepth;
  if (!isXhtml || !isSelfClosing) return event;
  if (event === NOTHING) return close(element);
  isCloseDue = true;
  return event;
}

function open(): u32 {
  const kind = element & KIND;
  switch (kind) {
    case SILENT:
      if (element === get(TEMPLATE) && isShadowRoot()) {
        ++shadowDepth;
        space();
        return NOTHING;
      }
      silence(element);
      return element === get(SCRIPT) && find(TYPE) && valueEnd - valueStart >= MIN_TYPE_BYTES
        ? SCRIPT_START
        : NOTHING;
    case BLOCK:
      lineBreak();
      if ((element & HEADING) !== 0) {
        openHeading(element === get(H1));
        if (element === get(H1) && <i32>get(FIRST_HEADING) < 0) put(FIRST_HEADING, textLength);
      } else if (element === get(SECTION)) {
        return find(CLASS) && valueEnd - valueStart >= MIN_CLASS_BYTES ? SECTION_START : NOTHING;
      }
      return NOTHING;
    case SPACED:
      space();
      return NOTHING;
    case ANCHOR:
      closeAnchor(true);
      if (!find(HREF)) return NOTHING;
      noteTarget();
      openAnchor();
      return NOTHING;
    case AREA:
      if (find(HREF)) readArea();
      return NOTHING;
    case FRAME:
      if (find(SRC)) readFrame();
      return NOTHING;
    case IMAGE:
      space();
      if (find(ALT)) appendValue();
      space();
      return NOTHING;
    case TITLE:
      if (!isForeign) beginTitle();
      return NOTHING;
    default:
      return kind;
  }
}

/** Whether the template just read is a shadow tree: by `shadowrootmode`, which only HTML knows. */
function isShadowRoot(): bool {
  if (isXhtml || !find(SHADOWRO, OTMODE) || valueEnd - valueStart > 16) return false;
  let mode: u64 = 0;
  for (let at = valueEnd; at > valueStart; at -= 2) mode = (mode << 8) | lower(<u32>load<u16>(at - 2));
  return mode === OPEN || mode === CLOSED;
}

/** Of the link whose URL was just found. */
function noteTarget(): void {
  const href = valueStart;
  const hrefEnd = valueEnd;
  if (find(REL)) target(href, hrefEnd, valueStart, valueEnd);
  else target(href, hrefEnd, href, href);
}

/** An `area` of an image map: its text is its alternative. */
function readArea(): void {
  closeAnchor(true);
  find(HREF);
  noteTarget();
  space();
  const from = find(ALT) ? appendValue() : -1;
  push(from < 0 ? textLength : <u32>from, textLength);
  space();
}

/** A frame of a frameset shows what it leads to as a part of the page: a link without words. */
function readFrame(): void {
  closeAnchor(true);
  find(SRC);
  noteTarget();
  push(textLength, textLength);
}

/** Adds the value of the attribute just found to the text. */
function appendValue(): i32 {
  for (let at = valueStart; at < valueEnd; at += 2) {
    const unit = <u32>load<u16>(at);
    if (unit !== AMPERSAND && unit !== 0) continue;
    put(TAIL, <u32>tail);
    const count = writeValue(valueStart, valueEnd);
    return append(tail, tail + ((<usize>count) << 1));
  }
  return append(valueStart, valueEnd);
}

function close(closed: u32): u32 {
  if (root !== 0) {
    const wasSvg = root === get(SVG);
    closeForeign(closed);
    if (wasSvg && (root === get(SVG) || closed === get(SVG))) return NOTHING;
  }
  if (silent !== 0) {
    if (closed === silent && --silentDepth === 0) {
      silent = 0;
      isWatched = false;
    }
    return NOTHING;
  }
  if (closed === get(TEMPLATE) && shadowDepth !== 0) {
    --shadowDepth;
    space();
    return NOTHING;
  }
  switch (closed & KIND) {
    case BLOCK:
      lineBreak();
      if ((closed & HEADING) !== 0) closeHeading();
      return NOTHING;
    case ANCHOR:
      closeAnchor(false);
      return NOTHING;
    case TITLE:
      return isTitle ? takeTitle() : NOTHING;
    case WEIGHT:
      return WEIGHT_END;
    default:
      return NOTHING;
  }
}

/** The title stands at TAIL until the caller reads on. */
function takeTitle(): u32 {
  put(TITLE_LENGTH, textLength);
  endTitle();
  return TITLE_END;
}

/** The text of a page that has no markup: at the end of each line a break. */
export function tidyLines(isLine: bool): void {
  let at = page;
  while (!isLine) {
    let lineEnd = at;
    while (lineEnd < pageEnd && !isLineEnd(load<u16>(lineEnd))) lineEnd += 2;
    append(at, lineEnd);
    lineBreak();
    if (lineEnd >= pageEnd) break;
    at = lineEnd + 2;
  }
  if (isLine) append(at, pageEnd);
  see(NOTHING);
}

/** Line feed, carriage return, form feed. */
function isLineEnd(unit: u32): bool {
  return unit === 0x0a || unit === 0x0d || unit === 0x0c;
}
