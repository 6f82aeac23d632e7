/**
 * TreeMinHash: a Poisson process of points over each element's weights, one on a unit of weight and time, the same for
 * all bags. A bag sees the points below its weight; each falls to one of m values, where the earliest stays.
 *
 *   [0, 1024)  first point at x ──┬── left half: the same point, or x + Exp      ... down to parts of 2^-10, which go on
 *                                 └── right half: the other of them                from point to point
 *
 * A part that lies above the weight, or whose first point comes after the limit, is left out, and so is most of a tree.
 * The limit is where all values are met with probability .9, and is doubled where one was not.
 *
 * Cost    O(n + m log m) points, 20 halvings each here.
 * Limits  weights below 1024, rounded to 2^-10.
 * Source  O. Ertl, TreeMinHash: Fast Sketching for Weighted Jaccard Similarity Estimation, 2020; O. Ertl, BagMinHash,
 *         KDD 2018. Their draw of values without replacement is left out.
 */
import { joinKeys, KeyedRandom, type RealBag, type Sketcher } from './real-bag.ts';

const ROOT_WIDTH = 2 ** 10;
const LEAST_WIDTH = 2 ** -10;
const MET = 0.9;

export function treeMinHash(m: number): Sketcher {
  const random = new KeyedRandom();
  const times = new Float64Array(m);
  let limit = 0;

  /** The part [from, from + width) of the weights of an element, whose first point comes at `time`. */
  function visit(
    key: number,
    from: number,
    width: number,
    time: number,
    weight: number,
    out: Uint32Array,
  ): void {
    if (time > limit || from >= weight) return;
    if (width === LEAST_WIDTH) {
      follow(key, time, out);
      return;
    }
    const half = width / 2;
    random.begin(key);
    const isLeft = random.unit() <= 0.5;
    const other = time + random.exponential() / half;
    visit(joinKeys(key, 1), from, half, isLeft ? time : other, weight, out);
    visit(joinKeys(key, 2), from + half, half, isLeft ? other : time, weight, out);
  }

  function follow(key: number, first: number, out: Uint32Array): void {
    random.begin(joinKeys(key, 3));
    for (let time = first; time <= limit; time += random.exponential() / LEAST_WIDTH) {
      const id = random.next();
      const value = Math.floor((id / 2 ** 32) * m);
      if (time >= times[value]!) continue;
      times[value] = time;
      out[value] = id;
    }
  }

  return ({ elements, weights, sum }: RealBag, out) => {
    limit = (-Math.log(1 - MET ** (1 / m)) * m) / sum;
    for (; ; limit *= 2) {
      times.fill(Number.POSITIVE_INFINITY);
      for (let i = 0; i < elements.length; i++) {
        const key = joinKeys(elements[i]!, 0);
        random.begin(joinKeys(key, 4));
        visit(key, 0, ROOT_WIDTH, random.exponential() / ROOT_WIDTH, weights[i]!, out);
      }
      if (times.every((time) => time < Number.POSITIVE_INFINITY)) return;
    }
  };
}
