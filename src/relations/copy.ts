import type { CopyClustering } from '../join/copies/copy-clusterings.ts';
import type { CopyRelationOptions } from '../join/copies/copy-relation.ts';
import { DEFAULT_SHINGLE_JOIN, type ShingleJoinOptions } from '../join/copies/sketch-comparison.ts';
import type { SketchOptions } from '../sketch/shingle-sketch.ts';
import type { StoredRelation } from './relation.ts';

/**
 * The relation "is a copy of": resemblance of shingle sets, clusters as the components of its pairs.
 *
 * `akin` samples short pages finely and asks pages to resemble each other without the template of their sites too.
 * `broder1997` is the paper as printed: the shingles = 0 mod 25 of every page, however few, without those of more than
 * 1,000 pages, no second opinion. `cs276` is
 * the other method that is taught: the least fingerprint under each of 200 permutations, near-duplicates from 80 % on; it
 * finds no excerpts. Of 6,621 pages of a crawl it has precision .987, recall .984 at 1,017 bytes a page, where `akin` has .999
 * and .997 at 768, in a sixth of the time: bench/results/crawl.json.
 *
 * Measured on a crawl of 45,702 pages: sketches of 300 keys at least are 770 bytes a text, RMS error of 3,814 pairs
 * .0135 (200 keys: 600 bytes, .018; 400: 910 bytes, .011). Templates take two of three pairs of one host at .5, and 519
 * of 40,604 that are labeled copies. A second opinion by words (340 bits, below `sure`) takes 3,231 more: 12 % of what it
 * takes is labeled, as of what it leaves, so it is asked for on demand alone.
 */
export const COPY = {
  name: 'copy',
  plainName: 'wording',
  id: 2,
  features: 'shingles',
  neighbors: 'shared shingles',
  similarity: 'resemblance, the share of all shingles of both texts that both have',
  clusters: 'clusterings',
} as const satisfies StoredRelation;

export interface CopyProfile {
  readonly name: 'akin' | 'broder1997' | 'cs276';
  readonly minimum: number;
  /** Permutations a sketch; 0: it is of shingles. */
  readonly permutations: number;
  /** Resemblance of copies where none is asked for. */
  readonly threshold: number;
  /** Resemblance from which a pair of one site needs no second opinion. */
  readonly sure: number;
  /** Whether pages that declare two languages are kept apart. */
  readonly languageCheck: boolean;
  /** Whether the templates of hosts are looked for; if not, they count as any text. */
  readonly templateFilter: boolean;
  /** Whether shingles in more pages than meet by one are ignored; if not, they count as any other. */
  readonly ignoresCommon: boolean;
}

export const COPY_PROFILES: Readonly<Record<CopyProfile['name'], CopyProfile>> = {
  akin: {
    name: 'akin',
    minimum: 300,
    permutations: 0,
    threshold: 0.5,
    sure: 0.8,
    languageCheck: true,
    templateFilter: true,
    ignoresCommon: false,
  },
  broder1997: {
    name: 'broder1997',
    minimum: 0,
    permutations: 0,
    threshold: 0.5,
    sure: 1,
    languageCheck: false,
    templateFilter: false,
    ignoresCommon: true,
  },
  cs276: {
    name: 'cs276',
    minimum: 0,
    permutations: 200,
    threshold: 0.8,
    sure: 1,
    languageCheck: false,
    templateFilter: false,
    ignoresCommon: false,
  },
};

/** In place of a host, of the shingles that are ignored wherever they stand. */
export const EVERY_HOST = '';

/** Neighbors kept a page. */
export const COPY_NEIGHBOR_LIMIT = 100;

/** A clustering by its name: `0.9` joins pages of resemblance .9, `0.8c` pages of which .8 are in the other. */
export interface NamedClustering extends CopyClustering {
  readonly name: string;
}

/** Clusterings of one index at most. */
export const MAX_CLUSTERINGS = 8;

export const COPY_JOINS = ['shingles', 'super-shingles'] as const;

/** Below this resemblance super shingles lose more pairs than one in fifty. */
export const LEAST_SUPER_SHINGLE_SIMILARITY = 0.8;

/** The clusterings of a list such as `0.5,0.9,0.8c`, in its order; undefined where it is none. */
export function parseClusterings(list: string): NamedClustering[] | undefined {
  const found = new Map<string, NamedClustering>();
  for (const item of list.split(',')) {
    const match = /^((?:\d+(?:\.\d*)?|\.\d+)(?:e-\d+)?)(c?)$/.exec(item.trim());
    const threshold = Number(match?.[1]);
    if (match === null || threshold > 1) return undefined;
    const name = `${threshold}${match[2]}`;
    found.set(name, { name, measure: match[2] === 'c' ? 'containment' : 'resemblance', threshold });
  }
  return found.size <= MAX_CLUSTERINGS ? [...found.values()] : undefined;
}

/** What the index says of its copies, under the parameter `copy`. */
export interface CopyParameters {
  readonly profile: CopyProfile['name'];
  readonly shingle_size: number;
  readonly minimum: number;
  readonly permutations: number;
  /** Resemblance, or share of the one that is in the other, from which pairs are kept. */
  readonly threshold: number;
  readonly join: (typeof COPY_JOINS)[number];
  readonly max_pages_per_shingle: number;
  /** Lowest keys of a version by which it is looked up, at least; those = 0 mod 25 are in any case. */
  readonly lookup_keys: number;
  readonly same_site_agreement: number;
  readonly sure: number;
  readonly language_check: boolean;
  readonly template_filter: boolean;
  readonly template_share: number;
  readonly template_minimum_pages: number;
  readonly template_minimum_keys: number;
  readonly text: boolean;
  /** Whether shingles in more than `max_pages_per_shingle` pages are ignored; they stand among the templates, of the host ''. */
  readonly ignores_common?: true;
}

/** Those among the parameters of an index; undefined in one that was built without copies. */
export function storedCopyParameters(
  parameters: Readonly<Record<string, unknown>>,
): CopyParameters | undefined {
  return parameters[COPY.name] as CopyParameters | undefined;
}

/** How a text is sketched to be compared with those of an index. */
export function sketchOptionsOf(copy: CopyParameters): SketchOptions {
  const { shingle_size: shingleSize, minimum, permutations } = copy;
  return { shingleSize, minimum, permutations };
}

/** How the pairs of an index are found: by shingles excerpts as well, else only those that resemble each other. */
export function joinOptionsOf(copy: CopyParameters): ShingleJoinOptions {
  return {
    ...DEFAULT_SHINGLE_JOIN,
    by: copy.join,
    measure: copy.join === 'shingles' && copy.permutations === 0 ? 'containment' : 'resemblance',
    threshold: copy.threshold,
    maxPagesPerShingle: copy.max_pages_per_shingle,
  };
}

/** How pairs are sought and checked, whole. */
export function relationOptionsOf(
  copy: CopyParameters,
  clusterings: readonly CopyClustering[],
): CopyRelationOptions {
  return {
    join: joinOptionsOf(copy),
    clusterings,
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
