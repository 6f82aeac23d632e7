import type { IndexReader } from '../reader.ts';
import type { RelationRecord } from '../records.ts';
import { StoredBags } from '../stored-bags.ts';

/**
 * Neighbours are ordered, within the limit and not below `least`; where the relation is exact, every
 * similarity is computed again from the two bags.
 */
export function checkNeighbours(
  reader: IndexReader,
  relation: RelationRecord,
  least: number,
  faults: string[],
): void {
  const bags = relation.measure === 'exact' ? new StoredBags(reader, relation.id) : null;
  for (const { pageId, list } of reader.allNeighbours(relation.id)) {
    const { ids, shared, total } = list;
    if (ids.length > relation.neighbourLimit) faults.push(`page ${pageId} has ${ids.length} neighbours`);
    if (new Set(ids).size !== ids.length || ids.includes(pageId)) {
      faults.push(`page ${pageId} has a neighbour twice, or itself`);
    }
    for (let i = 0; i < ids.length; i++) {
      const similarity = shared[i]! / total[i]!;
      if (similarity < least || similarity > 1) {
        faults.push(`page ${pageId} has a neighbour at ${similarity}`);
      }
      const before = i === 0 ? 2 : shared[i - 1]! / total[i - 1]!;
      if (similarity > before || (similarity === before && ids[i]! < ids[i - 1]!)) {
        faults.push(`the neighbours of page ${pageId} are out of order`);
      }
      const overlap = bags?.overlap(pageId, ids[i]!);
      const isExact =
        overlap === shared[i] && total[i] === bags!.sums[pageId]! + bags!.sums[ids[i]!]! - overlap!;
      if (bags !== null && !isExact) {
        faults.push(
          `pages ${pageId} and ${ids[i]} are stored at ${shared[i]}/${total[i]}, which is not exact`,
        );
      }
    }
  }
}
