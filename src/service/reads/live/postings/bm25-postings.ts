/** Which of the pages that wait are near to a page by BM25, and to which of them it is near: posting lists that grow and shrink. */
import type { Bag } from '../../../../features/bag.ts';
import {
  type Bm25Facts,
  Bm25Queries,
  type Bm25Query,
  nearnessOfScore,
  pageWeight,
  QUERY_WEIGHTS,
} from '../../../../join/bm25/bm25.ts';
import { NumberLists } from '../../../../lib/keys/number-lists.ts';

/** Of 24 bits. */
const PLACE_MASK = 0xffffff;

/** A page that waits and a bag, in whole 65,535ths. */
interface Met {
  readonly place: number;
  /** How near the page is to the bag. */
  readonly near: number;
  /** How near the bag is to the page. */
  readonly back: number;
}

export class Bm25Postings {
  readonly #facts: Bm25Facts;
  readonly #queries: Bm25Queries;
  /** Of each feature `place | count << 24`, in any order. */
  readonly #postings = new NumberLists();
  /** By place: of the bag, the least nearness in the list of the page, and zeros between two questions. */
  #norms = new Float64Array(64);
  #owns = new Float64Array(64);
  #leasts = new Uint16Array(64);
  #scores = new Float64Array(64);
  #backs = new Float64Array(64);

  constructor(facts: Bm25Facts) {
    this.#facts = facts;
    this.#queries = new Bm25Queries(facts);
  }

  /** @param least the nearness from which on another page stands in the list of this one. */
  add(place: number, bag: Bag, least: number): void {
    if (place >= this.#norms.length) this.#grow(2 * place);
    const { features, counts, norm, own } = this.#queries.of(bag);
    this.#norms[place] = norm;
    this.#owns[place] = own;
    this.#leasts[place] = least;
    for (const [i, feature] of features.entries()) this.#postings.add(feature, place | (counts[i]! << 24));
  }

  /** What `add` was given of the place. */
  remove(place: number, bag: Bag): void {
    const { features, counts } = this.#queries.of(bag);
    for (const [i, feature] of features.entries()) this.#postings.remove(feature, place | (counts[i]! << 24));
  }

  /** From how near on another page stands in the list of a place that was added, from now on. */
  raise(place: number, least: number): void {
    this.#leasts[place] = least;
  }

  /** The least nearness in the list of a place. */
  leastAt(place: number): number {
    return this.#leasts[place]!;
  }

  /** Those that share a word with a bag, by place. */
  meet(bag: Bag): Met[] {
    const query = this.#queries.of(bag);
    const last = this.#addScores(query);
    const met: Met[] = [];
    for (let place = 0; place <= last; place++) {
      const near = nearnessOfScore(this.#scores[place]!, query.own);
      if (near > 0) met.push({ place, near, back: nearnessOfScore(this.#backs[place]!, this.#owns[place]!) });
    }
    this.#scores.fill(0, 0, last + 1);
    this.#backs.fill(0, 0, last + 1);
    return met;
  }

  /** Gives the last place that was met, -1 for none. */
  #addScores({ features, weights, counts, norm }: Bm25Query): number {
    const postings = this.#postings;
    const { pool } = postings;
    const { idf } = this.#facts.features;
    let last = -1;
    for (const [i, feature] of features.entries()) {
      const list = postings.find(feature);
      if (list < 0) continue;
      const back = pageWeight(idf[feature]!, counts[i]!, norm);
      for (let at = postings.start(list); at < postings.end(list); at++) {
        const [place, count] = [pool[at]! & PLACE_MASK, pool[at]! >>> 24];
        this.#scores[place]! += weights[i]! * pageWeight(idf[feature]!, count, this.#norms[place]!);
        this.#backs[place]! += QUERY_WEIGHTS[count]! * back;
        if (place > last) last = place;
      }
    }
    return last;
  }

  #grow(places: number): void {
    const [norms, owns, leasts] = [this.#norms, this.#owns, this.#leasts];
    this.#norms = new Float64Array(places);
    this.#norms.set(norms);
    this.#owns = new Float64Array(places);
    this.#owns.set(owns);
    this.#leasts = new Uint16Array(places);
    this.#leasts.set(leasts);
    this.#scores = new Float64Array(places);
    this.#backs = new Float64Array(places);
  }
}
