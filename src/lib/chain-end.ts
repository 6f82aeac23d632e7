import { NONE } from './columns/indexes.ts';

/** Ends that are known, by number; NONE for the others. */
interface Ends {
  get(item: number): number;
  set(item: number, end: number): void;
}

/**
 * Where following `next` from an item ends: at the first that has none. Of items that lead to each other in a circle
 * `ofCircle` says which is the end. Every item on the way is noted in `ends`, so that each is walked once.
 */
export function chainEnd(
  item: number,
  next: (item: number) => number,
  ofCircle: (circle: readonly number[]) => number,
  ends: Ends,
): number {
  const path = new Set<number>();
  let end = NONE;
  for (let at = item; end === NONE; ) {
    end = ends.get(at);
    if (end !== NONE) break;
    if (path.has(at)) {
      const all = [...path];
      end = ofCircle(all.slice(all.indexOf(at)));
      break;
    }
    path.add(at);
    const step = next(at);
    if (step === NONE) end = at;
    else at = step;
  }
  for (const one of path) ends.set(one, end);
  return end;
}
