import type { NearBy } from '../../join/pairs/nearness.ts';
import type { NeighborList } from '../../join/pairs/neighbor-table.ts';

/** A page of one of several lists. */
interface Place {
  readonly list: number;
  readonly at: number;
  readonly id: number;
}

/** The `count` nearest of several lists of different pages, each nearest first; ties by page id. Where it is by nearness, all say it. */
export function mergedNearest(
  lists: readonly NeighborList[],
  count: number,
  by: NearBy = 'similarity',
): NeighborList {
  const places = lists.flatMap(({ ids }, list) => Array.from(ids, (id, at) => ({ list, at, id })));
  const sharedAt = ({ list, at }: Place) => lists[list]!.shared[at]!;
  const totalAt = ({ list, at }: Place) => lists[list]!.total[at]!;
  const nearnessAt = ({ list, at }: Place) => lists[list]!.nearness![at]!;
  const order = {
    nearness: (a: Place, b: Place) => nearnessAt(b) - nearnessAt(a),
    similarity: (a: Place, b: Place) => sharedAt(b) * totalAt(a) - sharedAt(a) * totalAt(b),
  }[by];
  const best = places.sort((a, b) => order(a, b) || a.id - b.id).slice(0, count);
  const isRated = lists.every(({ ids, nearness }) => ids.length === 0 || nearness !== undefined);
  return {
    ids: Uint32Array.from(best, ({ id }) => id),
    shared: Uint16Array.from(best, sharedAt),
    total: Uint16Array.from(best, totalAt),
    ...(isRated && { nearness: Uint16Array.from(best, nearnessAt) }),
  };
}

export function sum<Item>(items: readonly Item[], countOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + countOf(item), 0);
}

/** By UTF-8 bytes, as SQLite compares texts. */
export function byBytes(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
