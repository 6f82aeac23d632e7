import type { LinkRelation } from './relation.ts';

/**
 * The relation "is cited beside": Jaccard of the sets of pages that link to the two.
 *
 * Source  H. Small, Co-citation in the scientific literature (1973).
 */
export const COCITATION = {
  name: 'cocitation',
  plainName: 'who links to it',
  features: 'links',
  neighbors: 'shared citers',
  similarity: 'Jaccard of the sets of pages that link to the two',
  clusters: 'none',
} as const satisfies LinkRelation;
