/**
 * Term counts to the integer weights of a bag.
 *
 * A part of a page (its content, title or anchor bag) is weighed by damped term frequency times
 * log(N / document frequency), scaled so that the part sums to its share of the bag's total, and rounded to
 * integers by consistent randomized rounding: x becomes floor(x), plus one where the fraction of x is above
 * the feature's own threshold. The threshold depends on the feature alone, so two pages that give a word
 * the same weight round it the same way, a greater weight never rounds to a smaller one, and over features
 * the expectation is x itself. Rounding to nearest would wipe out every weight below a half, which on long
 * pages is most of them.
 *
 * Floating sums depend on their order: entries come in ascending feature id wherever bags must agree to
 * the bit. Only square roots, products and log are used; the first two are exact by IEEE 754, log is the
 * engine's own port of fdlibm.
 *
 * Limits  A weight is one byte: what a page of one or two words would have above 255 is cut off, and the
 *         bag sums to less than its total. The sum of a bag is its total give or take the square root of a
 *         quarter of its words.
 * Source  Haveliwala, Gionis, Indyk 2000, section 2 (sqrt(tf) log(N/df), sum 100); Haeupler, Manasse,
 *         Talwar 2014 (consistent rounding).
 */
import { mix32 } from '../lib/hash.ts';
import { isGroup, type Part, type PartShares } from './parts.ts';

const TF_SCHEMES = ['sqrt', 'pow75', 'given'] as const;
/** How a term frequency is damped: its square root, or its power 3/4; a weight that is given stays as it is. */
type TfScheme = (typeof TF_SCHEMES)[number];

const IDF_SCHEMES = ['plain', 'flattened'] as const;
/** `flattened`: words rarer than 1 % of the pages, or than 20 pages, weigh like those. Below that a frequency says little. */
type IdfScheme = (typeof IDF_SCHEMES)[number];

/** How counts become a bag; stored with the index, as a new document must be weighed alike. */
export interface BagRecipe {
  readonly tf: TfScheme;
  readonly idf: IdfScheme;
  /** Share of `total` that each part sums to; they sum to 1. A part that is left out gives no features. */
  readonly parts: PartShares;
  /** What the weights of a page with all parts sum to: 1,200, or 100 as printed. */
  readonly total: number;
  /** Words around links with which the anchor part of a page that has words of its own has half of its share; 0 where it has all. */
  readonly halfAnchorWords: number;
}

/** The recipe for a page without words of its own, of which the links to it say all that is known. */
export function ofLinksAlone(recipe: BagRecipe): BagRecipe {
  return { ...recipe, halfAnchorWords: 0 };
}

const MAX_WEIGHT = 255;

const FLAT_SHARE = 0.01;
const FLAT_PAGES = 20;

const THRESHOLD_SEED = 0x5bd1e995;
const UNIT = 2 ** -32;

/** Damped term frequency; 0 for a count of 0. */
function tfWeight(count: number, scheme: TfScheme): number {
  if (scheme === 'given') return count;
  const root = Math.sqrt(count);
  return scheme === 'sqrt' ? root : root * Math.sqrt(root);
}

/** Inverse document frequency log(N / df); 0 for a word of every page. */
export function idf(pageCount: number, pageTotal: number, scheme: IdfScheme = 'plain'): number {
  if (pageCount >= pageTotal) return 0;
  const least = scheme === 'plain' ? 1 : Math.min(FLAT_PAGES, pageTotal * FLAT_SHARE);
  return Math.log(pageTotal / Math.max(pageCount, least));
}

/**
 * Real weights of one part of one page, scaled to sum to its share.
 *
 * Shape   entry i, of `length`, is a feature in ascending id: `termCounts[i]` uses on the page,
 *         `pageCounts[i]` pages that have it (1 .. pageTotal) → `out[i]`. All 0 where no word tells pages apart.
 * Cost    one logarithm and one or two square roots an entry, no allocation.
 */
export function weighPart(
  part: Part,
  recipe: BagRecipe,
  pageTotal: number,
  termCounts: Uint32Array | Float64Array,
  pageCounts: Uint32Array,
  length: number,
  out: Float64Array,
): void {
  // The features of one's own have weights already.
  const tf = isGroup(part) ? 'given' : recipe.tf;
  let sum = 0;
  let uses = 0;
  for (let i = 0; i < length; i++) {
    const weight = tfWeight(termCounts[i]!, tf) * idf(pageCounts[i]!, pageTotal, recipe.idf);
    out[i] = weight;
    sum += weight;
    uses += termCounts[i]!;
  }
  const share = recipe.parts[part]! * (part === 'anchor' ? anchorTrust(uses, recipe.halfAnchorWords) : 1);
  const scale = sum > 0 ? (share * recipe.total) / sum : 0;
  for (let i = 0; i < length; i++) out[i] = out[i]! * scale;
}

/**
 * How far the words around the links to a page are believed: t^4 / (t^4 + h^4) of t words.
 *
 * The window of a single link in a list has the names of the pages that stand beside it there, which are near it in the list alone.
 * Where many pages link to a page, what they have in common is what it is about.
 *
 * Measured   docs/decisions/0016-few-words-around-links.md
 */
function anchorTrust(uses: number, half: number): number {
  if (half === 0) return 1;
  const square = uses * uses;
  const halfSquare = half * half;
  return (square * square) / (square * square + halfSquare * halfSquare);
}

/**
 * Rounds weights to integers of 0..255 by the features' own thresholds; returns their sum.
 *
 * Shape   `weights[i]` >= 0 and `featureHashes[i]` → `out[i]`, for i < `length`.
 */
export function roundWeights(
  weights: Float64Array,
  featureHashes: Uint32Array,
  out: Uint8Array,
  length = weights.length,
): number {
  let sum = 0;
  for (let i = 0; i < length; i++) {
    const weight = weights[i]!;
    const whole = Math.floor(weight);
    const threshold = mix32(featureHashes[i]! ^ THRESHOLD_SEED) * UNIT;
    const rounded = Math.min(weight - whole > threshold ? whole + 1 : whole, MAX_WEIGHT);
    out[i] = rounded;
    sum += rounded;
  }
  return sum;
}
