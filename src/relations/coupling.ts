import type { LinkRelation } from './relation.ts';

/**
 * The relation "cites the same": Jaccard of the sets of pages that the two link to.
 *
 * Source  M. Kessler, Bibliographic coupling between scientific papers (1963).
 */
export const COUPLING = {
  name: 'coupling',
  plainName: 'what it links to',
  features: 'links',
  neighbors: 'shared targets',
  similarity: 'Jaccard of the sets of pages that the two link to',
  clusters: 'none',
} as const satisfies LinkRelation;
