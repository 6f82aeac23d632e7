import { FeatureSearch } from '../../../join/own/feature-search.ts';
import { FeatureSetList } from '../../../join/own/feature-sets.ts';
import type { IndexReader } from '../../../store/read/reader.ts';

/** To read the features of a page, where all are. */
export const OWN_FEATURES_US = 10;

/** The own features of all pages of a file, by their places. Cost  `OWN_FEATURES_US` a page. */
export function openOwnFeatures({ input }: IndexReader): FeatureSearch {
  const list = new FeatureSetList();
  const pages: number[] = [];
  const sets: number[] = [];
  for (const { pageId, features } of input.allOwnFeatures()) {
    pages.push(pageId);
    sets.push(list.add(features));
  }
  return new FeatureSearch(list.sets(), Uint32Array.from(pages), Uint32Array.from(sets));
}
