/**
 * AssemblyScript, SIMD: the exact nearest pages of one page after the other, see src/join/exact/exact-neighbors.ts.
 *
 *   open   takes the space of all threads and the scratch of this one
 *   fill   writes the rows of some pages
 *
 * Rebuild: `node scripts/build-kernels.mjs`. Memory is imported and shared; nothing is allocated here.
 */

// @ts-nocheck: compiled by asc, not by tsc.

import { clearHeap, idAt, offer, openHeap, scoreAt, size, sortHeap, valueAt } from './neighbors/nearest-heap';

/** Pages that are judged at a time: the overlaps of 8 stand in one register. */
const CHUNK: u32 = 32;
/** From so many pages before a page on chunks come, and those before these last. */
const PAGES_BEFORE: u32 = 256;
/** Columns that are summed before a chunk is judged again. */
const COLUMNS_AT_ONCE: u32 = 8;
/** The start of a list, among all of its block in units of 4 bytes; the bit above is set where it is a column. */
const LIST_BITS: u32 = 0x7fffffff;
const WHOLE: f64 = 65535;
const NEARNESS_SHARE: f64 = 0.6;

let k: u32;
let blockCount: u32;
let blocks: usize;
let offsets: usize;
let features: usize;
let weights: usize;
let sums: usize;
let roots: usize;
let counts: usize;
let rowIds: usize;
let rowShared: usize;
let rowTotal: usize;
let rowNearness: usize;
let floor: f64;

/** Overlaps so far, u16 a page of the block; zeros between two blocks. */
let overlaps: usize;
/** The weight of each feature in the page at hand; zero between two pages. */
let weightOf: usize;
let chunkOverlaps: usize;
/** Of each column of the page where it begins, and the weight of the feature; of each group of them its end, and what comes behind. */
let columns: usize;
let columnWeights: usize;
let groupEnds: usize;
let groupRests: usize;

let page: u32;
let sum: u32;
let least: f64;
let groupCount: u32;
let allRest: u32;

/** Takes down where things are, in the order in which src/join/exact/neighbor-space.ts writes it. */
export function open(header: usize, scratch: usize): void {
  floor = load<f64>(header);
  k = load<u32>(header, 8);
  blockCount = load<u32>(header, 12);
  blocks = load<u32>(header, 16);
  offsets = load<u32>(header, 20);
  features = load<u32>(header, 24);
  weights = load<u32>(header, 28);
  sums = load<u32>(header, 32);
  roots = load<u32>(header, 36);
  counts = load<u32>(header, 40);
  rowIds = load<u32>(header, 44);
  rowShared = load<u32>(header, 48);
  rowTotal = load<u32>(header, 52);
  rowNearness = load<u32>(header, 56);
  overlaps = load<u32>(scratch);
  weightOf = load<u32>(scratch, 4);
  chunkOverlaps = load<u32>(scratch, 8);
  openHeap(k, load<u32>(scratch, 12), load<u32>(scratch, 16), load<u32>(scratch, 20));
  columns = load<u32>(scratch, 24);
  columnWeights = load<u32>(scratch, 28);
  groupEnds = load<u32>(scratch, 32);
  groupRests = load<u32>(scratch, 36);
}

/** Writes the rows of pages from .. to - 1. What a row holds names pages that are likely to be near. */
export function fill(from: u32, to: u32): void {
  for (let row = from; row < to; row++) fillRow(row);
}

function fillRow(row: u32): void {
  page = row;
  clearHeap();
  sum = load<u16>(sums + ((<usize>row) << 1));
  const begin = load<u32>(offsets + ((<usize>row) << 2));
  const end = load<u32>(offsets + ((<usize>row) << 2), 4);
  for (let i = begin; i < end; i++) {
    store<u8>(weightOf + load<u32>(features + ((<usize>i) << 2)), load<u8>(weights + i));
  }
  least = leastOfLikely();
  const own = ownBlock();
  if (begin < end && blockCount > 0) {
    searchBlock(own, begin, end);
    for (let block: u32 = 0; block < blockCount; block++) if (block !== own) searchBlock(block, begin, end);
  }
  sortHeap();
  writeRow();
  for (let i = begin; i < end; i++) store<u8>(weightOf + load<u32>(features + ((<usize>i) << 2)), 0);
}

