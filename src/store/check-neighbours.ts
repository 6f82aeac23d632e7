import type { IndexReader } from './reader.ts';
import type { RelationRecord } from './records.ts';

/**
 * Neighbours are ordered, within the limit and above the floor; where the relation is exact, every
 * similarity is computed again from the two bags.
 */
export function checkNeighbours(reader: IndexReader, relation: RelationRecord, faults: string[]): void {
  const bags = relation.measure === 'exact' ? loadBags(reader, relation.id) : null;
  const weightOf = new Uint8Array(bags?.featureCount ?? 0);
  for (const { pageId, list } of reader.allNeighbours(relation.id)) {
    const { ids, shared, total } = list;
    if (ids.length > relation.neighbourLimit) faults.push(`page ${pageId} has ${ids.length} neighbours`);
    if (new Set(ids).size !== ids.length || ids.includes(pageId)) {
      faults.push(`page ${pageId} has a neighbour twice, or itself`);
    }
    bags?.spread(pageId, weightOf, true);
    for (let i = 0; i < ids.length; i++) {
      const similarity = shared[i]! / total[i]!;
      if (ids[i]! >= reader.pageCount) faults.push(`page ${pageId} has the unknown neighbour ${ids[i]}`);
      if (similarity < relation.floor || similarity > 1) {
        faults.push(`page ${pageId} has a neighbour at ${similarity}`);
      }
      const before = i === 0 ? 2 : shared[i - 1]! / total[i - 1]!;
      if (similarity > before || (similarity === before && ids[i]! < ids[i - 1]!)) {
        faults.push(`the neighbours of page ${pageId} are out of order`);
      }
      if (bags !== null && !bags.agrees(pageId, ids[i]!, weightOf, shared[i]!, total[i]!)) {
        faults.push(
          `pages ${pageId} and ${ids[i]} are stored at ${shared[i]}/${total[i]}, which is not exact`,
        );
      }
    }
    bags?.spread(pageId, weightOf, false);
  }
}

interface LoadedBags {
  readonly featureCount: number;
  spread(page: number, weightOf: Uint8Array, on: boolean): void;
  agrees(page: number, other: number, weightOf: Uint8Array, shared: number, total: number): boolean;
}

/** All bags in memory: 5 bytes an entry. */
function loadBags(reader: IndexReader, relationId: number): LoadedBags {
  const features: Uint32Array[] = [];
  const weights: Uint8Array[] = [];
  let featureCount = 0;
  for (const { pageId, bag } of reader.allBags(relationId)) {
    features[pageId] = bag.features;
    weights[pageId] = bag.weights;
    featureCount = Math.max(featureCount, (bag.features.at(-1) ?? -1) + 1);
  }
  const sums = reader.bagSums(relationId);
  return {
    featureCount,
    spread(page, weightOf, on) {
      for (let i = 0; i < features[page]!.length; i++)
        weightOf[features[page]![i]!] = on ? weights[page]![i]! : 0;
    },
    agrees(page, other, weightOf, shared, total) {
      let overlap = 0;
      for (let i = 0; i < features[other]!.length; i++) {
        overlap += Math.min(weightOf[features[other]![i]!]!, weights[other]![i]!);
      }
      return overlap === shared && sums[page]! + sums[other]! - overlap === total;
    },
  };
}
