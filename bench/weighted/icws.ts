/**
 * Improved consistent weighted sampling: for each of m functions every element draws where its weight falls on a grid of
 * its own, and the element with the least `a` is the sample.
 *
 *   r, c ~ Gamma(2, 1), beta ~ U(0, 1)   by element and function
 *   t = floor(ln w / r + beta)    y = exp(r (t - beta))    a = c / (y exp(r))
 *   value = (element, t) of the least a
 *
 * Cost    m logarithms and exponentials an element, whatever the weights.
 * Source  S. Ioffe, ICDM 2010.
 */
import { joinKeys, KeyedRandom, type RealBag, type Sketcher } from './real-bag.ts';

export function icws(m: number): Sketcher {
  const random = new KeyedRandom();
  return ({ elements, weights }: RealBag, out) => {
    for (let f = 0; f < m; f++) {
      let least = Number.POSITIVE_INFINITY;
      for (let i = 0; i < elements.length; i++) {
        random.begin(joinKeys(elements[i]!, f));
        const r = -Math.log(random.unit() * random.unit());
        const c = -Math.log(random.unit() * random.unit());
        const beta = random.unit();
        const t = Math.floor(Math.log(weights[i]!) / r + beta);
        const a = c / Math.exp(r * (t - beta + 1));
        if (a >= least) continue;
        least = a;
        out[f] = joinKeys(elements[i]!, t);
      }
    }
  };
}
