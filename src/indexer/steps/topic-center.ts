/**
 * Whether a page is the center of its topic before the best of those that stand before it: the page with the most weight to
 * the pages of the topic is, of equals the first.
 */
export function isNearerCenter(weightWithin: number, best: number): boolean {
  return weightWithin > best;
}
