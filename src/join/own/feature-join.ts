/**
 * All pairs of sets that resemble each other by a threshold.
 *
 *   set       rarest feature ... most frequent | rest weighs less than threshold * sum
 *             prefix: by these it is listed      and cannot make a pair by itself
 *
 * Two sets whose prefixes share no feature have less in common than the threshold asks for, so only those that meet in
 * the list of a feature are compared; nothing is missed.
 *
 * Breaks down  where a feature is in the prefix of more than `CROWD` sets: each meets only the `MET` before it then, which
 *              is counted. A family of near-equal sets stays one component, as neighbors in the list meet.
 * Source       Chaudhuri, Ganti, Kaushik, ICDE 2006 (prefix filter, with weights).
 */
import { Uint32List } from '../../lib/columns/uint32-list.ts';
import { KeyTable } from '../../lib/keys/key-table.ts';
import { componentsOf } from '../../lib/union-find.ts';
import type { SharedPairs } from '../copies/shingle-join.ts';
import { type FeatureSets, reaches, setAt, sharedWeight, storedShare } from './feature-sets.ts';

/** Sets of one list that are compared each with each. */
const CROWD = 1000;
/** Sets before it that each further one is compared with. */
const MET = 100;

export interface RelatedSets {
  /** a < b; the figures as `storedShare` makes them: `shared` of `ofA`, and `ofB` is `shared` again. */
  readonly pairs: SharedPairs;
  /** Uint32Array(n): the first set of the component of each. */
  readonly roots: Uint32Array;
  /** Features whose lists were too long for all to meet. */
  readonly crowdedCount: number;
}

/** Memory  12 bytes a feature and 8 for each set that is listed by it. */
export function relateSets(sets: FeatureSets, threshold: number): RelatedSets {
  const setCount = sets.sums.length;
  const counts = new KeyTable();
  for (const key of sets.keys) counts.add(key, 1);
  const numbers = new KeyTable();
  const lists: number[][] = [];
  const found = {
    a: new Uint32List(),
    b: new Uint32List(),
    shared: new Uint32List(),
    total: new Uint32List(),
  };
  const met = new Int32Array(setCount).fill(-1);
  let crowdedCount = 0;
  for (let a = 0; a < setCount; a++) {
    const own = setAt(sets, a);
    for (const key of prefixOf(sets, a, threshold, counts)) {
      const number = numbers.get(key, lists.length);
      if (number === lists.length) {
        numbers.set(key, number);
        lists.push([]);
      }
      const list = lists[number]!;
      if (list.length === CROWD) crowdedCount++;
      for (let i = list.length >= CROWD ? list.length - MET : 0; i < list.length; i++) {
        const b = list[i]!;
        if (met[b] === a) continue;
        met[b] = a;
        const [less, more] = own.sum < sets.sums[b]! ? [own.sum, sets.sums[b]!] : [sets.sums[b]!, own.sum];
        if (!reaches({ shared: less, total: more }, threshold)) continue;
        const figure = sharedWeight(own, setAt(sets, b));
        if (!reaches(figure, threshold)) continue;
        const { shared, total } = storedShare(figure);
        found.a.push(b);
        found.b.push(a);
        found.shared.push(shared);
        found.total.push(total);
      }
      list.push(a);
    }
  }
  const [a, b, shared, ofA] = [found.a, found.b, found.shared, found.total].map((list) => list.toArray());
  const pairs = { a: a!, b: b!, shared: shared!, ofA: ofA!, ofB: shared! };
  return { pairs, roots: componentsOf(setCount, pairs.a, pairs.b), crowdedCount };
}

/** The features by which a set is listed, but for those that no other set has. */
function prefixOf(sets: FeatureSets, set: number, threshold: number, counts: KeyTable): number[] {
  const { keys, weights, sum } = setAt(sets, set);
  const rarestFirst = Array.from(keys.keys()).sort(
    (a, b) => counts.get(keys[a]!, 0) - counts.get(keys[b]!, 0) || a - b,
  );
  const prefix: number[] = [];
  let rest = sum;
  for (const place of rarestFirst) {
    if (!reaches({ shared: rest, total: sum }, threshold)) break;
    if (counts.get(keys[place]!, 0) > 1) prefix.push(keys[place]!);
    rest -= weights[place]!;
  }
  return prefix;
}
