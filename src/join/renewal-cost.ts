import type { BagMatrix } from '../features/bag.ts';
import { exactPageUs, graphPageUs } from './buckets/join-cost.ts';
import { POSTING_US, SWEEP_US } from './exact/overlap-kernel.ts';

/** A page that changed, in pages of the exact join: every page at the floor is found, not the nearest alone. */
const CHANGED_PAGES = 2;
/** What lists that miss no page may cost more than those of the graph. */
const EXACT_WORTH = 1.25;

/** How lists are brought up to date when bags have changed. */
export type Renewal = 'update' | 'exact' | 'graph';

/**
 * The cheapest way to renew the lists of all pages: an update (update-neighbours.ts) of those that changed and those that
 * lose a page to them, or a search for all, exact or, where lists may miss pages, by the graph. Of 51,000 pages of a crawl,
 * 14,000 of them read, it pays to search all when some 6,000 have changed.
 */
export function cheapestRenewal(
  { offsets, features, sums, featureCount }: BagMatrix,
  changed: Iterable<number>,
  losing: Iterable<number>,
  mayMiss: boolean,
): Renewal {
  const pageCount = sums.length;
  const pageCounts = new Float64Array(featureCount);
  for (const feature of features) pageCounts[feature]!++;
  const exactUs = (page: number) => {
    let postings = 0;
    for (let i = offsets[page]!; i < offsets[page + 1]!; i++) postings += pageCounts[features[i]!]!;
    return POSTING_US * postings + SWEEP_US * pageCount;
  };
  let updateUs = 0;
  for (const page of changed) updateUs += CHANGED_PAGES * exactUs(page);
  for (const page of losing) updateUs += exactUs(page);
  let postingCount = 0;
  for (const count of pageCounts) postingCount += count * count;
  const work = { pageCount, entryCount: features.length, postingCount };
  const allUs = pageCount * exactPageUs(work);
  const byGraphUs = mayMiss ? pageCount * graphPageUs(work) : Number.POSITIVE_INFINITY;
  const isExactWorth = allUs <= EXACT_WORTH * byGraphUs;
  if (updateUs <= (isExactWorth ? allUs : byGraphUs)) return 'update';
  return isExactWorth ? 'exact' : 'graph';
}