/** Rows that are no page begin with the last block. */
function ownBlock(): u32 {
  let block: u32 = 0;
  while (block + 1 < blockCount && page >= load<u32>(blockAt(block + 1))) block++;
  return block;
}

function blockAt(block: u32): usize {
  return blocks + <usize>block * 24;
}

/** The least similarity of the pages that the row names; the floor where it names none, or one that is no neighbor. */
function leastOfLikely(): f64 {
  const count = <u32>load<u8>(counts + page);
  if (count === 0) return floor;
  let lowest: f64 = Infinity;
  for (let i: u32 = 0; i < count; i++) {
    const id = load<u32>(rowIds + ((<usize>(page * k + i)) << 2));
    const shared = overlapWith(id);
    // Two empty bags are no neighbors.
    if (shared === 0) return floor;
    lowest = min(lowest, similarityOf(shared, load<u16>(sums + ((<usize>id) << 1))));
  }
  return max(lowest, floor);
}

function similarityOf(shared: u32, otherSum: u32): f64 {
  return <f64>shared / <f64>(sum + otherSum - shared);
}

function overlapWith(id: u32): u32 {
  const end = load<u32>(offsets + ((<usize>id) << 2), 4);
  let shared: u32 = 0;
  for (let i = load<u32>(offsets + ((<usize>id) << 2)); i < end; i++) {
    const own = <u32>load<u8>(weightOf + load<u32>(features + ((<usize>i) << 2)));
    const other = <u32>load<u8>(weights + i);
    shared += select<u32>(own, other, own < other);
  }
  return shared;
}

function searchBlock(block: u32, begin: u32, end: u32): void {
  const at = blockAt(block);
  const firstPage = load<u32>(at);
  const chunkEnd = load<u32>(at, 4);
  addLists(begin, end, load<u32>(at, 8), load<u32>(at, 12));
  // What stands near the page comes first, as it is often near: what others must reach is soon known.
  const place = page < firstPage ? 0 : min(page - firstPage, chunkEnd - CHUNK) & ~(CHUNK - 1);
  const begins = place - min(place, PAGES_BEFORE);
  const blockSums = <usize>load<u32>(at, 16);
  const leastSums = <usize>load<u32>(at, 20);
  sweep(firstPage, begins, chunkEnd, blockSums, leastSums);
  sweep(firstPage, 0, begins, blockSums, leastSums);
}

/** Adds the postings of the page's features, and lists the columns of the others in groups whose sums fit a byte. */
function addLists(begin: u32, end: u32, listStarts: usize, lists: usize): void {
  allRest = 0;
  groupCount = 0;
  let columnCount: u32 = 0;
  let inGroup: u32 = 0;
  let weightInGroup: u32 = 0;
  for (let i = begin; i < end; i++) {
    const list = listStarts + ((<usize>load<u32>(features + ((<usize>i) << 2))) << 2);
    const start = load<u32>(list);
    const weight = <u32>load<u8>(weights + i);
    const from = lists + ((<usize>(start & LIST_BITS)) << 2);
    if (start === (start & LIST_BITS)) {
      const to = lists + ((<usize>(load<u32>(list, 4) & LIST_BITS)) << 2);
      if (from < to) addPostings(from, to, weight);
      continue;
    }
    if (inGroup === COLUMNS_AT_ONCE || weightInGroup + weight > 255 || groupCount === 0) {
      groupCount++;
      inGroup = 0;
      weightInGroup = 0;
    }
    inGroup++;
    weightInGroup += weight;
    allRest += weight;
    store<u32>(columns + ((<usize>columnCount) << 2), <u32>from);
    store<u8>(columnWeights + columnCount, weight);
    columnCount++;
    store<u32>(groupEnds + ((<usize>(groupCount - 1)) << 2), columnCount);
    store<u32>(groupRests + ((<usize>(groupCount - 1)) << 2), allRest);
  }
  for (let g: u32 = 0; g < groupCount; g++) {
    const at = groupRests + ((<usize>g) << 2);
    store<u32>(at, allRest - load<u32>(at));
  }
}

