/** Measured on one core of 2026, in µs: a posting added, a page's accumulator swept. */
const POSTING_US = 0.0012;
const SWEEP_US = 0.0007;
/** The graph: what every page costs, and an entry of its bag. */
const PAGE_US = 40;
const ENTRY_US = 1.2;

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
  let postings = 0;
  for (const count of pageCounts) postings += count * count;
  const exactUs = (POSTING_US * postings) / pageCount + SWEEP_US * pageCount;
  return exactUs < PAGE_US + (ENTRY_US * entryCount) / pageCount;
}
