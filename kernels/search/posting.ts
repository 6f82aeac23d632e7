/** AssemblyScript: packs the entries of a word. The form of the bytes: src/store/blobs/search-blobs.ts, place-bits.ts. */

// @ts-nocheck: compiled by asc, not by tsc.

const HEAD_BYTES: usize = 12;
const MORE: u32 = 6;
const IN_TITLE: u32 = 7;
const ESCAPE: u32 = 16;
/** Lengths are stored up to here; what is longer is taken for this. */
const CAPPED_LENGTH: u32 = 0xffff;
const LONG_LENGTH: u32 = 1 << 18;

/** What `endPart` says of a part (u32): its pages, the first of them, where its entries end, and its places. */
const FIRST_PAGE: usize = 4;
const PAGES_END: usize = 8;
const PLACES_END: usize = 12;

/** Of the part at hand: how many pages it has, the first of them, and from which the next gap counts. */
let pageCount: u32 = 0;
let firstPage: u32 = 0;
let nextPage: u32 = 0;
/** Where its entries end, and its places: of the last byte there, `bitCount` bits are taken. */
let pagesEnd: usize = 0;
let placesEnd: usize = 0;
let bitCount: u32 = 0;
let held: u64 = 0;

/** Of the page at hand: places to come, from which on the next one counts, and the least that none of them reaches. */
let left: u32 = 0;
let nextPlace: u32 = 0;
let limit: u32 = 0;

/** Begins a part whose entries and places go to these places. */
export function beginPart(pages: usize, places: usize): void {
  pageCount = 0;
  nextPage = 0;
  pagesEnd = pages;
  placesEnd = places;
  bitCount = 0;
  held = 0;
}

/** Takes what has been put before `end` for the places of the part. */
export function takePlaces(end: usize): void {
  placesEnd = end;
}

export function endPart(state: usize): void {
  store<u32>(state, pageCount);
  store<u32>(state, firstPage, FIRST_PAGE);
  store<u32>(state, pagesEnd, PAGES_END);
  store<u32>(state, placesEnd + <usize>(bitCount > 0), PLACES_END);
}

function putVarint(value: u64): void {
  let rest = value;
  let at = pagesEnd;
  for (; rest >= 0x80; rest >>>= 7) store<u8>(at++, <u8>rest | 0x80);
  store<u8>(at, <u8>rest);
  pagesEnd = at + 1;
}

/** Adds the entry of a page, without its places. */
export function packPage(page: u32, titleHits: u32, textHits: u32): void {
  if (pageCount++ === 0) firstPage = page;
  const gap = (<u64>(page - nextPage)) << 3;
  if (titleHits > 0) {
    putVarint(gap + IN_TITLE);
    putVarint(titleHits);
    putVarint(textHits);
  } else if (textHits > MORE) {
    putVarint(gap + MORE);
    putVarint(textHits - MORE - 1);
  } else putVarint(gap + textHits - 1);
  nextPage = page + 1;
}

/** Adds at most 48 bits; up to 8 bytes behind are written over. */
function putBits(value: u64, count: u32): void {
  held |= value << (<u64>bitCount);
  bitCount += count;
  store<u64>(placesEnd, held);
  placesEnd += bitCount >>> 3;
  held >>>= <u64>(bitCount & ~7);
  bitCount &= 7;
}

function putPlace(place: u32): void {
  const mean = ((<f64>limit - <f64>nextPlace) * 0.69) / (<f64>left + 1);
  const k: u32 = mean < 2 ? 0 : 31 - clz(<u32>mean);
  const value = place - nextPlace;
  const ones = value >>> k;
  if (ones >= ESCAPE) putBits(((<u64>value) << ESCAPE) | 0xffff, ESCAPE + 32);
  else {
    const lower = <u64>(value & ((1 << k) - 1));
    putBits((lower << (<u64>(ones + 1))) | ((1 << ones) - 1), ones + 1 + k);
  }
  nextPlace = place + 1;
}

/** Packs the places of the page at hand, as far as they are there; returns where the next entry begins, or `end`. */
function putPlaces(places: usize, end: usize): usize {
  let at = places;
  for (; left > 0 && at < end; at += 4) {
    putPlace(load<u32>(at));
    --left;
  }
  return at;
}

/**
 * Adds entries, each a page, how often the title has the word, how often title and text, and its places (u32): from `entries`
 * to `end`, where the last may be cut off. `lengths` has the words of each page (u16). Returns where it ended: before a head
 * that is cut off, or before a page more than the part takes. Behind the entries there
 * are 16 bytes for each page, behind the places 6 for each value and 8 more.
 */
export function packEntries(entries: usize, end: usize, lengths: usize, mostPages: u32): usize {
  let at = putPlaces(entries, end);
  while (at + HEAD_BYTES <= end && pageCount < mostPages) {
    const page = load<u32>(at);
    const titleHits = load<u32>(at, 4);
    left = load<u32>(at, 8);
    packPage(page, titleHits, left - titleHits);
    const length = <u32>load<u16>(lengths + ((<usize>page) << 1));
    limit = length >= CAPPED_LENGTH ? LONG_LENGTH : length + 1;
    nextPlace = 0;
    at = putPlaces(at + HEAD_BYTES, end);
  }
  return at;
}
