import type { Bag } from '../../../features/bag.ts';
import { inOrder, isOfLinks } from '../../../features/parts.ts';
import { explainOverlap } from '../../../join/exact/weighted-jaccard.ts';
import type { FeatureRecord, RelationRecord } from '../../../store/records.ts';
import type { Generation } from '../../held/generation.ts';
import { checkedUrl } from '../../held/stored-catalog.ts';
import { sixDecimals } from '../../http/json-writer.ts';
import type { TermAnswer, WhyAnswer } from '../../schemas/list-answers.ts';

const SHARED_TERMS = 10;
/** Pages that an answer names as reasons. */
const SHOWN_CITATIONS = 3;

/** The `count` heaviest words of a bag, ties by feature id. */
export function topTerms(
  generation: Generation,
  relation: RelationRecord,
  bag: Bag,
  count: number,
): TermAnswer[] {
  const terms: TermAnswer[] = [];
  for (const slot of byWeight(bag)) {
    if (terms.length === count) break;
    const feature = generation.reader.feature(relation.id, bag.features[slot]!);
    if (!isOfLinks(feature.part)) terms.push(termOf(generation, feature, bag, slot));
  }
  return terms;
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
  for (const slot of byWeight(bag)) {
    const feature = generation.reader.feature(relation.id, bag.features[slot]!);
    const terms = (byPart[feature.part] ??= []);
    if (terms.length < count) terms.push(termOf(generation, feature, bag, slot));
  }
  return Object.fromEntries(inOrder(Object.keys(byPart)).map((part) => [part, byPart[part]!]));
}

/** Slots, the heaviest first. */
function byWeight(bag: Bag): number[] {
  const slots = Array.from(bag.features.keys());
  return slots.sort((a, b) => bag.weights[b]! - bag.weights[a]! || a - b);
}

function termOf({ reader }: Generation, feature: FeatureRecord, bag: Bag, slot: number): TermAnswer {
  const { part } = feature;
  const weight = sixDecimals(bag.weights[slot]! / bag.sum);
  if (!isOfLinks(part)) return { term: feature.term, part, weight };
  const { url, title } = reader.page(linkedPageOf(feature));
  return { term: title.trim() === '' ? url : title, part, weight, url: checkedUrl(url) };
}

/** The page that a feature of a part by links stands for. */
function linkedPageOf({ stem }: FeatureRecord): number {
  return Number(stem);
}

/**
 * Says what a bag and a page of the index have in common, those of the greatest share first: terms; and pages that link
 * to both, or that both link to, where the bags have parts made of links.
 *
 * Cost  A feature of the bag is looked up once, however many pages have it: only its row says whether it is a link.
 */
export function sharedTerms(
  generation: Generation,
  relation: RelationRecord,
  bag: Bag,
): (pageId: number) => WhyAnswer {
  const { reader } = generation;
  const hasLinks = Object.keys(generation.partShares).some(isOfLinks);
  const known = new Map<number, FeatureRecord>();
  const featureOf = (id: number): FeatureRecord => {
    let feature = known.get(id);
    if (feature === undefined) known.set(id, (feature = reader.feature(relation.id, id)));
    return feature;
  };
  return (pageId) => {
    const common = explainOverlap(bag, reader.bag(relation.id, pageId));
    const terms: NonNullable<WhyAnswer['terms']> = [];
    const citations = new Map<number, number>();
    let shown = 0;
    for (const [i, featureId] of common.features.entries()) {
      if (!hasLinks && terms.length === SHARED_TERMS) break;
      const feature = featureOf(featureId);
      const { term, part } = feature;
      if (isOfLinks(part)) {
        const cited = linkedPageOf(feature);
        citations.set(cited, (citations.get(cited) ?? 0) + common.weights[i]!);
      } else if (terms.length < SHARED_TERMS) {
        // Cut, not rounded: what is cut off is in the remainder.
        const millionths = Math.floor((common.weights[i]! / common.overlap) * 1e6);
        shown += millionths;
        terms.push({ term, part, share: millionths / 1e6 });
      }
    }
    const remainder = (1e6 - shown) / 1e6;
    if (!hasLinks) return { terms, remainder };
    const cited = [...citations].sort(([a, one], [b, other]) => other - one || a - b);
    const urls = cited.slice(0, SHOWN_CITATIONS).map(([page]) => checkedUrl(reader.page(page).url));
    return { terms, remainder, citations: urls, citation_count: cited.length };
  };
}
