import { classOfCluster, NO_CLASS } from '../../../cluster/class-seeds.ts';
import { type HostWords, repeatedWords } from '../../../cluster/host-words.ts';
import { labelClusters } from '../../../cluster/label.ts';
import type { BagMatrix } from '../../../features/bag.ts';
import type { EntrySource } from '../../../join/bags/entry-source.ts';
import { Uint32List } from '../../../lib/columns/uint32-list.ts';
import { groupBy, membersOf } from '../../../lib/groups.ts';
import { rootOf } from '../../../url/site.ts';
import { ByteReader, ByteWriter } from '../../files/records/bytes.ts';
import { FEATURE_WORDS, labelsOfLevel } from '../../files/records/stage-files.ts';
import type { WorkFiles } from '../../files/work-folder.ts';
import { pageUrls } from '../../gather/records/collapsed-pages.ts';
import { type Level, loadLevels } from '../../relate/clusters.ts';
import { type PageClasses, readClasses } from '../../relate/page-classes.ts';
import { openBags } from '../../weigh/open-bags.ts';
import { featureNames } from '../../weigh/vocabulary.ts';

export const LABEL_TERMS = 4;

/** The features of one label after the other: those of label i end at `ends[i]`. */
interface LabelFeatures {
  readonly features: Uint32Array;
  readonly ends: Uint32Array;
}

/**
 * Leaves the labels of the clusters of each level, in the order of their centers.
 *
 * Memory  the bags as far as they fit `bagBytes`, 20 bytes a cluster, 8 a feature and the terms of those that are named, besides
 *         what labelClusters() takes.
 */
export function nameClusters(folder: WorkFiles, levelCount: number, bagBytes: number): void {
  const levels = loadLevels(folder, levelCount);
  const { matrix, entries, close } = openBags(folder, bagBytes);
  const wordOf = FEATURE_WORDS.read(folder);
  const words = repeatedWords(matrix, entries, hostStarts(folder));
  const labels = levels.map((centers) => featuresOfLabels(matrix, centers, wordOf, words, entries));
  close();
  const termOf = terms(folder, matrix.featureCount, labels);
  const classes = readClasses(folder);
  for (const [level, { features, ends }] of labels.entries()) {
    const file = labelsOfLevel(level).writer(folder);
    const names = classes === null ? null : classNames(levels[level]!, classes);
    let at = 0;
    for (const [cluster, end] of ends.entries()) {
      const words = Array.from(features.subarray(at, end), termOf).join(', ');
      const name = names?.[cluster] ?? null;
      file.append(Buffer.from(name === null ? words : `${name}: ${words}`));
      at = end;
    }
    file.end();
  }
}

/** Of each cluster, in the order of the centers, the class that names it, or null. */
function classNames(centers: Level, { classOf, paths }: PageClasses): (string | null)[] {
  const clusters = groupBy(centers, centers.length);
  const names: (string | null)[] = [];
  for (let center = 0; center < centers.length; center++) {
    const pages = membersOf(clusters, center);
    if (pages.length === 0) continue;
    const classes = Array.from(pages, (page) => classOf[page]!).filter((one) => one !== NO_CLASS);
    names.push(classOfCluster(classes, pages.length, paths)?.join('/') ?? null);
  }
  return names;
}

function featuresOfLabels(
  matrix: BagMatrix,
  centers: Level,
  wordOf: Uint32Array,
  words: HostWords,
  entries: EntrySource,
): LabelFeatures {
  const features = new Uint32List();
  const ends = new Uint32List();
  for (const [, label] of labelClusters(matrix, centers, wordOf, LABEL_TERMS, words, entries)) {
    for (const feature of label) features.push(feature);
    ends.push(features.length);
  }
  return { features: features.toArray(), ends: ends.toArray() };
}

/** The first page of each host; pages are numbered in the order of their URLs. */
function hostStarts(folder: WorkFiles): Uint32Array {
  const starts = new Uint32List();
  let page = 0;
  let before = '';
  for (const url of pageUrls(folder)) {
    const origin = rootOf(url);
    if (origin !== before) starts.push(page);
    before = origin;
    page++;
  }
  return starts.toArray();
}

/** What names the features of the labels. */
function terms(folder: WorkFiles, featureCount: number, labels: readonly LabelFeatures[]) {
  const bytes = new ByteWriter();
  const isNamed = new Uint8Array(featureCount);
  for (const { features } of labels) for (const feature of features) isNamed[feature] = 1;
  const starts = new Float64Array(featureCount);
  for (const { id, term } of featureNames(folder, featureCount)) {
    if (isNamed[id] === 0) continue;
    starts[id] = bytes.length;
    bytes.text(term);
  }
  const from = new ByteReader(bytes.view());
  return (feature: number) => {
    from.at = starts[feature]!;
    return from.text();
  };
}

/** What `nameClusters` left of one level. */
export function* clusterLabels(folder: WorkFiles, level: number): IterableIterator<string> {
  for (const label of labelsOfLevel(level).records(folder)) yield label.toString();
}