function addPosting(entry: u32, weight: u32): void {
  const at = overlaps + ((entry & 0xffffff) << 1);
  const other = entry >>> 24;
  store<u16>(at, load<u16>(at) + select<u32>(other, weight, other < weight));
}

function addPostings(from: usize, to: usize, weight: u32): void {
  let at = from;
  for (; at + 16 <= to; at += 16) {
    addPosting(load<u32>(at), weight);
    addPosting(load<u32>(at, 4), weight);
    addPosting(load<u32>(at, 8), weight);
    addPosting(load<u32>(at, 12), weight);
  }
  for (; at < to; at += 4) addPosting(load<u32>(at), weight);
}

/** Offers the pages of the chunks from .. to - 1 that can be among the nearest, and empties their overlaps. */
function sweep(firstPage: u32, from: u32, to: u32, blockSums: usize, leastSums: usize): void {
  const zero = i16x8.splat(0);
  const restOfAll = i16x8.splat(<i16>allRest);
  let bound = boundOf();
  let ratio = bound / (1 + bound);
  // Of a page with sum S' the least overlap is ratio (S + S'): the product by S' is rounded, by half a unit at most.
  let ofSum = i16x8.splat(<i16>(ratio * 32768));
  let ofOwn = i16x8.splat(<i16>(<i32>Math.floor(ratio * <f64>sum - 0.5 - 1e-6) - 1));
  for (let first = from; first < to; first += CHUNK) {
    const at = overlaps + ((<usize>first) << 1);
    let a = v128.load(at);
    let b = v128.load(at, 16);
    let c = v128.load(at, 32);
    let d = v128.load(at, 48);
    v128.store(at, zero);
    v128.store(at, zero, 16);
    v128.store(at, zero, 32);
    v128.store(at, zero, 48);
    // Most chunks hold no page that can make it, whatever is to come: by the smallest bag of theirs.
    const most = i16x8.add(i16x8.max_s(i16x8.max_s(a, b), i16x8.max_s(c, d)), restOfAll);
    const leastSum = v128.load16_splat(leastSums + (<usize>first >> 4));
    const leastOfAll = i16x8.max_s(i16x8.add(ofOwn, i16x8.q15mulr_sat_s(leastSum, ofSum)), zero);
    if (!v128.any_true(i16x8.gt_s(most, leastOfAll))) continue;
    const s = blockSums + ((<usize>first) << 1);
    const na = i16x8.max_s(i16x8.add(ofOwn, i16x8.q15mulr_sat_s(v128.load(s), ofSum)), zero);
    const nb = i16x8.max_s(i16x8.add(ofOwn, i16x8.q15mulr_sat_s(v128.load(s, 16), ofSum)), zero);
    const nc = i16x8.max_s(i16x8.add(ofOwn, i16x8.q15mulr_sat_s(v128.load(s, 32), ofSum)), zero);
    const nd = i16x8.max_s(i16x8.add(ofOwn, i16x8.q15mulr_sat_s(v128.load(s, 48), ofSum)), zero);
    let rest = restOfAll;
    let next: u32 = 0;
    let g: u32 = 0;
    for (;;) {
      const isAny = v128.or(
        v128.or(i16x8.gt_s(i16x8.add(a, rest), na), i16x8.gt_s(i16x8.add(b, rest), nb)),
        v128.or(i16x8.gt_s(i16x8.add(c, rest), nc), i16x8.gt_s(i16x8.add(d, rest), nd)),
      );
      if (!v128.any_true(isAny) || g === groupCount) break;
      const end = load<u32>(groupEnds + ((<usize>g) << 2));
      rest = v128.load16_splat(groupRests + ((<usize>g) << 2));
      let low = zero;
      let high = zero;
      for (; next < end; next++) {
        const column = <usize>load<u32>(columns + ((<usize>next) << 2)) + first;
        const weight = v128.load8_splat(columnWeights + next);
        low = i8x16.add(low, i8x16.min_u(v128.load(column), weight));
        high = i8x16.add(high, i8x16.min_u(v128.load(column, 16), weight));
      }
      a = i16x8.add(a, i16x8.extend_low_i8x16_u(low));
      b = i16x8.add(b, i16x8.extend_high_i8x16_u(low));
      c = i16x8.add(c, i16x8.extend_low_i8x16_u(high));
      d = i16x8.add(d, i16x8.extend_high_i8x16_u(high));
      g++;
    }
    if (g < groupCount) continue;
    let reached: u32 =
      i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.gt_s(a, na), i16x8.gt_s(b, nb))) |
      (i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.gt_s(c, nc), i16x8.gt_s(d, nd))) << 16);
    if (!reached) continue;
    v128.store(chunkOverlaps, a);
    v128.store(chunkOverlaps, b, 16);
    v128.store(chunkOverlaps, c, 32);
    v128.store(chunkOverlaps, d, 48);
    const before = bound;
    do {
      const lane = ctz(reached);
      reached &= reached - 1;
      const id = firstPage + first + lane;
      if (id === page) continue;
      const shared = <u32>load<u16>(chunkOverlaps + (lane << 1));
      const similarity = similarityOf(shared, load<u16>(s + (lane << 1)));
      if (similarity < bound) continue;
      offer(similarity, id, shared);
      bound = boundOf();
    } while (reached);
    if (bound === before) continue;
    ratio = bound / (1 + bound);
    ofSum = i16x8.splat(<i16>(ratio * 32768));
    ofOwn = i16x8.splat(<i16>(<i32>Math.floor(ratio * <f64>sum - 0.5 - 1e-6) - 1));
  }
}

