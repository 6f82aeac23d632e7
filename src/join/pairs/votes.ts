/**
 * The order in which the neighbors of a page are listed: by how near they are (nearness.ts), and their neighbors too.
 *
 *   score(b | a) = s(a, b) + sum over the 20 nearest n of b of w(b, n) s(a, n)
 *   w(b, n) = J(b, n) / sum of J(b, .) over those 20;   s(a, a) = .3;   s(a, n) = 0 where n is not in the list of a
 *
 * A neighbor whose own neighbors are near to a as well lies in the middle of what a is about; one that shares a few
 * heavy words by chance lies at its edge. Only the lists that are stored are read, and no list gains or loses a page.
 * Pages of a similarity of .5 and more come first, by similarity: they are nearly the page itself.
 * The nearest page stays first where it is clearly the nearest (1.2 times as near as the second): a page's one true
 * partner, for example its translation or the other half of a divided text, has neighbors of its own.
 *
 * Measured   with J for s, P@10 (P@1) by similarity and by score, all parts: wikispeedia .508 (.630) and .545 (.660), manuals
 *            .721 (.801) and .736 (.818), newsgroups .583 (.769) and .592 (.768), mdn .815 (.870) and .821 (.874).
 *            Articles cut into two halves of every second sentence, P@1 of the other half: .948 and .945; without the
 *            rule of the clear winner .943. Voters from 16 to 32, a weight of the votes from .5 to 3 and s(a, a) from
 *            .15 to .5 are within .007 of these.
 * Cost       20 look-ups for each neighbor of a page, in slots by a hash under which no two pages of the list meet.
 */

import { type NearBy, nearnessOf } from './nearness.ts';
import { type NeighborSpan, type NeighborTable, rowOfTable, similarities } from './neighbor-table.ts';

/** Neighbors of a neighbor that vote. */
export const VOTERS = 20;
const SELF = 0.3;
const CLEAR_WINNER = 1.2;
const NEARLY_EQUAL = 0.5;
const KEPT_WITHIN = 10;

/** At most 255 neighbors a page, and the page itself; what waits to be folded in may add some. */
const MOST_PLACES = 1024;
const LEAST_SLOT_BITS = 6;

/** Gives the neighbors of a page; only the first `VOTERS` are looked at. */
export type NeighborsOf = (page: number) => NeighborSpan;

/** Counts votes; keeps its scratch memory from page to page. */
export class VoteCount {
  readonly #by: NearBy;
  readonly #list = new ListPlaces();
  readonly #scores = new Float64Array(MOST_PLACES);

  /** @param by what voters are the nearest by, and weighed by: what lists hold pages for. */
  constructor(by: NearBy = 'similarity') {
    this.#by = by;
  }

  /**
   * Scores of a list in its order, valid until the next call; `self` is the page whose list it is, -1 for a document that is
   * no page.
   */
  scores(list: NeighborSpan, self: number, neighborsOf: NeighborsOf): Float64Array {
    const { ids, start, end } = list;
    const nearness = nearnessOf(list);
    this.#list.take(list, nearness, self);
    const isByNearness = this.#by === 'nearness';
    for (let at = start; at < end; at++) {
      const own = nearness[at - start]!;
      this.#scores[at - start] = own + votes(this.#list, neighborsOf(ids[at]!), isByNearness);
    }
    return this.#scores.subarray(0, end - start);
  }
}

/** What the first of a list vote for the page that has taken its list. */
function votes(
  { slots, factor, shift, ids: placed, nearness: near }: ListPlaces,
  { ids, shared, total, nearness, start, end }: NeighborSpan,
  isByNearness: boolean,
): number {
  const stop = Math.min(end, start + VOTERS);
  let sum = 0;
  let votes = 0;
  for (let at = start; at < stop; at++) {
    const id = ids[at]!;
    const weight = isByNearness ? nearness![at]! : shared[at]! / total[at]!;
    const place = slots[Math.imul(id, factor) >>> shift]!;
    sum += weight;
    // No branch: whether a page is in the list cannot be foreseen. Place 0 is that of all others.
    votes += weight * near[place * Number(placed[place] === id)]!;
  }
  return sum === 0 ? 0 : votes / sum;
}

/** The pages of one list and how near they are, each in a slot that no other one of them is hashed to. */
class ListPlaces {
  /** By slot the place of a page, 1 or more, or 0. */
  slots = new Uint16Array(2 ** LEAST_SLOT_BITS);
  shift = 32 - LEAST_SLOT_BITS;
  /** Odd: a slot is the upper bits of its product with an id. */
  factor = 0x9e3779b1;
  readonly ids = new Uint32Array(MOST_PLACES);
  readonly nearness = new Float64Array(MOST_PLACES);
  #count = 0;

