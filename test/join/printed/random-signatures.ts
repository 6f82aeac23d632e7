import { Random } from '../../../src/lib/random.ts';
import { EMPTY_VALUE } from '../../../src/sketch/mh-signature.ts';

/** Signatures in which pages copy some values, or all, from earlier pages; some pages are empty. */
export function randomSignatures(pageCount: number, m: number, seed: number): Uint32Array {
  const random = new Random(seed);
  const signatures = new Uint32Array(pageCount * m);
  for (let page = 0; page < pageCount; page++) {
    const model = random.below(page + 1);
    const copied = random.below(5) === 0 ? 100 : random.below(90);
    const empty = random.below(12) === 0;
    for (let i = 0; i < m; i++) {
      const copy = page > 0 && random.below(100) < copied;
      const value = copy ? signatures[model * m + i]! : random.below(EMPTY_VALUE);
      signatures[page * m + i] = empty ? EMPTY_VALUE : value;
    }
  }
  return signatures;
}
