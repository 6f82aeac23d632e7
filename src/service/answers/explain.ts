import type { Bag } from '../../features/bag.ts';
import { explainOverlap } from '../../join/exact/weighted-jaccard.ts';
import type { RelationRecord } from '../../store/records.ts';
import type { Generation } from '../held/generation.ts';
import type { SharedTermAnswer } from '../schemas/list-answers.ts';

const TERMS = 10;

/** The terms that a bag and a page of the index have in common, those of the greatest share first. */
export function sharedTerms(
  generation: Generation,
  relation: RelationRecord,
  bag: Bag,
  pageId: number,
): SharedTermAnswer[] {
  const common = explainOverlap(bag, generation.reader.bag(relation.id, pageId));
  return Array.from(common.features.subarray(0, TERMS), (featureId, i) => {
    const { term, part } = generation.reader.feature(relation.id, featureId);
    return { term, part, share: Math.floor((common.weights[i]! / common.overlap) * 1e6) / 1e6 };
  });
}