  take({ ids, start, end }: NeighborSpan, nearness: Float64Array, self: number): void {
    this.#empty(this.#count);
    this.#count = 0;
    for (let at = start; at < end; at++) this.#add(ids[at]!, nearness[at - start]!);
    if (self >= 0) this.#add(self, SELF);
    // With the square of their number, more than half of all factors will do.
    const bits = Math.max(LEAST_SLOT_BITS, 32 - Math.clz32(this.#count ** 2));
    this.shift = 32 - bits;
    if (this.slots.length < 2 ** bits) this.slots = new Uint16Array(2 ** bits);
    while (!this.#fill()) this.factor = Math.imul(this.factor, 0x2c1b3c6d);
  }

  #add(id: number, nearness: number): void {
    this.ids[++this.#count] = id;
    this.nearness[this.#count] = nearness;
  }

  /** Gives each page its slot; with none given, false where two would have the same. */
  #fill(): boolean {
    for (let place = 1; place <= this.#count; place++) {
      const slot = this.#slotOf(place);
      const taken = this.slots[slot]!;
      if (taken !== 0 && this.ids[taken] !== this.ids[place]) {
        this.#empty(place - 1);
        return false;
      }
      this.slots[slot] = place;
    }
    return true;
  }

  #empty(count: number): void {
    for (let place = 1; place <= count; place++) this.slots[this.#slotOf(place)] = 0;
  }

  #slotOf(place: number): number {
    return Math.imul(this.ids[place]!, this.factor) >>> this.shift;
  }
}

/** What lists of an index go by. */
export interface Listing {
  /** What voters are the nearest by, and weighed by: what lists hold pages for. */
  readonly by: NearBy;
  /** So many of the most similar pages are among the first ten. */
  readonly keptCount: number;
}

/** Lists that go by what pages themselves say. */
export const PLAIN: Listing = { by: 'similarity', keptCount: 0 };

/** Places of a list by score, best first, ties by place; nearly equal pages and a clear winner stay first. */
export function placesByScore(
  list: NeighborSpan,
  scores: Float64Array,
  { keptCount }: Listing = PLAIN,
): number[] {
  const places = stayingFirst(list);
  const firstCount = places.length;
  for (let place = 0; place < scores.length; place++) {
    if (!isAmong(places, firstCount, place)) insert(places, firstCount, place, scores);
  }
  return keptCount === 0 ? places : withKept(places, list, keptCount);
}

function isAmong(places: readonly number[], count: number, place: number): boolean {
  for (let i = 0; i < count; i++) if (places[i] === place) return true;
  return false;
}

/** Puts a place behind those from `from` on that have as great a figure: lists are short, and nearly in order. */
function insert(places: number[], from: number, place: number, figures: Float64Array): void {
  let at = places.length;
  for (; at > from && figures[places[at - 1]!]! < figures[place]!; at--) places[at] = places[at - 1]!;
  places[at] = place;
}

/** The most similar pages that stand behind the tenth come to the end of the first ten. */
function withKept(places: readonly number[], list: NeighborSpan, keptCount: number): number[] {
  const near = similarities(list);
  const kept = places.toSorted((a, b) => near[b]! - near[a]! || a - b).slice(0, keptCount);
  const missing = kept.filter((place) => places.indexOf(place) >= KEPT_WITHIN);
  if (missing.length === 0) return [...places];
  const first = places.slice(0, KEPT_WITHIN);
  const leaving = first.filter((place) => !kept.includes(place)).slice(-missing.length);
  const staying = first.filter((place) => !leaving.includes(place));
  const rest = places.slice(KEPT_WITHIN).filter((place) => !missing.includes(place));
  return [...staying, ...missing, ...leaving, ...rest];
}

/** The places of a list that stay first, by similarity, whatever the votes. */
export function stayingFirst(list: NeighborSpan): number[] {
  const near = similarities(list);
  const equal: number[] = [];
  for (let place = 0; place < near.length; place++) {
    if (near[place]! >= NEARLY_EQUAL) insert(equal, 0, place, near);
  }
  if (equal.length > 0) return equal;
  const [first, second] = greatestTwo(near);
  // What shares nothing with the page is no winner.
  return first >= 0 && near[first]! > 0 && near[first]! >= CLEAR_WINNER * (near[second] ?? 0) ? [first] : [];
}

/** Places of the greatest two of some numbers, the first one of equal ones; -1 where there is none. */
function greatestTwo(numbers: Float64Array): [number, number] {
  let [first, second] = [-1, -1];
  for (let place = 0; place < numbers.length; place++) {
    if (first < 0 || numbers[place]! > numbers[first]!) [first, second] = [place, first];
    else if (second < 0 || numbers[place]! > numbers[second]!) second = place;
  }
  return [first, second];
}

/** The rows of a table by score, a block of pages at a time; a block is valid until the next one is asked for. */
export function* rowsByScore(
  table: NeighborTable,
  listing = PLAIN,
  blockPages = 1 << 12,
): IterableIterator<NeighborTable> {
  const { k, counts, ids, shared, total, nearness } = table;
  const count = new VoteCount(listing.by);
  const neighborsOf = (page: number) => rowOfTable(table, page);
  for (let start = 0; start < counts.length; start += blockPages) {
    const end = Math.min(counts.length, start + blockPages);
    const block = {
      k,
      counts: counts.slice(start, end),
      ids: ids.slice(start * k, end * k),
      shared: shared.slice(start * k, end * k),
      total: total.slice(start * k, end * k),
      ...(nearness !== undefined && { nearness: nearness.slice(start * k, end * k) }),
    };
    for (let page = start; page < end; page++) {
      const row = neighborsOf(page);
      const places = placesByScore(row, count.scores(row, page, neighborsOf), listing);
      putInOrder(block, page - start, places, table, row.start);
    }
    yield block;
  }
}

/** Writes the entries of a row that begins at `from` of one table to row `row` of another, in the order of `places`. */
export function putInOrder(
  to: NeighborTable,
  row: number,
  places: ArrayLike<number>,
  table: Omit<NeighborTable, 'counts'>,
  from: number,
): void {
  const start = row * to.k;
  for (let i = 0; i < places.length; i++) {
    const at = from + places[i]!;
    to.ids[start + i] = table.ids[at]!;
    to.shared[start + i] = table.shared[at]!;
    to.total[start + i] = table.total[at]!;
    if (to.nearness !== undefined) to.nearness[start + i] = table.nearness![at]!;
  }
}
