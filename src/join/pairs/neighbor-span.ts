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
  const places: number[] = [];
  for (let at = start; at < list.end; at++) places.push(at);
  places.sort((a, b) => near[b - start]! - near[a - start]! || ids[a]! - ids[b]!);
  return picked(list, places);
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
  const sizes = [first, second].map(({ start, end }) => end - start) as [number, number];
  const ids = new Uint32Array(sizes[0] + sizes[1]);
  ids.set(first.ids.subarray(first.start, first.end));
  ids.set(second.ids.subarray(second.start, second.end), sizes[0]);
  const isStored = [first, second].every(({ shared, total }) =>
    [shared, total].every((figures) => figures instanceof Uint16Array),
  );
  const figuresOf = (name: 'shared' | 'total') => {
    const figures = new (isStored ? Uint16Array : Float64Array)(ids.length);
    figures.set(first[name].subarray(first.start, first.end));
    figures.set(second[name].subarray(second.start, second.end), sizes[0]);
    return figures;
  };
  const list = { ids, shared: figuresOf('shared'), total: figuresOf('total') };
  if ([first, second].some(({ start, end, nearness }) => start < end && nearness === undefined))
    return allOf(list);
  const nearness = new Uint16Array(ids.length);
  if (sizes[0] > 0) nearness.set(first.nearness!.subarray(first.start, first.end));
  if (sizes[1] > 0) nearness.set(second.nearness!.subarray(second.start, second.end), sizes[0]);
  return allOf({ ...list, nearness });
}

/** What passes. */
export function kept(list: NeighborSpan, passes: (at: number) => boolean): NeighborSpan {
  const places: number[] = [];
  for (let at = list.start; at < list.end; at++) if (passes(at)) places.push(at);
  return picked(list, places);
}

/** The slots of a list, as a list. Cost  a loop a column: `from` a function takes ten times as long. */
export function picked(
  { ids, shared, total, nearness }: NeighborSpan,
  places: readonly number[],
): NeighborSpan {
  return {
    ids: at(ids, places, new Uint32Array(places.length)),
    shared: pickedFigures(shared, places),
    total: pickedFigures(total, places),
    ...(nearness !== undefined && { nearness: at(nearness, places, new Uint16Array(places.length)) }),
    start: 0,
    end: places.length,
  };
}

function pickedFigures(figures: Figures, places: readonly number[]): Figures {
  return figures instanceof Uint16Array
    ? at(figures, places, new Uint16Array(places.length))
    : at(figures, places, new Float64Array(places.length));
}

function at<Column extends Figures | Uint32Array>(
  from: Column,
  places: readonly number[],
  to: Column,
): Column {
  for (let i = 0; i < places.length; i++) to[i] = from[places[i]!]!;
  return to;
}
