import type { SimilarPairs } from '../../src/join/pairs/similar-pairs.ts';
import { sortedOrder } from '../../src/lib/columns/radix-sort.ts';

/** All pairs one by one, twins included; quadratic in the size of a twin set. */
export function expandTwins(pairs: SimilarPairs): Pick<SimilarPairs, 'a' | 'b' | 'agreement'> {
  const twinsOf = Map.groupBy(pairs.representative.keys(), (page) => pairs.representative[page]!);
  const of = (page: number) => twinsOf.get(page) ?? [];
  const rows: [number, number, number][] = [];
  for (let i = 0; i < pairs.a.length; i++) {
    for (const x of of(pairs.a[i]!)) {
      for (const y of of(pairs.b[i]!)) rows.push([Math.min(x, y), Math.max(x, y), pairs.agreement[i]!]);
    }
  }
  for (let page = 0; page < pairs.representative.length; page++) {
    const twins = of(page);
    for (let i = 0; i < twins.length; i++) {
      for (let j = i + 1; j < twins.length; j++) rows.push([twins[i]!, twins[j]!, pairs.total]);
    }
  }
  const a = Uint32Array.from(rows, (row) => row[0]);
  const b = Uint32Array.from(rows, (row) => row[1]);
  const order = sortedOrder(a, b);
  return {
    a: order.map((i) => a[i]!),
    b: order.map((i) => b[i]!),
    agreement: Uint16Array.from(order, (i) => rows[i]![2]),
  };
}