/** A page below this is not among the nearest. */
function boundOf(): f64 {
  return size < k ? least : max(least, scoreAt(0));
}

function writeRow(): void {
  store<u8>(counts + page, <u8>size);
  for (let i: u32 = 0; i < size; i++) {
    const slot = <usize>(page * k + i);
    const id = idAt(i);
    const shared = valueAt(i);
    const otherSum = <u32>load<u16>(sums + ((<usize>id) << 1));
    store<u32>(rowIds + (slot << 2), id);
    store<u16>(rowShared + (slot << 1), <u16>shared);
    store<u16>(rowTotal + (slot << 1), <u16>(sum + otherSum - shared));
    store<u16>(rowNearness + (slot << 1), nearnessOf(id, otherSum, scoreAt(i)));
  }
}

/** As `JaccardNearness` in src/join/pairs/nearness.ts, added up in the same order. */
function nearnessOf(id: u32, otherSum: u32, similarity: f64): u32 {
  const end = load<u32>(offsets + ((<usize>id) << 2), 4);
  let common: f64 = 0;
  for (let i = load<u32>(offsets + ((<usize>id) << 2)); i < end; i++) {
    const own = <usize>load<u8>(weightOf + load<u32>(features + ((<usize>i) << 2)));
    const other = <usize>load<u8>(weights + i);
    common += load<f64>(roots + (own << 3)) * load<f64>(roots + (other << 3));
  }
  const affinity: f64 = common === 0 ? 0.0 : min(1.0, common / Math.sqrt(<f64>(sum * otherSum)));
  const nearness = (WHOLE * (similarity + NEARNESS_SHARE * affinity)) / 2;
  const whole = Math.floor(nearness);
  return <u32>(nearness - whole >= 0.5 ? whole + 1 : whole);
}
