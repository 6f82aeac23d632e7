import type { PartShares } from '../features/parts.ts';
import type { BagRecipe } from '../features/weigh.ts';
import { type Listing, PLAIN } from '../join/pairs/votes.ts';
import type { SignatureShape } from '../sketch/lsh-signature.ts';
import { candidatesBy, type KernelName } from './kernels.ts';
import { foundBlend } from './meaning.ts';
import type { StoredRelation } from './relation.ts';

/**
 * The relation "speaks of the same things": weighted Jaccard of bags of words and links.
 *
 * `akin` is the default profile. Its page is a union of tagged parts weighed by tf^.75 log(N/df), summing to
 * 1,200: at 100 the many small weights of a long page are lost. It has no threshold: every page keeps its K
 * nearest pages above a low floor, because the right neighbors of long pages lie at .07 to .15.
 *
 * `haveliwala2000` is the paper as printed: sqrt(tf) log(N/df) summing to 100, MH-signatures of 80 values of
 * 3 bytes, l = 125 LSH-signatures of k = 3 values, the filter at 20 % agreement, CENTER. Its bag is that of
 * the paper: the title of a page and the anchor windows of the links to it.
 */
export const TOPIC = {
  name: 'topic',
  plainName: 'subject',
  id: 1,
  features: 'words',
  neighbors: 'nearest bags',
  similarity: 'weighted Jaccard of the two bags',
  clusters: 'hierarchy',
} as const satisfies StoredRelation;

export interface TopicProfile {
  readonly name: 'akin' | 'haveliwala2000';
  readonly measure: 'exact' | 'estimate';
  readonly tf: BagRecipe['tf'];
  readonly idf: BagRecipe['idf'];
  readonly total: number;
  readonly halfAnchorWords: BagRecipe['halfAnchorWords'];
  /** What a page is described by unless other shares are chosen. */
  readonly parts: PartShares;
  /** Whether the words of the title join the anchor bag. */
  readonly titleInAnchor: boolean;
  readonly neighborLimit: number;
  readonly floor: number;
  /** What lists are ordered by: the votes of the neighbors' neighbors, or similarity alone. */
  readonly rank: 'votes' | 'similarity';
  /** Features of a larger share of the pages are dropped. */
  readonly maxPageShare: number;
  readonly clusterSimilarity: number;
  /** Null where no signature is made. */
  readonly signature: SignatureShape | null;
  /** Whether nested topics are made above the clusters of CENTER. */
  readonly topics: boolean;
}

export const TOPIC_PROFILES: Readonly<Record<TopicProfile['name'], TopicProfile>> = {
  akin: {
    name: 'akin',
    measure: 'exact',
    tf: 'pow75',
    idf: 'flattened',
    total: 1200,
    halfAnchorWords: 20,
    parts: { content: 0.69, title: 0.055, heading: 0.07, anchor: 0.125, out: 0.03, in: 0.03 },
    titleInAnchor: false,
    neighborLimit: 32,
    floor: 0.03,
    rank: 'votes',
    maxPageShare: 0.5,
    clusterSimilarity: 0.2,
    signature: null,
    topics: true,
  },
  haveliwala2000: {
    name: 'haveliwala2000',
    measure: 'estimate',
    tf: 'sqrt',
    idf: 'plain',
    total: 100,
    halfAnchorWords: 0,
    parts: { anchor: 1 },
    titleInAnchor: true,
    neighborLimit: 100,
    floor: 0.2,
    rank: 'similarity',
    maxPageShare: 0.3,
    clusterSimilarity: 0.2,
    signature: { m: 80, k: 3, l: 125 },
    topics: false,
  },
};

/** How a page's counts become its bag, with the shares that are used. */
export function topicRecipe({ total, tf, idf, halfAnchorWords }: TopicProfile, parts: PartShares): BagRecipe {
  return { parts, total, tf, idf, halfAnchorWords };
}

/** How lists of an index by words go by what it says of itself. */
export function listingOf(
  relation: { readonly kernel: KernelName | null },
  parameters: Readonly<Record<string, unknown>>,
): Listing {
  if (lendShare(parameters) > 0) return LENT_LISTING;
  if (foundBlend(parameters) !== null) return BLENDED_LISTING;
  return { ...PLAIN, by: candidatesBy(relation) };
}

/** Of lists by words and by vectors, and of those over lent words. */
export const BLENDED_LISTING: Listing = { by: 'nearness', keptCount: 0 };
export const LENT_LISTING: Listing = { by: 'nearness', keptCount: 3 };

/** How much of a page's words its neighbors lend to it; 0 where they lend none. */
export function lendShare(parameters: Readonly<Record<string, unknown>>): number {
  return (parameters['lend'] as number | undefined) ?? 0;
}
