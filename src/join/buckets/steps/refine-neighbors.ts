/**
 * Refinement of a neighbor graph: neighbors of neighbors are likely neighbors.
 *
 *   reverse    keeps a sample of the pages that hold a page; notes which of them it should hold and does not
 *   answer     offers each page those notes
 *   remember   copies who is in the heaps, so that a round reads one state and writes another
 *   lead       finds the leaders, which the order of a round goes by
 *   expand     compares a page with the neighbors, both ways, of its neighbors, both ways
 *
 * Only paths with at least one edge that is new since the last round are walked: the others were walked then.
 * A unit writes the heaps of its own pages alone (a pair may be compared once from either end for that), so
 * rounds need no locks and come out the same with any number of threads.
 *
 * References: Dong, Charikar, Li, WWW 2011 (NN-Descent); Giakkoupis, Kermarrec, Ruas, Taïani 2021.
 */

import { mix32 } from '../../../lib/hash.ts';
import { keptIn } from '../../../lib/kept.ts';
import { ROW_BYTES } from '../../../sketch/page-kernel.ts';
import { leaderOf } from '../../pairs/leader-order.ts';
import { LIST_IDS } from '../space/join-scratch.ts';
import { REVERSE_LIMIT, reversePages, UNIT_PAGES } from '../space/join-space.ts';
import { BAGS_COMPARED, type JoinThread, ROWS_COMPARED } from '../space/join-thread.ts';
import { bound, find, ID_BITS, NEW_BIT } from '../space/neighbor-heaps.ts';
import { agreementNeeded, agreementTable } from '../space/row-filter.ts';
import { keep } from './compare-run.ts';
import { EdgeBlocks } from './edge-blocks.ts';
import { OfferList } from './offer-list.ts';
import { PageSet } from './page-set.ts';

const GOLDEN = 0x9e3779b1;

const seenOf = new WeakMap<JoinThread, PageSet>();
const offersOf = new WeakMap<JoinThread, OfferList>();
const edgesOf = new WeakMap<JoinThread, EdgeBlocks>();

/** Copies who is in the unit's heaps to `before`, and clears the marks of the originals. */
export function rememberHeaps(thread: JoinThread, unit: number): void {
  const { heaps, before } = thread.space;
  const first = unit * UNIT_PAGES;
  const last = Math.min(heaps.counts.length, first + UNIT_PAGES);
  const { k } = heaps;
  before.counts.set(heaps.counts.subarray(first, last), first);
  before.ids.set(heaps.ids.subarray(first * k, last * k), first * k);
  for (let slot = first * k; slot < last * k; slot++) heaps.ids[slot]! &= ID_BITS;
}

/** Finds the leaders of the unit's pages. */
export function findLeaders(thread: JoinThread, unit: number): void {
  const { heaps, leaders } = thread.space;
  const { k } = heaps;
  const last = Math.min(heaps.counts.length, (unit + 1) * UNIT_PAGES);
  for (let page = unit * UNIT_PAGES; page < last; page++) {
    leaders[page] = leaderOf(page, heaps.ids, page * k, page * k + heaps.counts[page]!, ID_BITS);
  }
}

/** Gives this thread's row filter `tenths` of a standard deviation more slack than the space began with. */
export function loosenFilter(thread: JoinThread, tenths: number): void {
  thread.agreements = agreementTable(thread.space.slack + tenths / 10);
}

/** Recomputes the thresholds of the unit's pages, and marks all their neighbors as new: paths are walked again. */
export function renewHeaps(thread: JoinThread, unit: number): void {
  const { heaps, needs, floor } = thread.space;
  const last = Math.min(heaps.counts.length, (unit + 1) * UNIT_PAGES);
  for (let page = unit * UNIT_PAGES; page < last; page++) {
    thread.bytes[needs + page] = agreementNeeded(thread.agreements, bound(heaps, page, floor));
    for (let slot = page * heaps.k; slot < (page + 1) * heaps.k; slot++) {
      heaps.ids[slot] = (heaps.ids[slot]! | NEW_BIT) >>> 0;
    }
  }
}

/**
 * Samples the reverse lists of the unit's pages, and notes what to offer them: pages that hold them newly, at a
 * similarity that gets in. Heaps are only read, so all units see the same.
 */
export function reverseHeaps(thread: JoinThread, unit: number, round: number): void {
  const { heaps, floor, reverseCounts, reverseIds } = thread.space;
  const unitPages = reversePages(heaps.counts.length);
  const first = unit * unitPages;
  const last = Math.min(heaps.counts.length, first + unitPages);
  const offers = keptIn(offersOf, thread, () => new OfferList());
  const edges = keptIn(edgesOf, thread, () => new EdgeBlocks());
  reverseCounts.fill(0, first, last);
  edges.forEach(heaps, first, last, (target, from, similarity) => {
    const page = from & ID_BITS;
    const isNew = (from & NEW_BIT) !== 0;
    if (isNew && similarity >= bound(heaps, target, floor) && find(heaps, target, page) < 0) {
      offers.push(target, page, similarity);
    }
    const seen = reverseCounts[target]!++;
    const place = seen < REVERSE_LIMIT ? seen : mix32(page ^ Math.imul(target + round, GOLDEN)) % (seen + 1);
    if (place < REVERSE_LIMIT) reverseIds[target * REVERSE_LIMIT + place] = from;
  });
}

