/**
 * Buckets by successive min-hash values: pages that share the first value form a bucket; one that is too
 * large is split by the next value, at most DEPTH deep.
 *
 *   repetition r                pages shared out to units by their first values
 *   unit u of repetition r      pages whose first value falls to u of UNITS
 *     sort by value  ->  runs   g = 1: dropped     g <= CAP: visited
 *                               larger: split by the next value, or at the last level visited as it is
 *
 * A repetition's runs are disjoint: each page is in one at most, so threads that take different units never
 * write to the same page. Two pages share a bucket of depth 1 with probability J, but a popular value's
 * bucket is split, so rare common features count more. A run that is full of pairs anyway should not be
 * split: `isFull` decides (CPSJoin's rule).
 *
 * Cost    about 0.1 µs a page, level and repetition; values 0.25 µs a page and repetition more.
 * References: Bawa, Condie, Ganesan, WWW 2005 (LSH forest); Christiani, Pagh, Sivertsen, ICDE 2018 (CPSJoin).
 */

import { createRadixScratch, type RadixScratch, radixSort } from '../../../lib/columns/radix-sort.ts';
import { GROUP_FUNCTIONS } from '../../../sketch/page-kernel.ts';
import { BUCKET_UNITS, UNIT_PAGES } from '../space/join-space.ts';
import type { JoinThread } from '../space/join-thread.ts';

/** Largest run that is compared all with all. */
export const CAP = 256;
export const DEPTH = 4;
/** Repetitions that one block of columns serves. */
export const BLOCK_REPETITIONS = GROUP_FUNCTIONS / DEPTH;

const GOLDEN = 0x9e3779b1;
/** Of each page of a unit its bucket unit, and where the next page of each goes: room of this thread. */
const bucketUnitOf = new Uint8Array(UNIT_PAGES);
const nextOf = new Uint16Array(BUCKET_UNITS);
/** A page without a bag. */
const NOWHERE = 255;
const scratchOf = new WeakMap<JoinThread, RadixScratch>();

/** Units of a repetition: fixed by the collection's size, never by the number of threads. */
export function splitUnits(pageCount: number): number {
  return Math.min(BUCKET_UNITS, Math.max(1, 2 ** Math.round(Math.log2(pageCount / 1024))));
}

export interface RunVisitor {
  /** Pages pages[from] .. pages[to - 1], to - from >= 2. */
  visit(pages: Uint32Array, from: number, to: number): void;
  isFull(pages: Uint32Array, from: number, to: number): boolean;
}

function firstKey(value: number): number {
  return Math.imul(value, GOLDEN) >>> 0;
}

/** Shares the unit's pages out to the units of buckets that their first values fall to, so that each reads its own alone. */
export function shareOut(thread: JoinThread, unit: number, repetition: number): void {
  const { columns, bags, shares } = thread.space;
  const { sums } = bags;
  const total = sums.length;
  const first = unit * UNIT_PAGES;
  const count = Math.min(UNIT_PAGES, total - first);
  const column = (repetition % BLOCK_REPETITIONS) * DEPTH * total + first;
  const span = 2 ** 32 / splitUnits(total);
  const ends = shares.ends.subarray(unit * BUCKET_UNITS, (unit + 1) * BUCKET_UNITS);
  const places = shares.places.subarray(first, first + count);
  ends.fill(0);
  for (let i = 0; i < count; i++) {
    bucketUnitOf[i] = sums[first + i] === 0 ? NOWHERE : firstKey(columns[column + i]!) / span;
    if (bucketUnitOf[i] !== NOWHERE) ends[bucketUnitOf[i]!]!++;
  }
  nextOf[0] = 0;
  for (let bucket = 1; bucket < BUCKET_UNITS; bucket++) {
    nextOf[bucket] = ends[bucket - 1]!;
    ends[bucket]! += ends[bucket - 1]!;
  }
  for (let i = 0; i < count; i++) {
    if (bucketUnitOf[i] !== NOWHERE) places[nextOf[bucketUnitOf[i]!]!++] = i;
  }
}

export function splitBuckets(
  thread: JoinThread,
  unit: number,
  repetition: number,
  visitor: RunVisitor,
): void {
  const { columns, bags, shares } = thread.space;
  const total = bags.sums.length;
  const units = splitUnits(total);
  const firstColumn = (repetition % BLOCK_REPETITIONS) * DEPTH;
  const { keys, pages } = thread.sortRoom(total / units > 1 ? Math.ceil((total / units) * 2) : total);
  let live = 0;
  let room = { keys, pages };
  for (let first = 0, last = unit; first < total; first += UNIT_PAGES, last += BUCKET_UNITS) {
    const end = first + shares.ends[last]!;
    for (let at = unit === 0 ? first : first + shares.ends[last - 1]!; at < end; at++) {
      const page = first + shares.places[at]!;
      if (live === room.pages.length) room = grown(thread, room);
      room.keys[live] = firstKey(columns[firstColumn * total + page]!);
      room.pages[live++] = page;
    }
  }
  for (let level = 1; live > 1; level++) {
    sortRun(thread, room.keys.subarray(0, live), room.pages.subarray(0, live));
    const column = (firstColumn + level) * total;
    let kept = 0;
    for (let from = 0, to = 0; from < live; from = to) {
      const key = room.keys[from]!;
      while (to < live && room.keys[to] === key) to++;
      if (to - from < 2) continue;
      if (to - from <= CAP || level === DEPTH || visitor.isFull(room.pages, from, to)) {
        visitor.visit(room.pages, from, to);
        continue;
      }
      for (let i = from; i < to; i++) {
        const page = room.pages[i]!;
        room.keys[kept] = (Math.imul(key, GOLDEN) ^ Math.imul(columns[column + page]!, 0x85ebca6b)) >>> 0;
        room.pages[kept++] = page;
      }
    }
    live = kept;
  }
}

function grown(thread: JoinThread, room: { keys: Uint32Array; pages: Uint32Array }) {
  const next = thread.sortRoom(room.pages.length * 2);
  next.keys.set(room.keys);
  next.pages.set(room.pages);
  return next;
}

function sortRun(thread: JoinThread, keys: Uint32Array, pages: Uint32Array): void {
  let scratch = scratchOf.get(thread);
  if (scratch === undefined || scratch.keys.length < keys.length) {
    scratch = createRadixScratch(Math.ceil(keys.length * 1.25));
    scratchOf.set(thread, scratch);
  }
  radixSort(keys, pages, scratch);
}
