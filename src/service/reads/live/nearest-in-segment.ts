import type { NeighborList } from '../../../join/pairs/neighbor-table.ts';
import type { Accept } from '../accept.ts';
import type { NearestQuery } from '../read-table.ts';
import type { Segment } from './segment.ts';

/** The pages that wait and are nearest to a bag, exactly; ties by page id. `accept` null where any will do. */
export function nearestInSegment(
  { postings, pages, relation }: Segment,
  { bag, count, skip }: Pick<NearestQuery, 'bag' | 'count' | 'skip'>,
  accept: Accept | null,
): NeighborList {
  const met: { readonly id: number; readonly shared: number; readonly total: number }[] = [];
  postings.meet(bag, { floor: relation!.floor, least: 0 }, (place, shared, total) => {
    const { id } = pages[place]!;
    if (id !== skip) met.push({ id, shared, total });
  });
  const best = met
    .filter(({ id }) => accept === null || accept(id))
    .sort((a, b) => b.shared / b.total - a.shared / a.total || a.id - b.id)
    .slice(0, count);
  return {
    ids: Uint32Array.from(best, ({ id }) => id),
    shared: Uint16Array.from(best, ({ shared }) => shared),
    total: Uint16Array.from(best, ({ total }) => total),
  };
}
