import type { BagMatrix, Part } from '../features/bag.ts';
import { parseStopWords } from '../features/stop-words.ts';
import { copyParameters } from '../relations/copy.ts';
import { TOPIC_PROFILES, topicRecipe } from '../relations/topic.ts';
import { MH_V1 } from '../sketch/mh-signature.ts';
import type { IndexWriter } from '../store/writer.ts';
import { Aliases } from './aliases.ts';
import { loadBags } from './bags.ts';
import type { BuildOptions, CopyReport } from './build-options.ts';
import { similarityOfBags, similarityOfPairs } from './center-similarity.ts';
import { loadLevels } from './clusters.ts';
import { storedCounts } from './copies.ts';
import type { ExtractReport } from './extract.ts';
import type { FeatureTable } from './frequencies.ts';
import { type NeighbourReport, readNeighbours } from './neighbours.ts';
import { isWorthAside, type Preparation, prepare, prepareAside } from './prepare.ts';
import { loadSignatures, loadSimilarPairs } from './similar-pairs.ts';
import type { PairReport } from './threshold-pairs.ts';
import { featureNames, loadFeatureTable } from './vocabulary.ts';
import type { WorkFolder } from './work-folder.ts';
import { centerUrls, saveCenterUrls, writeClusters } from './write-clusters.ts';
import { VersionWriter, writeCopies } from './write-copies.ts';
import { writeBags, writeNeighbours, writePages, writePostings, writeSignatures } from './write-index.ts';

const TOPIC_RELATION_ID = 1;
const COPY_RELATION_ID = 2;

/** What the stages before found out, beside their files. */
export interface Findings {
  readonly extracted: ExtractReport;
  readonly features: { readonly count: number; readonly partPageCounts: FeatureTable['partPageCounts'] };
  /** Null in a profile that keeps similar pairs instead. */
  readonly neighbours: NeighbourReport | null;
  /** Null where CENTER scans the lists of neighbours. */
  readonly pairs: PairReport | null;
  readonly levelCount: number;
  /** Null where the copy relation is left out. */
  readonly copies: CopyReport | null;
}

/** Writes all tables of a new index from the files that the stages left. */
export async function fillIndex(
  writer: IndexWriter,
  options: BuildOptions,
  folder: WorkFolder,
  found: Findings,
  progress: (done: number) => void,
): Promise<void> {
  const matrix = loadBags(folder);
  const { levelCount } = found;
  const task: Preparation = { what: 'labels and shingles', options, matrix, levelCount };
  const aside = isWorthAside(folder, options, matrix.sums.length) ? prepareAside(folder.path, task) : null;
  try {
    if (aside === null) prepare(folder, task);
    writeCollection(writer, options, folder, found);
    writeTopic(writer, options, folder, found, matrix, progress);
    await aside?.done;
    writePrepared(writer, options, folder, found, matrix);
  } finally {
    // Whoever builds next writes the same files.
    await aside?.stop();
  }
}

/** How the index was made, and of what. */
function writeCollection(
  writer: IndexWriter,
  options: BuildOptions,
  folder: WorkFolder,
  { extracted, neighbours, pairs, copies }: Findings,
): void {
  const parameters = { ...storedParameters(options), ...measured(neighbours, pairs) };
  for (const [name, value] of Object.entries(parameters)) writer.parameter(name, value);
  if (copies !== null) writer.parameter('copy_found', storedCounts(copies));
  writer.sweep({
    id: 1,
    name: options.sweepName,
    recordCount: extracted.recordCount,
    startedAtMs: folder.startedAtMs,
  });
  for (const [reason, count] of Object.entries(extracted.skipped)) writer.skip(1, reason, count);
}

/** The pages, and the topic relation but for its clusters. */
function writeTopic(
  writer: IndexWriter,
  options: BuildOptions,
  folder: WorkFolder,
  { features, copies }: Findings,
  matrix: BagMatrix,
  progress: (done: number) => void,
): void {
  const profile = TOPIC_PROFILES[options.profile];
  const versions = copies !== null ? new VersionWriter(writer, folder) : null;
  writePages(writer, folder, new Aliases(folder), matrix.sums.length, versions, progress);
  writer.relation({
    id: TOPIC_RELATION_ID,
    name: 'topic',
    profile: profile.name,
    measure: profile.measure,
    neighbourLimit: options.neighbourLimit,
    floor: options.floor,
  });
  for (const [part, pages] of Object.entries(features.partPageCounts) as [Part, number][]) {
    if (pages > 0) writer.part(TOPIC_RELATION_ID, part, pages);
  }
  const { pageCounts } = loadFeatureTable(folder);
  for (const name of featureNames(folder, features.count)) {
    writer.feature(TOPIC_RELATION_ID, { ...name, pageCount: pageCounts[name.id]! });
  }
  writeBags(writer, TOPIC_RELATION_ID, matrix);
  writePostings(writer, TOPIC_RELATION_ID, matrix, options.memoryBytes / 4);
  if (profile.signature !== null) {
    writeSignatures(writer, TOPIC_RELATION_ID, loadSignatures(folder), profile.signature.m);
  }
  writeNeighbours(writer, TOPIC_RELATION_ID, readNeighbours(folder, options.neighbourLimit));
}

/** The clusters, and the copy relation. */
function writePrepared(
  writer: IndexWriter,
  options: BuildOptions,
  folder: WorkFolder,
  { levelCount, copies }: Findings,
  matrix: BagMatrix,
): void {
  const similarity =
    TOPIC_PROFILES[options.profile].signature === null
      ? similarityOfBags(matrix)
      : similarityOfPairs(loadSimilarPairs(folder, options.filterValues));
  const relation = { id: TOPIC_RELATION_ID, name: 'topic' };
  const levels = loadLevels(folder, levelCount);
  saveCenterUrls(folder, levels);
  const urlsOf = (level: number) => centerUrls(folder, level);
  const clusterCount = writeClusters(writer, relation, folder, levels, similarity, urlsOf);
  if (copies !== null) writeCopies(writer, COPY_RELATION_ID, clusterCount, folder, options);
}

/** What the joins measured of themselves. */
function measured(neighbours: NeighbourReport | null, pairs: PairReport | null): Record<string, unknown> {
  return {
    ...(neighbours && {
      neighbours: {
        method: neighbours.method,
        recall: neighbours.recall,
        sample_count: neighbours.sampleCount,
      },
    }),
    ...(pairs && {
      pairs: {
        similarity: pairs.similarity,
        pair_count: pairs.pairCount,
        method: pairs.method,
        recall: pairs.recall,
        sample_count: pairs.sampleCount,
      },
    }),
  };
}

/** What a reader must know to weigh a new document alike, and to say how the index was made. */
function storedParameters(options: BuildOptions): Record<string, unknown> {
  const profile = TOPIC_PROFILES[options.profile];
  return {
    profile: profile.name,
    bag: options.bag,
    recipe: topicRecipe(profile, options.bag),
    title_in_anchor: profile.titleInAnchor,
    stop_words: options.stopWords === null ? null : [...parseStopWords(options.stopWords)].sort(),
    window_words: options.windowWords,
    min_page_count: options.minPageCount,
    max_page_share: options.maxPageShare,
    cluster_similarity: options.clusterSimilarity,
    max_page_bytes: options.maxPageBytes,
    seed: options.seed,
    ...(options.copies && { copy: copyParameters(options) }),
    ...(profile.signature === null
      ? {}
      : {
          signature: profile.signature,
          signature_version: MH_V1,
          filter_bytes: options.filterBytes,
          filter_values: options.filterValues,
        }),
  };
}
