import { chainEnd } from '../../../lib/chain-end.ts';
import { NONE } from '../../../lib/columns/indexes.ts';

/** Pages that lead elsewhere, each with where; of a circle the first stands for all, and leads nowhere. */
export function* endsOf(
  pages: Iterable<number>,
  next: (page: number) => number | undefined,
): IterableIterator<[page: number, end: number]> {
  const known = new Map<number, number>();
  const ends = { get: (page: number) => known.get(page) ?? NONE, set: known.set.bind(known) };
  const least = (circle: readonly number[]) => circle.reduce((a, b) => Math.min(a, b));
  for (const page of pages) {
    const end = chainEnd(page, (one) => next(one) ?? NONE, least, ends);
    if (end !== page) yield [page, end];
  }
}
