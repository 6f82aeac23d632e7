/** Lists of neighbors in their order: cut, filtered and put into another one. */
import { type NearBy, nearnessOf } from './nearness.ts';
import {
  createNeighborTable,
  type Figures,
  type NeighborSpan,
  type NeighborTable,
  rowOfTable,
  similarities,
} from './neighbor-table.ts';
import { type Listing, placesByScore } from './votes.ts';

/** A whole list. */
export function allOf(list: Omit<NeighborSpan, 'start' | 'end'>): NeighborSpan {
  return { ...list, start: 0, end: list.ids.length };
}

/** Whether a list that has `limit` pages at most had room for more. */
export function hasRoom({ start, end, lostCount = 0 }: NeighborSpan, limit: number): boolean {
  return end - start + lostCount < limit;
}

/** Most similar first, ties by page id. */
export function bySimilarity(list: NeighborSpan): NeighborSpan {
  return byFigure(list, similarities(list));
}

/** Nearest first, ties by page id. */
export function nearestFirst(list: NeighborSpan, by: NearBy): NeighborSpan {
  return by === 'similarity' ? bySimilarity(list) : byFigure(list, nearnessOf(list));
}

function byFigure(list: NeighborSpan, near: Float64Array): NeighborSpan {
  const { ids, start } = list;
  const places = Array.from(near, (_, place) => place);
  places.sort((a, b) => near[b]! - near[a]! || ids[start + a]! - ids[start + b]!);
  return picked(
    list,
    places.map((place) => start + place),
  );
}

/** A table with each row most similar first, ties by page id. */
export function rowsBySimilarity(table: NeighborTable): NeighborTable {
  const sorted = createNeighborTable(table.counts.length, table.k);
  sorted.counts.set(table.counts);
  for (let row = 0; row < table.counts.length; row++) {
    const { ids, shared, total } = bySimilarity(rowOfTable(table, row));
    const slot = row * table.k;
    sorted.ids.set(ids, slot);
    sorted.shared.set(shared, slot);
    sorted.total.set(total, slot);
  }
  return sorted;
}

/** In the order of scores, which stand in that of the list. */
export function byScore(list: NeighborSpan, scores: Float64Array, listing?: Listing): NeighborSpan {
  return picked(
    list,
    placesByScore(list, scores, listing).map((place) => list.start + place),
  );
}

/** A list, and behind it what `further` has beside it, up to `limit` pages in all. */
export function withFurther(
  list: NeighborSpan,
  further: NeighborSpan,
  limit = Number.POSITIVE_INFINITY,
): NeighborSpan {
  const listed = new Set(list.ids.subarray(list.start, list.end));
  const others = kept(further, (at) => !listed.has(further.ids[at]!));
  return joined(list, { ...others, end: Math.min(others.end, Math.max(0, limit - listed.size)) });
}

/** One list behind another. */
export function joined(first: NeighborSpan, second: NeighborSpan): NeighborSpan {
  const both = [first, second];
  const figuresOf = (name: 'shared' | 'total') => {
    const figures = both.flatMap((list) => [...list[name].subarray(list.start, list.end)]);
    const isStored = both.every((list) => list[name] instanceof Uint16Array);
    return isStored ? Uint16Array.from(figures) : Float64Array.from(figures);
  };
  const nearness = both.map((list) => list.nearness?.subarray(list.start, list.end) ?? []);
  const isRated = both.every((list) => list.start === list.end || list.nearness !== undefined);
  return allOf({
    ids: Uint32Array.from(both.flatMap((list) => [...list.ids.subarray(list.start, list.end)])),
    shared: figuresOf('shared'),
    total: figuresOf('total'),
    ...(isRated && { nearness: Uint16Array.from(nearness.flatMap((one) => [...one])) }),
  });
}

/** What passes. */
export function kept(list: NeighborSpan, passes: (at: number) => boolean): NeighborSpan {
  const places: number[] = [];
  for (let at = list.start; at < list.end; at++) if (passes(at)) places.push(at);
  return picked(list, places);
}

/** The slots of a list, as a list. */
export function picked(
  { ids, shared, total, nearness }: NeighborSpan,
  places: readonly number[],
): NeighborSpan {
  return {
    ids: Uint32Array.from(places, (at) => ids[at]!),
    shared: pickedFigures(shared, places),
    total: pickedFigures(total, places),
    ...(nearness !== undefined && { nearness: Uint16Array.from(places, (at) => nearness[at]!) }),
    start: 0,
    end: places.length,
  };
}

function pickedFigures(figures: Figures, places: readonly number[]): Figures {
  const picked = new (figures instanceof Uint16Array ? Uint16Array : Float64Array)(places.length);
  for (let i = 0; i < places.length; i++) picked[i] = figures[places[i]!]!;
  return picked;
}