/** Makes the offers that this thread has noted: a page's are all noted by one thread, in order. */
export function answerOffers(thread: JoinThread): void {
  const offers = offersOf.get(thread);
  offersOf.delete(thread);
  offers?.forEach((target, page, similarity) => {
    keep(thread, target, page, similarity);
  });
}

/** Compares the pages of the unit, of those in the order of the round, with their neighbors' neighbors. */
export function expandHeaps(thread: JoinThread, unit: number): void {
  const { before, order } = thread.space;
  const first = unit * UNIT_PAGES;
  const last = Math.min(order.length, first + UNIT_PAGES);
  const seen = keptIn(seenOf, thread, () => new PageSet(mostSeen(before.k)));
  for (let at = first; at < last; at++) expandPage(thread, order[at]!, seen);
}

/** A page, its neighbors now and when the round began, those both ways of these. */
function mostSeen(k: number): number {
  return 1 + k + (k + REVERSE_LIMIT) * (k + REVERSE_LIMIT);
}

/** `seen` gets the pages that were taken, or need not be. */
function expandPage(thread: JoinThread, page: number, seen: PageSet): void {
  const { before, reverseCounts, reverseIds, heaps } = thread.space;
  const { words } = thread;
  const list = thread.at('list') >>> 2;
  const { k } = before;
  let size = 0;
  seen.clear();
  seen.add(page);
  for (let slot = page * k, end = slot + heaps.counts[page]!; slot < end; slot++) {
    seen.add(heaps.ids[slot]! & ID_BITS);
  }
  const take = (id: number) => {
    if (!seen.add(id)) return;
    words[list + size++] = id;
    if (size === LIST_IDS) size = compareList(thread, page, size);
  };
  const walk = (via: number) => {
    const through = via & ID_BITS;
    const isNew = (via & NEW_BIT) !== 0;
    for (let slot = through * k, end = slot + before.counts[through]!; slot < end; slot++) {
      const id = before.ids[slot]!;
      if (isNew || (id & NEW_BIT) !== 0) take(id & ID_BITS);
    }
    const from = through * REVERSE_LIMIT;
    const to = from + Math.min(REVERSE_LIMIT, reverseCounts[through]!);
    for (let slot = from; slot < to; slot++) {
      const id = reverseIds[slot]!;
      if (isNew || (id & NEW_BIT) !== 0) take(id & ID_BITS);
    }
  };
  for (let slot = page * k, end = slot + before.counts[page]!; slot < end; slot++) walk(before.ids[slot]!);
  const from = page * REVERSE_LIMIT;
  const to = from + Math.min(REVERSE_LIMIT, reverseCounts[page]!);
  for (let slot = from; slot < to; slot++) {
    const id = reverseIds[slot]! & ID_BITS;
    if (find(before, page, id) < 0) walk(reverseIds[slot]!);
  }
  if (size > 0) compareList(thread, page, size);
}

/** Compares `page` with the first `size` pages of the list, those that agree most first. */
function compareList(thread: JoinThread, page: number, size: number): number {
  const { space, words, bytes, table, kernel } = thread;
  const { floor, needs } = space;
  const { sums } = space.bags;
  const out = thread.at('out');
  const counts = thread.at('tile');
  const count = kernel.rowMatches(
    page,
    thread.at('list'),
    size,
    space.rows,
    bytes[needs + page]!,
    out,
    counts,
  );
  const { order, starts } = orderByAgreement(bytes, counts, count);
  let compared = 0;
  for (let agreement = ROW_BYTES; agreement >= bytes[needs + page]!; agreement--) {
    for (let i = starts[agreement]!; i < starts[agreement + 1]!; i++) {
      const id = words[(out >>> 2) + order[i]!]!;
      const sumOfBoth = sums[page]! + sums[id]!;
      table.load(page);
      const shared = table.overlap(id);
      compared++;
      if (shared <= 0) continue;
      const similarity = shared / (sumOfBoth - shared);
      if (similarity >= floor) keep(thread, page, id, similarity);
    }
  }
  thread.count(ROWS_COMPARED, size);
  thread.count(BAGS_COMPARED, compared);
  return 0;
}

const listOrder = { order: new Uint16Array(LIST_IDS), starts: new Uint16Array(ROW_BYTES + 2) };

/**
 * Counting sort: those of agreement c are order[starts[c]] .. order[starts[c + 1] - 1]. In arrays that stay, beside
 * groupBy(): lists are short, and there is one for each page and pass.
 */
function orderByAgreement(bytes: Uint8Array, counts: number, size: number): typeof listOrder {
  const { order, starts } = listOrder;
  starts.fill(0);
  for (let i = 0; i < size; i++) starts[bytes[counts + i]!]!++;
  let end = 0;
  for (let c = 0; c < starts.length; c++) starts[c] = end += starts[c]!;
  for (let i = size - 1; i >= 0; i--) order[--starts[bytes[counts + i]!]!] = i;
  return listOrder;
}
