import type { NearBy } from '../join/pairs/nearness.ts';

/**
 * The kernels of an index: what "near" is where votes order lists. A similarity is that of the bags under any of them.
 *
 *   jaccard   candidates by similarity, nearness by similarity and Hellinger affinity (join/pairs/nearness.ts)
 *   bm25      candidates and nearness by BM25 with the whole page as query (join/bm25/)
 */
export const KERNELS = {
  jaccard: { candidatesBy: 'similarity', hasFloor: true },
  bm25: { candidatesBy: 'nearness', hasFloor: false },
} as const satisfies Readonly<Record<string, { candidatesBy: NearBy; hasFloor: boolean }>>;

export type KernelName = keyof typeof KERNELS;

/** By what the pages of the lists of a relation are the nearest; or those of a list by similarity, where that is `asked` for. */
export function candidatesBy(
  { kernel }: { readonly kernel: KernelName | null },
  asked: NearBy = 'nearness',
): NearBy {
  return asked === 'similarity' || kernel === null ? 'similarity' : KERNELS[kernel].candidatesBy;
}
