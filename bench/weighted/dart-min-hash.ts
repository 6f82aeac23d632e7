/**
 * DartMinHash: darts are thrown at the plane (weight, rank) of each element, `density` on a unit of area, the same for
 * all bags. A bag is hit by darts below its weight; each dart falls to one of m values, where the least rank stays.
 *
 *   weight level v   (2^v - 1) / density ..          rank level p   2^p - 1 ..
 *   a level (v, p) is cut into 2^p by 2^v cells of one dart on average: Poisson(1), drawn by the cell
 *
 * Ranks up to 1 / (sum of weights) are looked at, m ln m + 2 m darts; where a value was not hit, up to more.
 *
 * Cost    O(m log m + n log(sum + 1/sum)).
 * Source  T. Christiani, DartMinHash: Fast Sketching for Weighted Sets, 2020.
 */
import { joinKeys, KeyedRandom, type RealBag, type Sketcher } from './real-bag.ts';

/** Cumulative Poisson(1). */
const POISSON = [
  0.36787944, 0.73575888, 0.9196986, 0.98101184, 0.99634015, 0.99940582, 0.99991676, 0.99998975, 1,
];

export function dartMinHash(m: number): Sketcher {
  const density = m * Math.log(m) + 2 * m;
  const random = new KeyedRandom();
  const ranks = new Float64Array(m);

  function throwDarts({ elements, weights }: RealBag, mostRank: number, out: Uint32Array): void {
    ranks.fill(Number.POSITIVE_INFINITY);
    for (let i = 0; i < elements.length; i++) {
      const element = elements[i]!;
      const weight = weights[i]!;
      for (let v = 0; (2 ** v - 1) / density < weight; v++) {
        for (let p = 0; 2 ** p - 1 < mostRank; p++) {
          const levelKey = joinKeys(element, v * 64 + p);
          const width = 2 ** (v - p) / density;
          const height = 2 ** (p - v);
          for (let w = 0; w < 2 ** p; w++) {
            const left = (2 ** v - 1) / density + w * width;
            if (left >= weight) break;
            for (let r = 0; r < 2 ** v; r++) {
              const low = 2 ** p - 1 + r * height;
              if (low >= mostRank) break;
              throwAt(joinKeys(levelKey, w * 2 ** v + r), left, width, low, height, weight, mostRank, out);
            }
          }
        }
      }
    }
  }

  function throwAt(
    cell: number,
    left: number,
    width: number,
    low: number,
    height: number,
    weight: number,
    mostRank: number,
    out: Uint32Array,
  ): void {
    random.begin(cell);
    const lot = random.unit();
    for (let dart = 0; dart < POISSON.length && POISSON[dart]! < lot; dart++) {
      const at = left + random.unit() * width;
      const rank = low + random.unit() * height;
      const id = random.next();
      if (at >= weight || rank >= mostRank) continue;
      const value = Math.floor((id / 2 ** 32) * m);
      if (rank >= ranks[value]!) continue;
      ranks[value] = rank;
      out[value] = id;
    }
  }

  return (bag, out) => {
    for (let share = 1; ; share += 0.5) {
      throwDarts(bag, share / bag.sum, out);
      if (ranks.every((rank) => rank < Number.POSITIVE_INFINITY)) return;
    }
  };
}
