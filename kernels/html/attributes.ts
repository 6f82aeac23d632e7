/** AssemblyScript: the attributes of a tag. Where the first of them stand is kept, since a tag that matters is asked for several. */

// @ts-nocheck: compiled by asc, not by tsc.

import {
  ATTRIBUTE_END,
  ATTRIBUTE_START,
  ATTRIBUTES_AT,
  MAX_KNOWN_ATTRIBUTES,
  VALUE_END,
  VALUE_START,
} from '../../src/page/html/kernel-layout';
import { put } from './state';
import {
  DASH,
  DOUBLE_QUOTE,
  EQUALS,
  endsAttributeName,
  findUnit,
  fourStandAt,
  GREATER,
  isBlank,
  SINGLE_QUOTE,
  SLASH,
  standsAt,
} from './units';

/** Bytes of a unit. */
const U: usize = 2;
const DATA: u32 = 0x61746164;
const AKIN: u32 = 0x6e696b61;
const PAGE: u32 = 0x65676170;
const FIND: u32 = 0x646e6966;
/** `data-akin-body` */
const SHORTEST_MARK: usize = 14;
const ATTRIBUTE_BYTES: usize = 16;
const KNOWN_END: usize = <usize>ATTRIBUTES_AT + ATTRIBUTE_BYTES * <usize>MAX_KNOWN_ATTRIBUTES;

// All are addresses.
let page: usize = 0;
let pageEnd: usize = 0;
let attributeStart: usize = 0;
let attributeEnd: usize = 0;
export let valueStart: usize = 0;
export let valueEnd: usize = 0;
/** Behind the last of the attributes that are kept. */
let known: usize = 0;
/** Where those behind them begin; 0 where all are kept. */
let unknownFrom: usize = 0;
export let isSelfClosing: bool = false;
/** Whether a tag so far had an attribute by which pages mark their parts. */
export let hasMarks: bool = false;

export function beginAttributes(pageAt: usize, to: usize): void {
  page = pageAt;
  pageEnd = to;
  hasMarks = false;
}

function offset(address: usize): u32 {
  return <u32>((address - page) >>> 1);
}

/** Where the tag is over that goes on at `from`; 0 where the page ends first. */
export function readAttributes(from: usize): usize {
  let place = from;
  known = ATTRIBUTES_AT;
  unknownFrom = 0;
  while (true) {
    const before = place;
    place = readAttribute(place);
    if (place === 0 || attributeStart === 0) break;
    if (attributeEnd - attributeStart >= SHORTEST_MARK * U) hasMarks = hasMarks || isMark(attributeStart);
    if (known < KNOWN_END) {
      store<u32>(known, <u32>attributeStart);
      store<u32>(known, <u32>attributeEnd, 4);
      store<u32>(known, <u32>valueStart, 8);
      store<u32>(known, <u32>valueEnd, 12);
      known += ATTRIBUTE_BYTES;
    } else if (unknownFrom === 0) unknownFrom = before;
  }
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
  const bytes = (<usize>length) << 1;
  for (let at: usize = ATTRIBUTES_AT; at < known; at += ATTRIBUTE_BYTES) {
    attributeStart = load<u32>(at);
    attributeEnd = load<u32>(at, 4);
    if (attributeEnd - attributeStart !== bytes || !standsAt(attributeStart, name, length)) continue;
    valueStart = load<u32>(at, 8);
    valueEnd = load<u32>(at, 12);
    putAttribute();
    return true;
  }
  return unknownFrom !== 0 && findUnknown(name, length);
}

function findUnknown(name: usize, length: u32): bool {
  const wasSelfClosing = isSelfClosing;
  const bytes = (<usize>length) << 1;
  let place = readAttribute(unknownFrom);
  while (
    attributeStart !== 0 &&
    (attributeEnd - attributeStart !== bytes || !standsAt(attributeStart, name, length))
  ) {
    place = readAttribute(place);
  }
  isSelfClosing = wasSelfClosing;
  if (attributeStart === 0) return false;
  putAttribute();
  return true;
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
