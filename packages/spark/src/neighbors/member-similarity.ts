import { defineStage } from '../record/stage.ts';

/** The stage `member-similarity`: how similar the bags of the members of a cluster are to that of its center. */
export const memberSimilarityStage = defineStage({
  name: 'member-similarity',
  doc: 'the exact similarity of the members of a cluster to its center',
  order: 'by center_id, level and part, the center itself first in each',
  input: {
    level: 'int',
    center_id: 'long',
    /** Of a large cluster: each has a row of the center, which comes out of part 0 alone. */
    part: 'int',
    page_id: 'long',
    features: 'binary?',
    weights: 'binary?',
  },
  output: { level: 'int', center_id: 'long', page_id: 'long', similarity: 'double' },
  open() {
    const weightOf = new Map<number, number>();
    let center = -1;
    let sumOfCenter = 0;
    return {
      take({ level, center_id, part, page_id, features, weights: given }, emit) {
        const ids = new Uint32Array(Uint8Array.from(features ?? []).buffer);
        const weights = given ?? new Uint8Array(0);
        if (page_id === center_id) {
          weightOf.clear();
          for (const [i, id] of ids.entries()) weightOf.set(id, weights[i]!);
          center = center_id;
          sumOfCenter = sumOf(weights);
          if (part === 0) emit({ level, center_id, page_id, similarity: 1 });
          return;
        }
        if (center !== center_id)
          throw new Error(`the center ${center_id} does not stand before its members`);
        let shared = 0;
        for (const [i, id] of ids.entries()) shared += Math.min(weights[i]!, weightOf.get(id) ?? 0);
        emit({ level, center_id, page_id, similarity: shared / (sumOf(weights) + sumOfCenter - shared) });
      },
    };
  },
});

function sumOf(weights: Uint8Array): number {
  return weights.reduce((sum, weight) => sum + weight, 0);
}
