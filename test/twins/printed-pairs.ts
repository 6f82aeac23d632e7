import type { SimilarPairs } from '../../src/join/pairs/similar-pairs.ts';
import {
  filterOf,
  filterPairs,
  generatePairs,
  sortPairs,
} from '../../src/join/printed/extract-similar-pairs.ts';
import { Uint32List } from '../../src/lib/columns/uint32-list.ts';
import type { BandChoice } from '../../src/sketch/lsh-signature.ts';

export type FilterOptions = Parameters<typeof filterOf>[2];

/** The three steps of EXTRACTSIMILARPAIRS in memory, as a build takes them from file to file. */
export function extractSimilarPairs(
  signatures: Uint32Array,
  choice: BandChoice,
  options: FilterOptions,
): SimilarPairs {
  const candidates = { a: new Uint32List(), b: new Uint32List() };
  const representative = generatePairs(signatures, choice, (a, b) => {
    candidates.a.push(a);
    candidates.b.push(b);
  });
  const filter = filterOf(signatures, choice.m, options);
  const kept = { a: new Uint32List(), b: new Uint32List(), agreement: new Uint32List() };
  filterPairs(filter, candidates.a.toArray(), candidates.b.toArray(), (a, b, agreement) => {
    kept.a.push(a);
    kept.b.push(b);
    kept.agreement.push(agreement);
  });
  const agreement = Uint16Array.from(kept.agreement.toArray());
  const sorted = sortPairs(kept.a.toArray(), kept.b.toArray(), agreement);
  return { ...sorted, total: filter.total, representative };
}
