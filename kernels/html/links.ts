/** AssemblyScript: the anchors and headings of a page, as they are met. */

// @ts-nocheck: compiled by asc, not by tsc.

import {
  DROPPED_COUNT,
  HEADING_COUNT,
  LINK_BYTES,
  LINK_COUNT,
  LINKS_AT,
  MAX_LINKS,
} from '../../src/page/html/kernel-layout';
import {
  closedStart,
  closeSpan,
  headings,
  inWord,
  moveTail,
  openSpan,
  space,
  tail,
  textLength,
} from './page-text';
import { put } from './state';
import { AMPERSAND } from './units';

/** Of a value that has references, or a NUL. */
const HAS_REFERENCES: u32 = 1;
const NO_END: u32 = <u32>-1;

let linkCount: u32 = 0;
let droppedCount: u32 = 0;
/** Where the values of links begin. */
let values: usize = 0;
/** End of the last anchor or area, kept or not. */
let lastEnd: u32 = NO_END;
/** At most one anchor is open: an `a` inside an `a` ends the outer. */
let isOpen: bool = false;

let headingCount: u32 = 0;
let isHeadingOpen: bool = false;

export function beginLinks(): void {
  linkCount = 0;
  droppedCount = 0;
  values = tail;
  lastEnd = NO_END;
  isOpen = false;
  headingCount = 0;
  isHeadingOpen = false;
}

export function putCounts(): void {
  put(LINK_COUNT, linkCount);
  put(DROPPED_COUNT, droppedCount);
  put(HEADING_COUNT, headingCount);
}

function valueOffset(): u32 {
  return <u32>((tail - values) >>> 1);
}

/** Copies a value to the tail; returns whether it still has to be resolved. */
function keep(from: usize, to: usize): u32 {
  let references: u32 = 0;
  let out = tail;
  for (let at = from; at < to; at += 2) {
    const unit = load<u16>(at);
    if (<u32>unit === AMPERSAND || unit === 0) references = HAS_REFERENCES;
    store<u16>(out, unit);
    out += 2;
  }
  moveTail(out);
  return references;
}

/** Notes the target of the next link; each of the values is empty where it has none. */
export function target(href: usize, hrefEnd: usize, rel: usize, relEnd: usize): void {
  if (linkCount === MAX_LINKS) return;
  const link = LINKS_AT + <usize>linkCount * LINK_BYTES;
  store<u32>(link, valueOffset());
  const ofHref = keep(href, hrefEnd);
  store<u32>(link, valueOffset(), 4);
  const ofRel = keep(rel, relEnd);
  store<u32>(link, valueOffset(), 8);
  store<u32>(link, ofHref | (ofRel << 1), 12);
}

/** Ends the link whose target was noted last. */
export function push(start: u32, end: u32): void {
  lastEnd = end;
  if (linkCount === MAX_LINKS) {
    ++droppedCount;
    return;
  }
  const link = LINKS_AT + <usize>linkCount * LINK_BYTES;
  ++linkCount;
  store<u32>(link, start, 16);
  store<u32>(link, end, 20);
}

export function openAnchor(): void {
  // Menus set their entries apart by style alone; two anchors never share a word.
  if (inWord() && lastEnd === textLength) space();
  openSpan();
  isOpen = true;
}

/** `implied`: by another anchor or the end of the page, so that the true end is anyone's guess. */
export function closeAnchor(implied: bool): void {
  if (!isOpen) return;
  const end = closeSpan(implied);
  push(closedStart, end);
  isOpen = false;
}

/** `isFirst` of an h1, which is none of them. */
export function openHeading(isFirst: bool): void {
  isHeadingOpen = !isFirst;
  if (isFirst) return;
  const heading = headings + ((<usize>headingCount) << 3);
  ++headingCount;
  store<u32>(heading, textLength);
  store<u32>(heading, NO_END, 4);
}

export function closeHeading(): void {
  if (isHeadingOpen) store<u32>(headings + ((<usize>headingCount - 1) << 3), textLength, 4);
  isHeadingOpen = false;
}
