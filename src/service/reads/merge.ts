import type { NeighborList } from '../../join/pairs/neighbor-table.ts';

/** The `count` nearest of several lists of different pages, each nearest first; ties by page id. */
export function mergedNearest(lists: readonly NeighborList[], count: number): NeighborList {
  const places = lists.flatMap(({ ids }, list) => Array.from(ids, (id, at) => ({ list, at, id })));
  const sharedAt = ({ list, at }: { list: number; at: number }) => lists[list]!.shared[at]!;
  const totalAt = ({ list, at }: { list: number; at: number }) => lists[list]!.total[at]!;
  const best = places
    .sort((a, b) => sharedAt(b) * totalAt(a) - sharedAt(a) * totalAt(b) || a.id - b.id)
    .slice(0, count);
  const isRated = lists.every(({ ids, nearness }) => ids.length === 0 || nearness !== undefined);
  return {
    ids: Uint32Array.from(best, ({ id }) => id),
    shared: Uint16Array.from(best, sharedAt),
    total: Uint16Array.from(best, totalAt),
    ...(isRated && { nearness: Uint16Array.from(best, ({ list, at }) => lists[list]!.nearness![at]!) }),
  };
}

export function sum<Item>(items: readonly Item[], countOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + countOf(item), 0);
}

/** By UTF-8 bytes, as SQLite compares texts. */
export function byBytes(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
