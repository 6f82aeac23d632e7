/** Keys of several numbers as one, as the schema has them; all are below 2^53. */

/** Rows that the postings of a feature may have: one a block of pages. */
const POSTING_ROWS = 2 ** 12;

/** Of a row that a relation has of a page. Those of a relation follow each other. */
export function pageKey(relationId: number, pageId: number): number {
  return relationId * 2 ** 32 + pageId;
}

/** Of all rows that a relation has of pages: from the first on, up to the second. */
export function allPages(relationId: number): [from: number, to: number] {
  return [pageKey(relationId, 0), pageKey(relationId + 1, 0)];
}

/** Of the postings of a feature in the first block of pages; those in the others follow. */
export function postingKey(relationId: number, featureId: number): number {
  return pageKey(relationId, featureId) * POSTING_ROWS;
}
