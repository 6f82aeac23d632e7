import { CopyNeighbors } from '../../join/copies/copy-neighbors.ts';
import { setAt, sharedWeight, storedShare } from '../../join/own/feature-sets.ts';
import { NONE } from '../../lib/columns/indexes.ts';
import { groupBy } from '../../lib/groups.ts';
import {
  type FoundFeatures,
  OWN_FEATURES,
  OWN_FEATURES_NEIGHBOR_LIMIT,
} from '../../relations/own-features.ts';
import type { IndexWriter } from '../../store/write/writer.ts';
import type { WorkFolder } from '../files/work-folder.ts';
import type { CopyOptions } from '../options/build-options.ts';
import { loadFeatureCopies } from '../relate/own-features.ts';
import { copyClusters, pagesInClusters, writeCopyClusters } from './clusters/write-copy-clusters.ts';
import { featuresRow } from './relation-rows.ts';
import { headings } from './write-copies.ts';

/** The relation by own features: neighbors, and clusters of two pages or more. */
export function writeFeatureCopies(
  writer: IndexWriter,
  firstClusterId: number,
  folder: WorkFolder,
  options: CopyOptions,
  found: FoundFeatures,
): void {
  writer.relation(featuresRow(options));
  writer.parameter('own_features_found', found);
  const { setOfPage, sets, pairs, roots } = loadFeatureCopies(folder);
  const groups = groupBy(setOfPage, found.set_count);
  // Equal sets are equal as 1 of 1.
  const keyCounts = new Uint32Array(found.set_count).fill(1);
  const neighbors = new CopyNeighbors(pairs, groups, keyCounts, OWN_FEATURES_NEIGHBOR_LIMIT);
  for (const [page, set] of setOfPage.entries()) {
    if (set === NONE) continue;
    const list = neighbors.of(page, set);
    if (list.ids.length > 0) writer.neighbors(OWN_FEATURES.id, page, list);
  }
  const headOf = headings(folder, pagesInClusters([roots], groups, setOfPage.length));
  const figureOf = (set: number, center: number) =>
    storedShare(sharedWeight(setAt(sets, set), setAt(sets, center)));
  const clusters = copyClusters(roots, figureOf, groups, headOf);
  writeCopyClusters(writer, OWN_FEATURES, firstClusterId, 0, 0, clusters);
}
