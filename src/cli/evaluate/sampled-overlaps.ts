/**
 * The exact similarity of sampled pages to all pages of an index: the sample's bags become posting lists, and
 * every stored bag streams past them once, so the memory is the sample's alone.
 */
import type { Bag } from '../../features/bag.ts';
import { listIn } from '../../lib/kept.ts';
import { Random } from '../../lib/random.ts';
import type { IndexReader } from '../../store/read/reader.ts';

/** `size` different entries of `pages`, in their order; all of them where there are fewer. */
export function samplePages(pages: readonly number[], size: number, seed: number): number[] {
  const random = new Random(seed);
  const chosen: number[] = [];
  for (const [i, page] of pages.entries()) {
    if (random.below(pages.length - i) < size - chosen.length) chosen.push(page);
  }
  return chosen;
}

/**
 * Calls `visit` for every sampled page (by its position in `sample`) and every other page that shares a feature
 * with it; pages in id order.
 *
 * Cost  entries of all bags, times the sampled pages that share them.
 */
export function visitSimilarities(
  reader: IndexReader,
  relationId: number,
  sample: readonly number[],
  visit: (position: number, page: number, similarity: number) => void,
): void {
  const bags = sample.map((page) => reader.bag(relationId, page));
  const postings = postBags(bags);
  const overlaps = new Uint32Array(sample.length);
  const touched = new Uint32Array(sample.length);
  for (const { pageId, bag } of reader.allBags(relationId)) {
    let count = 0;
    for (const [i, feature] of bag.features.entries()) {
      const own = postings.get(feature);
      if (own === undefined) continue;
      const weight = bag.weights[i]!;
      for (let p = 0; p < own.length; p += 2) {
        const position = own[p]!;
        if (overlaps[position] === 0) touched[count++] = position;
        overlaps[position]! += Math.min(own[p + 1]!, weight);
      }
    }
    for (let i = 0; i < count; i++) {
      const position = touched[i]!;
      const shared = overlaps[position]!;
      overlaps[position] = 0;
      if (sample[position] !== pageId) {
        visit(position, pageId, shared / (bags[position]!.sum + bag.sum - shared));
      }
    }
  }
}

/** Feature to the sampled bags that have it: position, weight, position, weight, ... */
function postBags(bags: readonly Bag[]): Map<number, number[]> {
  const postings = new Map<number, number[]>();
  for (const [position, { features, weights }] of bags.entries()) {
    for (const [i, feature] of features.entries()) listIn(postings, feature).push(position, weights[i]!);
  }
  return postings;
}
