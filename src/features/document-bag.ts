import type { Bag } from './bag.ts';
import { featureHash } from './feature-hash.ts';
import { type Part, partNames } from './parts.ts';
import { type BagRecipe, ofLinksAlone, roundWeights, weighPart } from './weigh.ts';

/**
 * Stem, or pair of stems, to count, or the name of a feature of one's own to its weight, by part; a new document has an
 * anchor part only where anchors to it are known.
 */
export type PartCounts = Partial<Record<Part, ReadonlyMap<string, number>>>;

export interface FeatureStatistics {
  readonly id: number;
  /** Document frequency. */
  readonly pageCount: number;
}

/**
 * The bag of a document against an index's frozen document frequencies: to the bit the bag the index
 * holds for a page of the same counts.
 *
 * Words the index does not have carry no weight and no part of the sum. A part without known words leaves
 * its share unused.
 */
export function documentBag(
  counts: PartCounts,
  lookup: (part: Part, stem: string) => FeatureStatistics | undefined,
  partPageCount: (part: Part) => number,
  recipe: BagRecipe,
): Bag {
  const entries: { feature: number; weight: number }[] = [];
  let used = ofLinksAlone(recipe);
  // The content comes before all others.
  for (const part of partNames(recipe.parts)) {
    const partCounts = counts[part];
    if (partCounts === undefined) continue;
    const known = knownTerms(part, partCounts, lookup);
    if (part === 'content' && known.length > 0) used = recipe;
    const weights = new Float64Array(known.length);
    weighPart(
      part,
      used,
      partPageCount(part),
      Float64Array.from(known, (term) => term.count),
      Uint32Array.from(known, (term) => term.pageCount),
      known.length,
      weights,
    );
    const rounded = new Uint8Array(known.length);
    roundWeights(
      weights,
      Uint32Array.from(known, (term) => featureHash(part, term.stem)),
      rounded,
    );
    for (const [i, term] of known.entries()) {
      if (rounded[i]! > 0) entries.push({ feature: term.id, weight: rounded[i]! });
    }
  }
  entries.sort((a, b) => a.feature - b.feature);
  return {
    features: Uint32Array.from(entries, (entry) => entry.feature),
    weights: Uint8Array.from(entries, (entry) => entry.weight),
    sum: entries.reduce((sum, entry) => sum + entry.weight, 0),
  };
}

interface KnownTerm extends FeatureStatistics {
  readonly stem: string;
  readonly count: number;
}

/** In ascending feature id, the order in which the index weighs. */
function knownTerms(
  part: Part,
  counts: ReadonlyMap<string, number>,
  lookup: (part: Part, stem: string) => FeatureStatistics | undefined,
): KnownTerm[] {
  const known: KnownTerm[] = [];
  for (const [stem, count] of counts) {
    const feature = lookup(part, stem);
    if (feature !== undefined) known.push({ stem, count, id: feature.id, pageCount: feature.pageCount });
  }
  return known.sort((a, b) => a.id - b.id);
}
