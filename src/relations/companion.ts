import type { LinkRelation } from './relation.ts';

/**
 * The relation "is an authority beside": the best authorities of the graph around a page.
 *
 * Source  J. Dean and M. Henzinger, Finding related pages in the World Wide Web (1999), algorithm Companion.
 */
export const COMPANION = {
  name: 'companion',
  plainName: 'links around it',
  features: 'links',
  neighbors: 'vicinity graph',
  similarity:
    'no similarity but a score, the authority in the graph of links around the page as a share of the greatest; pages below a millionth of it are not listed',
  clusters: 'none',
} as const satisfies LinkRelation;
