/**
 * Finds the pages whose own features resemble a set: by the lists of its rarest features, as two sets that share none of these
 * have less in common than the threshold asks for (`feature-join.ts`). Exact: every set of each list is compared.
 *
 * Memory  24 bytes a feature of the different sets, 12 a page.
 */
import { KeyTable } from '../../lib/keys/key-table.ts';
import { type Neighbor, type NeighborList, plainList } from '../pairs/neighbor-table.ts';
import {
  type FeatureSet,
  type FeatureSets,
  reaches,
  setAt,
  sharedWeight,
  storedShare,
} from './feature-sets.ts';

interface FeatureQuery {
  readonly own: FeatureSet;
  /** Least similarity. */
  readonly threshold: number;
  readonly count: number;
  /** A page that is left out; -1 for none. */
  readonly skip: number;
  /** Null where any page will do. */
  readonly accept: ((pageId: number) => boolean) | null;
}

/** What stands at rows: the items of row i are items[ends[i - 1]] .. items[ends[i] - 1]. */
interface Rows {
  readonly ends: Uint32Array;
  readonly items: Uint32Array;
}

export class FeatureSearch {
  readonly #sets: FeatureSets;
  readonly #numbers = new KeyTable();
  readonly #setsOfFeature: Rows;
  readonly #pagesOfSet: Rows;

  /** @param pageIds ascending; @param setOf the set of each. */
  constructor(sets: FeatureSets, pageIds: Uint32Array, setOf: Uint32Array) {
    this.#sets = sets;
    const setCount = sets.sums.length;
    const features = Uint32Array.from(sets.keys, (key) => {
      const number = this.#numbers.get(key, this.#numbers.size);
      if (number === this.#numbers.size) this.#numbers.set(key, number);
      return number;
    });
    const setOfEntry = new Uint32Array(features.length);
    for (let set = 0; set < setCount; set++) setOfEntry.fill(set, sets.offsets[set], sets.offsets[set + 1]);
    this.#setsOfFeature = rowsOf(features, setOfEntry, this.#numbers.size);
    this.#pagesOfSet = rowsOf(setOf, pageIds, setCount);
  }

  /** Nearest first, ties by page id. */
  nearest({ own, threshold, count, skip, accept }: FeatureQuery): NeighborList {
    const found: Neighbor[] = [];
    for (const set of this.#candidates(own, threshold)) {
      const figure = sharedWeight(own, setAt(this.#sets, set));
      if (!reaches(figure, threshold)) continue;
      const { shared, total } = storedShare(figure);
      for (const id of row(this.#pagesOfSet, set)) {
        if (id !== skip && accept?.(id) !== false) found.push({ id, shared, total });
      }
    }
    return nearestPages(found, count);
  }

  /** Sets that share one of the features without which the rest weighs too little. */
  #candidates({ keys, weights, sum }: FeatureSet, threshold: number): Set<number> {
    const lists = Array.from(keys, (key, i) => {
      const number = this.#numbers.get(key, this.#numbers.size);
      const sets = number === this.#numbers.size ? NONE : row(this.#setsOfFeature, number);
      return { sets, weight: weights[i]! };
    });
    const met = new Set<number>();
    let rest = sum;
    for (const { sets, weight } of lists.sort((a, b) => a.sets.length - b.sets.length)) {
      if (!reaches({ shared: rest, total: sum }, threshold)) break;
      for (const set of sets) met.add(set);
      rest -= weight;
    }
    return met;
  }
}

const NONE = new Uint32Array(0);

/** The `count` nearest of some pages, ties by page id. */
export function nearestPages(found: Neighbor[], count: number): NeighborList {
  const best = found.sort((a, b) => b.shared * a.total - a.shared * b.total || a.id - b.id).slice(0, count);
  return plainList(best);
}

function row({ ends, items }: Rows, i: number): Uint32Array {
  return items.subarray(i === 0 ? 0 : ends[i - 1], ends[i]);
}

/** Items by the row of each, in their order. */
function rowsOf(rowOf: Uint32Array, given: Uint32Array, count: number): Rows {
  const ends = new Uint32Array(count);
  for (const one of rowOf) ends[one]!++;
  for (let i = 1; i < count; i++) ends[i]! += ends[i - 1]!;
  const next = Uint32Array.from(ends, (_, i) => (i === 0 ? 0 : ends[i - 1]!));
  const items = new Uint32Array(given.length);
  for (const [i, one] of rowOf.entries()) items[next[one]!++] = given[i]!;
  return { ends, items };
}
