import { weightedJaccard } from '../../../src/join/exact/weighted-jaccard.ts';
import type { Reads } from '../../../src/service/reads/reads.ts';

/** The nearest of all pages that are there, by the definition. */
export async function slowList(reads: Reads, page: number): Promise<string[]> {
  const { id: relationId, floor, neighborLimit } = reads.facts.words!;
  const own = await reads.bag(relationId, page);
  const found: { readonly id: number; readonly similarity: number }[] = [];
  for (let id = 0; id < reads.facts.pageCount; id++) {
    if (id === page || (await reads.isGone(id))) continue;
    const similarity = weightedJaccard(own, await reads.bag(relationId, id));
    if (similarity > 0 && similarity >= floor) found.push({ id, similarity });
  }
  found.sort((a, b) => b.similarity - a.similarity || a.id - b.id);
  return found.slice(0, neighborLimit).map(({ id, similarity }) => `${id} ${similarity.toFixed(6)}`);
}

/** The same as it is answered. */
export async function listed(reads: Reads, page: number, count?: number): Promise<string[]> {
  const { ids, shared, total } = await reads.neighbors(reads.facts.words!.id, page, count);
  return Array.from(ids, (id, i) => `${id} ${(shared[i]! / total[i]!).toFixed(6)}`);
}
