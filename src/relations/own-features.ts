import type { StoredRelation } from './relation.ts';

/**
 * The relation "is described the same": pages that are copies of each other by the features that their owner gave
 * (features/own-features.ts), whatever their texts say. Weighted Jaccard of all features of all groups, the weights as they
 * are given; pairs from the threshold of copies on, clusters as the components of these pairs.
 */
export const OWN_FEATURES = {
  name: 'own-features',
  plainName: 'own features',
  id: 3,
  features: 'own',
  neighbors: 'own features',
  similarity: 'weighted Jaccard of the features that their owner gave both, the weights as they are given',
  clusters: 'components',
} as const satisfies StoredRelation;

/** Neighbors kept a page. */
export const OWN_FEATURES_NEIGHBOR_LIMIT = 100;

/** What the index says of them, under the parameter `own_features_found`. */
export interface FoundFeatures {
  /** Pages with own features, and their different sets. */
  readonly page_count: number;
  readonly set_count: number;
  readonly pair_count: number;
  /** Features that are among the rarest of more sets than were compared each with each: pairs of these may be missing. */
  readonly crowded_feature_count: number;
}

export function foundFeatures(parameters: Readonly<Record<string, unknown>>): FoundFeatures | undefined {
  return parameters['own_features_found'] as FoundFeatures | undefined;
}
