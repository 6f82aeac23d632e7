/** The stage `own features`: which pages are copies of each other by the features that their owner gave them. */
import { type RelatedSets, relateSets } from '../../join/own/feature-join.ts';
import { FeatureSetList, type FeatureSets } from '../../join/own/feature-sets.ts';
import { NONE } from '../../lib/columns/indexes.ts';
import type { FoundFeatures } from '../../relations/own-features.ts';
import {
  FEATURE_PAIRS,
  FEATURE_ROOTS,
  FEATURE_SET_ENTRIES,
  FEATURE_SET_OF_PAGE,
  FEATURE_SET_OFFSETS,
  FEATURE_SET_SUMS,
} from '../files/records/stage-files.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import { collapsedPages } from '../gather/records/collapsed-pages.ts';

/**
 * Gives pages their sets of features, finds the pairs of sets and their components.
 *
 * Memory  28 bytes a feature of the different sets, and what `relateSets` says.
 */
export function findFeatureCopies(folder: WorkFiles, threshold: number): FoundFeatures {
  const list = new FeatureSetList();
  const setOfPage = FEATURE_SET_OF_PAGE.writer(folder);
  let pageCount = 0;
  for (const { page } of collapsedPages(folder)) {
    const has = page !== null && page.features !== '';
    if (has) pageCount++;
    setOfPage.push(has ? list.add(page.features) : NONE);
  }
  setOfPage.close();
  const sets = list.sets();
  const { pairs, roots, crowdedCount } = relateSets(sets, threshold);
  FEATURE_SET_OFFSETS.write(folder, sets.offsets);
  FEATURE_SET_SUMS.write(folder, sets.sums);
  FEATURE_SET_ENTRIES.write(folder, { keys: sets.keys, weights: sets.weights });
  FEATURE_PAIRS.write(folder, pairs);
  FEATURE_ROOTS.write(folder, roots);
  return {
    page_count: pageCount,
    set_count: list.count,
    pair_count: pairs.a.length,
    crowded_feature_count: crowdedCount,
  };
}

/** What the stage left. */
interface FeatureCopies {
  readonly setOfPage: Uint32Array;
  readonly sets: FeatureSets;
  readonly pairs: RelatedSets['pairs'];
  readonly roots: RelatedSets['roots'];
}

export function loadFeatureCopies(folder: WorkFiles): FeatureCopies {
  const offsets = FEATURE_SET_OFFSETS.read(folder);
  return {
    setOfPage: FEATURE_SET_OF_PAGE.read(folder),
    sets: { offsets, sums: FEATURE_SET_SUMS.read(folder), ...FEATURE_SET_ENTRIES.read(folder) },
    pairs: FEATURE_PAIRS.read(folder),
    roots: FEATURE_ROOTS.read(folder),
  };
}
