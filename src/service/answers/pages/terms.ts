import type { Bag } from '../../../features/bag.ts';
import { PARTS } from '../../../features/parts.ts';
import { explainOverlap } from '../../../join/exact/weighted-jaccard.ts';
import type { RelationRecord } from '../../../store/records.ts';
import type { Generation } from '../../held/generation.ts';
import { sixDecimals } from '../../http/json-writer.ts';
import type { TermAnswer, WhyAnswer } from '../../schemas/list-answers.ts';

const SHARED_TERMS = 10;

/** The `count` heaviest terms of a bag, ties by feature id. */
export function topTerms(
  generation: Generation,
  relation: RelationRecord,
  bag: Bag,
  count: number,
): TermAnswer[] {
  return heaviest(bag, count).map((slot) => termOf(generation, relation, bag, slot));
}

/** The `count` heaviest terms of each part that the bag has. */
export function topTermsByPart(
  generation: Generation,
  relation: RelationRecord,
  bag: Bag,
  count: number,
): Record<string, TermAnswer[]> {
  const byPart: Record<string, TermAnswer[]> = {};
  // Every feature is looked up, since only its row says which part it is of: some hundred rows.
  for (const slot of heaviest(bag, bag.features.length)) {
    const term = termOf(generation, relation, bag, slot);
    const terms = (byPart[term.part] ??= []);
    if (terms.length < count) terms.push(term);
  }
  return Object.fromEntries(
    PARTS.filter((part) => byPart[part] !== undefined).map((part) => [part, byPart[part]!]),
  );
}

function heaviest(bag: Bag, count: number): number[] {
  const slots = Array.from(bag.features.keys());
  return slots.sort((a, b) => bag.weights[b]! - bag.weights[a]! || a - b).slice(0, count);
}

function termOf(generation: Generation, relation: RelationRecord, bag: Bag, slot: number): TermAnswer {
  const { term, part } = generation.reader.feature(relation.id, bag.features[slot]!);
  return { term, part, weight: sixDecimals(bag.weights[slot]! / bag.sum) };
}

/** The terms that a bag and a page of the index have in common, those of the greatest share first. */
export function sharedTerms(
  generation: Generation,
  relation: RelationRecord,
  bag: Bag,
  pageId: number,
): WhyAnswer {
  const common = explainOverlap(bag, generation.reader.bag(relation.id, pageId));
  let shown = 0;
  const terms = Array.from(common.features.subarray(0, SHARED_TERMS), (featureId, i) => {
    const { term, part } = generation.reader.feature(relation.id, featureId);
    // Cut, not rounded: what is cut off is in the remainder.
    const millionths = Math.floor((common.weights[i]! / common.overlap) * 1e6);
    shown += millionths;
    return { term, part, share: millionths / 1e6 };
  });
  return { terms, remainder: (1e6 - shown) / 1e6 };
}
