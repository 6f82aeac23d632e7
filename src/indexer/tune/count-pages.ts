/** The counts of some pages of an index, by part, as a build of the index would have them for other shares. */
import { type CountedPages as Counted, CountedPages } from '../../features/counted-pages.ts';
import { unpackFeatures } from '../../features/own-features.ts';
import { inOrder, isOfLinks, type Part } from '../../features/parts.ts';
import { TOPIC_PROFILES } from '../../relations/topic.ts';
import { FEATURE_HASHES } from '../files/stage-files.ts';
import { type BuildListener, StageRunner } from '../files/stage-runner.ts';
import { WorkFolder } from '../files/work-folder.ts';
import { partsToCount } from '../gather/extract/index-input.ts';
import { gatherPages } from '../gather/gather-pages.ts';
import { pageNames } from '../gather/records/collapsed-pages.ts';
import type { BuildOptions } from '../options/build-options.ts';
import { findFeatures, Scratch } from '../weigh/bags.ts';
import { countFrequencies } from '../weigh/frequencies.ts';
import { writeLinkRows } from '../weigh/link-rows.ts';
import { ownFeatures, partCounts } from '../weigh/part-counts.ts';
import { FeatureLookup, nameFeatures } from '../weigh/vocabulary.ts';

const BUCKETS = 16;

interface CountedIndex {
  /** In the order of `urls`. */
  readonly pages: Counted;
  readonly urls: readonly string[];
}

/**
 * Runs the stages of a build up to the features, with every part that the inputs have, groups of features of one's own among them, and takes
 * in the counts of the pages that are `wanted`, by URL. The work folder beside `options.target` is gone when it returns.
 *
 * Errors  those of a build.
 */
export async function countPages(
  options: BuildOptions,
  wanted: ReadonlySet<string>,
  listener: BuildListener,
): Promise<CountedIndex> {
  const builtIn = partsToCount(options);
  const all = { ...options, parts: Object.fromEntries(builtIn.map((part) => [part, 1 / builtIn.length])) };
  const folder = WorkFolder.open(all, 0);
  try {
    const stages = new StageRunner(folder, listener);
    const { extracted, pageCount } = await gatherPages(all, folder, stages, listener, BUCKETS);
    const parts = inOrder([...builtIn, ...groupsOf(folder)]);
    const budgetBytes = options.memoryBytes / 4;
    const { titleInAnchor } = TOPIC_PROFILES[options.profile];
    if (parts.some(isOfLinks)) writeLinkRows(folder, pageCount, budgetBytes);
    const table = countFrequencies(folder, parts, titleInAnchor, options, budgetBytes);
    nameFeatures(folder, table, parts, extracted.bucketCount, budgetBytes);
    return takeWanted(folder, table, parts, titleInAnchor, wanted);
  } finally {
    folder.discard();
  }
}

/** Names of the groups of features of one's own that pages have. */
function groupsOf(folder: WorkFolder): Set<Part> {
  const groups = new Set<Part>();
  for (const packed of ownFeatures(folder)) {
    for (const group of Object.keys(unpackFeatures(packed))) groups.add(group);
  }
  return groups;
}

function takeWanted(
  folder: WorkFolder,
  table: ReturnType<typeof countFrequencies>,
  parts: readonly Part[],
  titleInAnchor: boolean,
  wanted: ReadonlySet<string>,
): CountedIndex {
  const pages = new CountedPages(parts, table.partPageCounts, table.keys.length);
  const urls: string[] = [];
  const lookup = new FeatureLookup(table, parts);
  const hashes = FEATURE_HASHES.read(folder);
  const scratch = new Scratch();
  const names = pageNames(folder);
  for (const counts of partCounts(folder, parts, titleInAnchor)) {
    const { url } = names.next().value!;
    if (!wanted.has(url)) continue;
    urls.push(url);
    for (const [part] of parts.entries()) {
      const length = findFeatures(lookup, part, counts[part]!, table.pageCounts, hashes, scratch);
      pages.add({ ...scratch, length });
    }
  }
  return { pages, urls };
}
