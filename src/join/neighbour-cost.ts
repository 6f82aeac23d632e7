import type { BagMatrix } from '../features/bag.ts';

/** Measured on one core of 2026, in µs: a posting added, a page's accumulator swept. */
const POSTING_US = 0.0012;
const SWEEP_US = 0.0007;
/** The graph: what every page costs, and an entry of its bag. */
const PAGE_US = 40;
const ENTRY_US = 1.2;

/** A page that changed, in pages of the exact join: every page at the floor is found, not the nearest alone. */
const CHANGED_PAGES = 2;
/** What lists that miss no page may cost more than those of the graph. */
const EXACT_WORTH = 1.25;

/**
 * True where the exact nearest pages (exact-neighbours.ts) cost less than the approximate graph
 * (nearest-neighbour-graph.ts): both estimated a page, exact work growing with the collection, the graph's not.
 *
 * Estimates are within a third of what was measured on six collections of 2,300 to 300,000 pages; on a crawl
 * of 110 features a page the two meet near 25,000 pages, on short synthetic bags near 100,000.
 *
 * Shape   features: those of all entries, in pieces.
 */
export function isExactCheaper(
  pageCount: number,
  featureCount: number,
  features: Iterable<Uint32Array>,
): boolean {
  if (pageCount === 0) return true;
  const pageCounts = new Float64Array(featureCount);
  let entryCount = 0;
  for (const piece of features) {
    for (const feature of piece) pageCounts[feature]!++;
    entryCount += piece.length;
  }
  return allExactUs(pageCounts, pageCount) < graphUs(pageCount, entryCount);
}

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
  const allUs = allExactUs(pageCounts, pageCount);
  const byGraphUs = mayMiss ? graphUs(pageCount, features.length) : Number.POSITIVE_INFINITY;
  const isExactWorth = allUs <= EXACT_WORTH * byGraphUs;
  if (updateUs <= (isExactWorth ? allUs : byGraphUs)) return 'update';
  return isExactWorth ? 'exact' : 'graph';
}

function allExactUs(pageCounts: Float64Array, pageCount: number): number {
  let postings = 0;
  for (const count of pageCounts) postings += count * count;
  return POSTING_US * postings + SWEEP_US * pageCount * pageCount;
}

function graphUs(pageCount: number, entryCount: number): number {
  return PAGE_US * pageCount + ENTRY_US * entryCount;
}
