import type { CopyRelationOptions } from '../join/copy-relation.ts';
import { DEFAULT_SHINGLE_JOIN, type ShingleJoinOptions } from '../join/shingle-join.ts';
import { DEFAULT_TEMPLATE } from '../join/template-shingles.ts';
import type { SketchOptions } from '../sketch/shingle-sketch.ts';

/**
 * The relation "is a copy of": resemblance of shingle sets, clusters as the components of its pairs.
 *
 * `akin` samples short pages finely and leaves each site's template out. `broder1997` is the paper as printed: the
 * shingles = 0 mod 25 of every page, however few, all of them candidates, nothing left out, no second opinion.
 *
 * Measured on a crawl of 45,702 pages: sketches of 300 keys at least are 770 bytes a text, RMS error of 3,814 pairs
 * .0135 (200 keys: 600 bytes, .018; 400: 910 bytes, .011). Templates take two of three pairs of one host at .5, and 519
 * of 40,604 that are labelled copies. A second opinion by words (340 bits, below `sure`) takes 3,231 more: 12 % of what it
 * takes is labelled, as of what it leaves, so it is asked for on demand alone.
 */
export interface CopyProfile {
  readonly name: 'akin' | 'broder1997';
  readonly minimum: number;
  /** Infinity: never doubled, as printed. */
  readonly maximum: number;
  readonly candidateKeys: number;
  /** Resemblance from which a pair of one site needs no second opinion. */
  readonly sure: number;
  /** Whether pages that declare two languages are kept apart. */
  readonly languageCheck: boolean;
}

export const COPY_PROFILES: Readonly<Record<CopyProfile['name'], CopyProfile>> = {
  akin: {
    name: 'akin',
    minimum: 300,
    maximum: 1200,
    candidateKeys: 64,
    sure: 0.8,
    languageCheck: true,
  },
  broder1997: {
    name: 'broder1997',
    minimum: 0,
    maximum: Number.POSITIVE_INFINITY,
    candidateKeys: Number.POSITIVE_INFINITY,
    sure: 1,
    languageCheck: false,
  },
};

/** Neighbours kept a page. */
export const COPY_NEIGHBOUR_LIMIT = 100;
/** Lowest keys of a version that stand in the inverted index. */
export const INDEXED_KEYS = 64;

/** What the index says of its copies, under the parameter `copy`. Numbers without a bound are null. */
export interface CopyParameters {
  readonly profile: CopyProfile['name'];
  readonly shingle_size: number;
  readonly minimum: number;
  readonly maximum: number | null;
  readonly threshold: number;
  readonly measure: 'resemblance';
  readonly max_pages_per_shingle: number;
  readonly candidate_keys: number | null;
  readonly indexed_keys: number;
  readonly same_site_agreement: number;
  readonly sure: number;
  readonly language_check: boolean;
  readonly template_filter: boolean;
  readonly template_share: number;
  readonly template_minimum_pages: number;
  readonly template_minimum_keys: number;
  readonly text: boolean;
}

export function copyParameters(options: {
  readonly copyProfile: CopyProfile['name'];
  readonly shingleSize: number;
  readonly copySimilarity: number;
  readonly templateFilter: boolean;
  readonly keepText: boolean;
  readonly sameSiteBits: number;
}): CopyParameters {
  const profile = COPY_PROFILES[options.copyProfile];
  const bounded = (value: number) => (Number.isFinite(value) ? value : null);
  return {
    profile: profile.name,
    shingle_size: options.shingleSize,
    minimum: profile.minimum,
    maximum: bounded(profile.maximum),
    threshold: options.copySimilarity,
    measure: 'resemblance',
    max_pages_per_shingle: DEFAULT_SHINGLE_JOIN.maxPagesPerShingle,
    candidate_keys: bounded(profile.candidateKeys),
    indexed_keys: INDEXED_KEYS,
    same_site_agreement: options.sameSiteBits,
    sure: profile.sure,
    language_check: profile.languageCheck,
    template_filter: options.templateFilter,
    template_share: DEFAULT_TEMPLATE.share,
    template_minimum_pages: DEFAULT_TEMPLATE.minimumPages,
    template_minimum_keys: DEFAULT_TEMPLATE.minimumKeys,
    text: options.keepText,
  };
}

/** How a text is sketched to be compared with those of an index. */
export function sketchOptionsOf(copy: CopyParameters): SketchOptions {
  return {
    shingleSize: copy.shingle_size,
    minimum: copy.minimum,
    maximum: copy.maximum ?? Number.POSITIVE_INFINITY,
  };
}

/** How the pairs of an index are found. */
export function joinOptionsOf(copy: CopyParameters): ShingleJoinOptions {
  return {
    ...DEFAULT_SHINGLE_JOIN,
    measure: copy.measure,
    threshold: copy.threshold,
    maxPagesPerShingle: copy.max_pages_per_shingle,
    candidateKeys: copy.candidate_keys ?? Number.POSITIVE_INFINITY,
  };
}

/** How pairs are sought and checked, whole. */
export function relationOptionsOf(copy: CopyParameters, partCount = 1): CopyRelationOptions {
  return {
    join: { ...joinOptionsOf(copy), partCount },
    template: copy.template_filter
      ? {
          share: copy.template_share,
          minimumPages: copy.template_minimum_pages,
          minimumKeys: copy.template_minimum_keys,
        }
      : null,
    sameSiteAgreement: copy.same_site_agreement,
    sure: copy.sure,
  };
}
