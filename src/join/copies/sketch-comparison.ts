/**
 * Two pages that share shingles, compared: whether the keys by which they met leave a chance that they are copies, and
 * if so, what their whole sketches say.
 *
 *   shared keys they met by + those they cannot have met by (hidden)  <  what the threshold asks for, less four
 *   standard errors   -->  not compared
 */
import { reachesShare } from '../../lib/reaches-share.ts';
import { lookupCount } from '../../sketch/lookup-keys.ts';
import { MarkedKeys, type NumberedKeys, numberRepeated } from '../../sketch/marked-keys.ts';
import { agreedSample, SLOT_LIMIT } from '../../sketch/permutations.ts';
import type { KeyOverlap } from '../../sketch/resemblance.ts';
import { countBelow, sharedCount } from '../../sketch/resemblance.ts';
import { SketchParities } from '../../sketch/sketch-parity.ts';
import type { SketchSource } from '../../sketch/sketch-source.ts';
import type { SketchTable } from '../../sketch/sketch-table.ts';

export interface ShingleJoinOptions {
  /** What pages must share to be compared. Super shingles: measure resemblance. */
  readonly by: 'shingles' | 'super-shingles';
  readonly measure: CopyMeasure;
  /** Least resemblance, or least containment of either page in the other. 0 < t <= 1. */
  readonly threshold: number;
  readonly maxPagesPerShingle: number;
  /** A containment of fewer keys compared, where the page has more, must be two standard errors above the threshold. */
  readonly minimumSample: number;
}

/** From where on two pages are copies. */
export type CopyBound = Pick<ShingleJoinOptions, 'measure' | 'threshold' | 'minimumSample'>;

/** With the limits of both sketches. */
export interface LimitedOverlap extends KeyOverlap {
  readonly limitOfA: number;
  readonly limitOfB: number;
}

export type CopyMeasure = 'resemblance' | 'containment';

export const DEFAULT_SHINGLE_JOIN: ShingleJoinOptions = {
  by: 'shingles',
  measure: 'resemblance',
  threshold: 0.5,
  maxPagesPerShingle: 1000,
  minimumSample: 10,
};

/** Float64Array(n): a page is listed by its keys below these, and below these all its shingles are among them. */
export function listedLimits(source: SketchSource): Float64Array {
  const { pageCount, limits } = source;
  const listed = new Float64Array(pageCount);
  for (const { first, table } of source.blocks()) {
    const { offsets, keys } = table;
    for (let page = 0; page < table.pageCount; page++) {
      const end = offsets[page]! + lookupCount(keys, offsets[page]!, offsets[page + 1]!);
      listed[first + page] = end === offsets[page + 1] ? limits[first + page]! : keys[end]!;
    }
  }
  return listed;
}

/** What is known of how the pages of a table met. */
interface MeetingFacts {
  /** As `listedLimits()` has them. */
  readonly listedLimits: Float64Array;
  /** Uint32Array(n): keys of a page that are crowded, and those that bring no pages together. */
  readonly crowdedOfPage: Uint32Array;
  readonly silentOfPage?: Uint32Array;
}

/** The overlaps of pages of one table that are copies. */
export class CopyOverlaps {
  comparedCount = 0;
  readonly #table: SketchTable;
  readonly #options: ShingleJoinOptions;
  readonly #parities: SketchParities;
  /** Those of the first page: a join compares one page with many. */
  #marked: MarkedKeys | null = null;
  #numbered: NumberedKeys | null;

  /** @param numbered the keys of the table, where they have numbers. */
  constructor(table: SketchTable, options: ShingleJoinOptions, numbered: NumberedKeys | null = null) {
    this.#table = table;
    this.#options = options;
    this.#numbered = numbered;
    this.#parities = new SketchParities(table);
  }

  /** Of two pages; null where they are no copies. */
  of(a: number, b: number): KeyOverlap | null {
    this.comparedCount++;
    const { limits } = this.#table;
    const overlap = limits[a] === SLOT_LIMIT ? this.#ofSlots(a, b) : this.#ofKeys(a, b);
    if (overlap === null) return null;
    const isCopy = reachesThreshold(
      { ...overlap, limitOfA: limits[a]!, limitOfB: limits[b]! },
      this.#options,
    );
    return isCopy ? overlap : null;
  }

