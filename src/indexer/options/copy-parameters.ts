import { DEFAULT_SHINGLE_JOIN } from '../../join/copies/sketch-comparison.ts';
import { DEFAULT_TEMPLATE } from '../../join/copies/template-shingles.ts';
import {
  COPY_PROFILES,
  type CopyParameters,
  LEAST_SUPER_SHINGLE_SIMILARITY,
  type NamedClustering,
  parseClusterings,
} from '../../relations/copy.ts';
import { LEAST_LOOKUP_KEYS } from '../../sketch/lookup-keys.ts';
import type { CopyOptions } from './build-options.ts';

/** Whatever is said of copies, where they are wanted. */
type Choices = Omit<CopyOptions, 'copies'>;

/** What an index says of its copies: the options, and what their profile has besides. */
export function copyParameters(options: Choices): CopyParameters {
  const profile = COPY_PROFILES[options.copyProfile];
  return {
    profile: profile.name,
    shingle_size: options.shingleSize,
    minimum: profile.minimum,
    permutations: profile.permutations,
    threshold: options.copySimilarity,
    join: options.copyJoin,
    max_pages_per_shingle: DEFAULT_SHINGLE_JOIN.maxPagesPerShingle,
    lookup_keys: LEAST_LOOKUP_KEYS,
    same_site_agreement: options.sameSiteBits,
    sure: profile.sure,
    language_check: profile.languageCheck,
    template_filter: options.templateFilter,
    template_share: DEFAULT_TEMPLATE.share,
    template_minimum_pages: DEFAULT_TEMPLATE.minimumPages,
    template_minimum_keys: DEFAULT_TEMPLATE.minimumKeys,
    text: options.keepText,
    ...(profile.ignoresCommon && { ignores_common: true }),
  };
}

/** Why options cannot be had together, or null. */
export function copyConflict(options: Choices): string | null {
  const { copyJoin, copyProfile, copySimilarity: least } = options;
  const clusterings = clusteringsOf(options);
  const contained = clusterings.find(({ measure }) => measure === 'containment');
  const isBlind = copyJoin === 'super-shingles' || COPY_PROFILES[copyProfile].permutations > 0;
  if (isBlind && contained !== undefined) {
    const finder = copyJoin === 'super-shingles' ? 'super shingles' : 'permutations';
    return `${finder} cannot find containment, which ${contained.name} asks for`;
  }
  const low = clusterings.find(({ threshold }) => threshold < least);
  if (low !== undefined) return `copies are kept from ${least} on, none are there for ${low.name}`;
  if (copyJoin === 'shingles' || least >= LEAST_SUPER_SHINGLE_SIMILARITY) return null;
  return `super shingles find copies of a resemblance of ${LEAST_SUPER_SHINGLE_SIMILARITY} or more, not of ${least}`;
}

/** The clusters of level n are those of the nth. */
export function clusteringsOf({
  copyClusterings,
  copySimilarity,
}: Pick<CopyOptions, 'copyClusterings' | 'copySimilarity'>): NamedClustering[] {
  if (copyClusterings.length > 0) return parseClusterings(copyClusterings.join(','))!;
  return [{ name: `${copySimilarity}`, measure: 'resemblance', threshold: copySimilarity }];
}
