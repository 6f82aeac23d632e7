import type { Bag } from '../../features/bag.ts';
import { explainOverlap } from '../../join/exact/weighted-jaccard.ts';
import type { RelationRecord } from '../../store/records.ts';
import type { Generation } from '../held/generation.ts';

const TERMS = 10;

export interface SharedTerm {
  readonly term: string;
  readonly part: string;
  /** Share of the overlap, cut (not rounded) to six decimals, so that shares never sum to more than 1. */
  readonly share: number;
}

/** The terms that a bag and a page of the index have in common, those of the greatest share first. */
export function sharedTerms(
  generation: Generation,
  relation: RelationRecord,
  bag: Bag,
  pageId: number,
): SharedTerm[] {
  const common = explainOverlap(bag, generation.reader.bag(relation.id, pageId));
  return Array.from(common.features.subarray(0, TERMS), (featureId, i) => {
    const { term, part } = generation.reader.feature(relation.id, featureId);
    return { term, part, share: Math.floor((common.weights[i]! / common.overlap) * 1e6) / 1e6 };
  });
}
