import { twinSets } from './similar-pairs.ts';
import type { ThresholdPairs } from './threshold-join.ts';

/**
 * Every pair of pages a < b with its similarity, by a, pages with equal bags written out.
 *
 * Cost    memory for the pairs of one page at a time.
 */
export function* eachPair(
  pairs: Pick<ThresholdPairs, 'a' | 'b' | 'shared' | 'total' | 'representative'>,
): IterableIterator<[a: number, b: number, similarity: number]> {
  const { representative } = pairs;
  const sets = twinSets(representative);
  const edges = edgesByPage(pairs);
  for (let page = 0; page < representative.length; page++) {
    const own = representative[page]!;
    const row: [number, number][] = [];
    const add = (owner: number, similarity: number) => {
      for (let i = sets.offsets[owner]!; i < sets.offsets[owner + 1]!; i++) {
        if (sets.members[i]! > page) row.push([sets.members[i]!, similarity]);
      }
    };
    add(own, 1);
    for (let e = edges.offsets[own]!; e < edges.offsets[own + 1]!; e++) {
      const pair = edges.pairs[e]!;
      add(pairs.a[pair] === own ? pairs.b[pair]! : pairs.a[pair]!, pairs.shared[pair]! / pairs.total[pair]!);
    }
    row.sort((x, y) => x[0] - y[0]);
    for (const [other, similarity] of row) yield [page, other, similarity];
  }
}

/** The pairs of each representative, from either end. */
function edgesByPage({ a, b, representative }: Pick<ThresholdPairs, 'a' | 'b' | 'representative'>): {
  offsets: Uint32Array;
  pairs: Uint32Array;
} {
  const offsets = new Uint32Array(representative.length + 1);
  for (const ends of [a, b]) for (const page of ends) offsets[page + 1]!++;
  for (let page = 0; page < representative.length; page++) offsets[page + 1]! += offsets[page]!;
  const next = offsets.slice();
  const pairs = new Uint32Array(2 * a.length);
  for (let pair = 0; pair < a.length; pair++) {
    pairs[next[a[pair]!]!++] = pair;
    pairs[next[b[pair]!]!++] = pair;
  }
  return { offsets, pairs };
}
