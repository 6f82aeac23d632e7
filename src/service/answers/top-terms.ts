import { type Bag, PARTS } from '../../features/bag.ts';
import type { RelationRecord } from '../../store/records.ts';
import type { Generation } from '../held/generation.ts';
import type { TermAnswer } from '../schemas/list-answers.ts';
import { sixDecimals } from './six-decimals.ts';

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
