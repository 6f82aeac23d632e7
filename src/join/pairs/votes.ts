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
 * Cost       20 look-ups for each neighbor of a page, in a table of 1,024 slots.
 */

import { type NearBy, nearnessOf } from './nearness.ts';
import { type NeighborSpan, type NeighborTable, rowOfTable, similarities } from './neighbor-table.ts';

/** Neighbors of a neighbor that vote. */
export const VOTERS = 20;
const SELF = 0.3;
const CLEAR_WINNER = 1.2;
const NEARLY_EQUAL = 0.5;
const KEPT_WITHIN = 10;

/** At most 255 neighbors a page, and the page itself. */
const SLOTS = 1024;
const HASH = 0x9e3779b1;
const EMPTY = -1;

/** Gives the neighbors of a page; only the first `VOTERS` are looked at. */
export type NeighborsOf = (page: number) => NeighborSpan;

/** Counts votes; keeps its scratch memory from page to page. */
export class VoteCount {
  readonly #by: NearBy;
  readonly #ids = new Int32Array(SLOTS).fill(EMPTY);
  readonly #nearness = new Float64Array(SLOTS);
  readonly #scores = new Float64Array(SLOTS);

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
    this.#ids.fill(EMPTY);
    for (let at = start; at < end; at++) this.#put(ids[at]!, nearness[at - start]!);
    if (self >= 0) this.#put(self, SELF);
    for (let at = start; at < end; at++) {
      this.#scores[at - start] = nearness[at - start]! + this.#votes(neighborsOf(ids[at]!));
    }
    return this.#scores.subarray(0, end - start);
  }

  #votes({ ids, shared, total, nearness, start, end }: NeighborSpan): number {
    const isByNearness = this.#by === 'nearness';
    let sum = 0;
    let votes = 0;
    for (let at = start; at < Math.min(end, start + VOTERS); at++) {
      const weight = isByNearness ? nearness![at]! : shared[at]! / total[at]!;
      sum += weight;
      votes += weight * this.#get(ids[at]!);
    }
    return sum === 0 ? 0 : votes / sum;
  }

  #put(id: number, nearness: number): void {
    const slot = this.#slot(id);
    this.#ids[slot] = id;
    this.#nearness[slot] = nearness;
  }

  #get(id: number): number {
    const slot = this.#slot(id);
    return this.#ids[slot] === EMPTY ? 0 : this.#nearness[slot]!;
  }

  #slot(id: number): number {
    let slot = Math.imul(id, HASH) >>> 22;
    while (this.#ids[slot] !== EMPTY && this.#ids[slot] !== id) slot = (slot + 1) % SLOTS;
    return slot;
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
  return first >= 0 && near[first]! >= CLEAR_WINNER * (near[second] ?? 0) ? [first] : [];
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
