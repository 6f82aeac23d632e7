import type { Bag } from '../../../features/bag.ts';
import { inOrder, isOfLinks } from '../../../features/parts.ts';
import { explainOverlap } from '../../../join/exact/weighted-jaccard.ts';
import { keptIn } from '../../../lib/kept.ts';
import type { FeatureRecord, RelationRecord } from '../../../store/records.ts';
import { sixDecimals } from '../../http/six-decimals.ts';
import { ahead } from '../../reads/ahead.ts';
import { isNamed, type Reads, urlsOf } from '../../reads/reads.ts';
import type { WhyAnswer } from '../../schemas/answers/list-answers.ts';
import type { TermAnswer } from '../../schemas/answers/term-answers.ts';

const SHARED_TERMS = 10;
/** Pages that an answer names as reasons. */
const SHOWN_CITATIONS = 3;

/** The `count` heaviest words of a bag, ties by feature id. */
export async function topTerms(
  reads: Reads,
  relation: RelationRecord,
  bag: Bag,
  count: number,
): Promise<TermAnswer[]> {
  const terms: TermAnswer[] = [];
  const featureAt = (slot: number) => reads.feature(relation.id, bag.features[slot]!);
  for await (const [slot, feature] of ahead(reads, byWeight(bag), featureAt)) {
    if (!isOfLinks(feature.part)) terms.push(wordOf(feature, bag, slot));
    if (terms.length === count) break;
  }
  return terms;
}

/** The `count` heaviest terms of each part that the bag has, pages that cannot be named left out. */
export async function topTermsByPart(
  reads: Reads,
  relation: RelationRecord,
  bag: Bag,
  count: number,
): Promise<Record<string, TermAnswer[]>> {
  const slots = byWeight(bag);
  // Every feature is looked up, since only its row says which part it is of: some hundred rows.
  const features = await Promise.all(slots.map((slot) => reads.feature(relation.id, bag.features[slot]!)));
  const byPart: Record<string, Promise<TermAnswer | null>[]> = {};
  for (const [i, feature] of features.entries()) {
    const terms = (byPart[feature.part] ??= []);
    if (terms.length < count) terms.push(termOf(reads, feature, bag, slots[i]!));
  }
  const parts = inOrder(Object.keys(byPart)).map(
    async (part) => [part, (await Promise.all(byPart[part]!)).filter((term) => term !== null)] as const,
  );
  return Object.fromEntries(await Promise.all(parts));
}

/** Slots, the heaviest first. */
function byWeight(bag: Bag): number[] {
  const slots = Array.from(bag.features.keys());
  return slots.sort((a, b) => bag.weights[b]! - bag.weights[a]! || a - b);
}

async function termOf(
  reads: Reads,
  feature: FeatureRecord,
  bag: Bag,
  slot: number,
): Promise<TermAnswer | null> {
  const word = wordOf(feature, bag, slot);
  if (!isOfLinks(feature.part)) return word;
  const [page] = await reads.heads([linkedPageOf(feature)]);
  if (!isNamed(page!)) return null;
  const { url, title } = page!;
  return { ...word, term: title.trim() === '' ? url : title, url };
}

function wordOf({ term, part }: FeatureRecord, bag: Bag, slot: number): TermAnswer {
  return { term, part, weight: sixDecimals(bag.weights[slot]! / bag.sum) };
}

/** The page that a feature of a part by links stands for. */
function linkedPageOf({ stem }: FeatureRecord): number {
  return Number(stem);
}

/**
 * Says what a bag and another have in common, those of the greatest share first: terms; and pages that link
 * to both, or that both link to, where the bags have parts made of links.
 *
 * Cost  A feature of the bag is looked up once, however many pages have it: only its row says whether it is a link.
 */
export function sharedTerms(
  reads: Reads,
  relation: RelationRecord,
  bag: Bag,
): (other: Bag) => Promise<WhyAnswer> {
  const hasLinks = Object.keys(reads.facts.partShares).some(isOfLinks);
  const known = new Map<number, Promise<FeatureRecord>>();
  const featureOf = (id: number) => keptIn(known, id, () => reads.feature(relation.id, id));
  return async (other) => {
    const common = explainOverlap(bag, other);
    // Where no part is of links, each is a term.
    const looked = hasLinks ? common.features : common.features.slice(0, SHARED_TERMS);
    const features = await Promise.all(Array.from(looked, featureOf));
    const terms: NonNullable<WhyAnswer['terms']> = [];
    const weights = new Map<number, number>();
    let shown = 0;
    for (const [i, feature] of features.entries()) {
      const { term, part } = feature;
      if (isOfLinks(part)) {
        const cited = linkedPageOf(feature);
        weights.set(cited, (weights.get(cited) ?? 0) + common.weights[i]!);
      } else if (terms.length < SHARED_TERMS) {
        // Cut, not rounded: what is cut off is in the remainder.
        const millionths = Math.floor((common.weights[i]! / common.overlap) * 1e6);
        shown += millionths;
        terms.push({ term, part, share: millionths / 1e6 });
      }
    }
    const remainder = common.overlap === 0 ? 0 : (1e6 - shown) / 1e6;
    if (!hasLinks) return { terms, remainder };
    const cited = [...weights].sort(([a, one], [b, other]) => other - one || a - b);
    const citations = cited.slice(0, SHOWN_CITATIONS).map(([page]) => page);
    return { terms, remainder, citations: await urlsOf(reads, citations), citation_count: cited.length };
  };
}