  #ofKeys(a: number, b: number): KeyOverlap | null {
    const { offsets, keys, limits } = this.#table;
    const common = Math.min(limits[a]!, limits[b]!);
    const [fromA, toA, fromB, toB] = [offsets[a]!, offsets[a + 1]!, offsets[b]!, offsets[b + 1]!];
    const { measure, threshold: t } = this.#options;
    const ofA = countBelow(keys, common, fromA, toA);
    const ofB = countBelow(keys, common, fromB, toB);
    // Rounded down by a hair, as reachesThreshold() has the last word.
    const least = (measure === 'resemblance' ? (t / (1 + t)) * (ofA + ofB) : t * Math.min(ofA, ofB)) - 1e-6;
    const beyond = toA - fromA - ofA + (toB - fromB - ofB);
    if (this.#parities.leastUnshared(a, b) - beyond > ofA + ofB - 2 * least) return null;
    this.#marked ??= new MarkedKeys((this.#numbered ??= numberRepeated(keys)));
    this.#marked.mark(fromA, toA);
    const shared = this.#marked.countIn(fromB, fromB + ofB, least);
    return shared < 0 ? null : { shared, ofA, ofB };
  }

  /** Of slots, so many are shared at least where pages agree as often as the threshold says; by containment, any. */
  #ofSlots(a: number, b: number): KeyOverlap | null {
    const { offsets, keys, shingleCounts } = this.#table;
    const [fromA, toA, fromB, toB] = [offsets[a]!, offsets[a + 1]!, offsets[b]!, offsets[b + 1]!];
    const { measure, threshold } = this.#options;
    const least = measure === 'resemblance' ? threshold * (toA - fromA) - 1e-6 : 0;
    const shared = sharedCount(keys, fromA, toA, keys, fromB, toB, least);
    if (shared < 0) return null;
    return { shared, ...agreedSample(shared, toA - fromA, shingleCounts[a]!, shingleCounts[b]!) };
  }
}

/** Pages that met by some of their keys: the others are compared only where these leave a chance. */
export class SketchComparison {
  readonly #table: SketchTable;
  readonly #options: ShingleJoinOptions;
  readonly #facts: MeetingFacts;
  readonly #overlaps: CopyOverlaps;

  constructor(
    table: SketchTable,
    options: ShingleJoinOptions,
    facts: MeetingFacts,
    overlaps = new CopyOverlaps(table, options),
  ) {
    this.#table = table;
    this.#options = options;
    this.#facts = facts;
    this.#overlaps = overlaps;
  }

  get comparedCount(): number {
    return this.#overlaps.comparedCount;
  }

  /** The overlap of two pages that met by `count` keys; null where they are no copies. */
  compare(a: number, b: number, count: number): KeyOverlap | null {
    const isMet = this.#options.by === 'shingles' && this.#table.limits[a] !== SLOT_LIMIT;
    return isMet && !this.#mayReach(a, b, count) ? null : this.#overlaps.of(a, b);
  }

  #mayReach(a: number, b: number, count: number): boolean {
    const { offsets, keys, limits } = this.#table;
    const { listedLimits } = this.#facts;
    const limit = Math.min(Math.max(listedLimits[a]!, listedLimits[b]!), limits[a]!, limits[b]!);
    const metA = countBelow(keys, limit, offsets[a]!, offsets[a + 1]!);
    const metB = countBelow(keys, limit, offsets[b]!, offsets[b + 1]!);
    const smaller = Math.min(metA, metB);
    const most = Math.min(count + this.#hiddenOf(a, b), smaller);
    const sampled = this.#options.measure === 'containment' ? smaller : metA + metB - most;
    return most >= leastMet(sampled, this.#options.threshold);
  }

  /** Keys that two pages may share without having met by them, at most. */
  #hiddenOf(a: number, b: number): number {
    const { crowdedOfPage, silentOfPage } = this.#facts;
    const crowded = Math.min(crowdedOfPage[a]!, crowdedOfPage[b]!);
    return silentOfPage === undefined ? crowded : crowded + silentOfPage[a]! + silentOfPage[b]!;
  }
}

/** Of `sampled` keys so many are shared at least where a share `threshold` of all is, within four standard errors. */
function leastMet(sampled: number, threshold: number): number {
  return sampled * threshold - 4 * Math.sqrt(sampled * threshold * (1 - threshold)) - 1;
}

/**
 * Whether a pair is one of copies: by its keys below the common limit, and the limits of both sketches.
 *
 * Of a small sample a containment must be two standard errors above the threshold: at .5 four keys of four, eight of
 * nine. A verbatim excerpt of n words in a page of 7,500 and more has n / 25 keys to compare.
 */
export function reachesThreshold(pair: LimitedOverlap, options: CopyBound): boolean {
  const { shared, ofA, ofB, limitOfA, limitOfB } = pair;
  const { measure, threshold: t, minimumSample } = options;
  if (shared === 0) return false;
  if (measure === 'resemblance') return reachesShare(shared, ofA + ofB - shared, t);
  const isIn = (of: number, isAll: boolean) => {
    const margin = isAll || of >= minimumSample ? 0 : 2 * Math.sqrt(of * t * (1 - t));
    return reachesShare(shared - margin, of, t);
  };
  return isIn(ofA, limitOfA <= limitOfB) || isIn(ofB, limitOfB <= limitOfA);
}
