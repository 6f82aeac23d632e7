import { graphFromPairs } from '../../cluster/symmetric-graph.ts';
import type { BagMatrix } from '../../features/bag.ts';
import { EntriesInMemory, type EntrySource } from '../../join/bags/entry-source.ts';
import { overlapFrom } from '../../join/exact/overlap-kernel.ts';
import type { SimilarPairs } from '../../join/pairs/similar-pairs.ts';

/** Similarity of a page to the center of its cluster, 1 for the center itself. */
export type SimilarityToCenter = (page: number, center: number, level: number) => number;

/** Exact, from the bags. Calls with one center after the other are cheap; its bag is spread out once. */
export function similarityOfBags(
  matrix: BagMatrix,
  entries: EntrySource = new EntriesInMemory(matrix),
): SimilarityToCenter {
  const { offsets, sums } = matrix;
  const weightOf = new Uint8Array(matrix.featureCount);
  let spread = -1;
  const put = (page: number, on: boolean) => {
    const at = entries.locate(offsets[page]!, offsets[page + 1]!);
    const { features, weights } = entries;
    const end = at + offsets[page + 1]! - offsets[page]!;
    for (let i = at; i < end; i++) weightOf[features[i]!] = on ? weights[i]! : 0;
  };
  return (page, center) => {
    if (page === center) return 1;
    if (spread !== center) {
      if (spread >= 0) put(spread, false);
      put(center, true);
      spread = center;
    }
    const at = entries.locate(offsets[page]!, offsets[page + 1]!);
    const end = at + offsets[page + 1]! - offsets[page]!;
    const shared = overlapFrom(weightOf, entries.features, entries.weights, at, end, 0);
    return shared / (sums[page]! + sums[center]! - shared);
  };
}

/** The estimate of the pair that made a page a member; pages with equal signatures are fully similar. */
export function similarityOfPairs(pairs: SimilarPairs): SimilarityToCenter {
  const { offsets, neighbors, shared, total } = graphFromPairs(pairs);
  return (page, center) => {
    const own = pairs.representative[page]!;
    if (own === center) return 1;
    for (let edge = offsets[own]!; edge < offsets[own + 1]!; edge++) {
      if (neighbors[edge] === center) return shared[edge]! / total[edge]!;
    }
    throw new Error(`page ${page} has no similar pair with its center ${center}`);
  };
}
