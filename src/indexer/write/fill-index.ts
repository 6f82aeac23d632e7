import { type PartShares, partNames } from '../../features/parts.ts';
import type { MeasuredRecall } from '../../join/pairs/measured-recall.ts';
import type { FoundBlend } from '../../relations/meaning.ts';
import type { FoundFeatures } from '../../relations/own-features.ts';
import { TOPIC, TOPIC_PROFILES, type TopicProfile } from '../../relations/topic.ts';
import { beginSync } from '../../store/sync-path.ts';
import { IndexWriter } from '../../store/write/writer.ts';
import { divideMemory } from '../files/budget.ts';
import { BAG_SUMS, INDEX_FILE, SIGNATURES } from '../files/records/stage-files.ts';
import type { Stages } from '../files/stage-runner.ts';
import type { WorkFolder } from '../files/work-folder.ts';
import type { ExtractReport, SweepReport } from '../gather/extract/extract-report.ts';
import type { BuildTask } from '../options/build-options.ts';
import { storedParameters } from '../options/parameters.ts';
import { similarityOfBags, similarityOfPairs } from '../relate/center-similarity.ts';
import { loadLevels } from '../relate/clusters.ts';
import { type CopyReport, storedCounts } from '../relate/copies.ts';
import { type NeighborReport, neighborsByVotes, readNeighbors } from '../relate/lists/neighbors.ts';
import { readOrdered } from '../relate/lists/ordered-lists.ts';
import type { VectorReport } from '../relate/lists/vectors.ts';
import type { ClassReport } from '../relate/page-classes.ts';
import { loadSimilarPairs } from '../relate/similar-pairs.ts';
import type { PairReport } from '../relate/threshold-pairs.ts';
import { keptSkips } from '../steps/skips.ts';
import type { FeatureTable } from '../weigh/frequencies.ts';
import { openBags } from '../weigh/open-bags.ts';
import { nameClusters } from './clusters/cluster-labels.ts';
import { centerUrls, saveCenterUrls, writeClusters } from './clusters/write-clusters.ts';
import { topicRow } from './relation-rows.ts';
import type { TablesBeside } from './tables-beside.ts';
import { writeCopyLists } from './write-copies.ts';
import { type SweepChange, writeNeighbors, writeSignatures } from './write-index.ts';
import { writeFeatureCopies } from './write-own-features.ts';
import { writeTables } from './write-tables.ts';
import { writeMeaning } from './write-vectors.ts';

/** What the stages before found out, besides their files. */
export interface Findings {
  readonly extracted: ExtractReport;
  readonly features: {
    readonly partPageCounts: FeatureTable['partPageCounts'];
    /** Shares, where parts that no page has leave theirs to the others. */
    readonly used: PartShares;
  };
  /** Null in a profile that keeps similar pairs instead. */
  readonly neighbors: NeighborReport | null;
  /** Null where CENTER scans the lists of neighbors. */
  readonly pairs: PairReport | null;
  readonly pairCount: number;
  /** Clusters of each level. */
  readonly clusterCounts: readonly number[];
  /** Null where no classes were given. */
  readonly classes: ClassReport | null;
  /** Null where the copy relation is left out. */
  readonly copies: CopyReport | null;
  /** Null where no page has features of its owner's, or the copy relation is left out. */
  readonly ownFeatures: FoundFeatures | null;
  /** Null where no page has a vector. */
  readonly vectors: VectorReport | null;
  /** Null where lists by words go by words alone. */
  readonly blend: FoundBlend | null;
}

/** An index that is being written. */
interface Filling {
  readonly writer: IndexWriter;
  readonly folder: WorkFolder;
  readonly options: BuildTask;
  readonly found: Findings;
}

/**
 * Writes the index file from the files that the stages left, or completes it where its tables are begun by other threads.
 *
 * `finish` writes the last rows and closes the file.
 */
export async function fillIndex<Result>(
  options: BuildTask,
  { folder, resources }: Stages<WorkFolder>,
  found: Findings,
  formerIndex: string | undefined,
  tables: TablesBeside | null,
  progress: (done: number) => void,
  finish: (writer: IndexWriter, change: SweepChange) => Result,
): Promise<Result> {
  const { memoryBytes } = resources;
  const bagBytes = divideMemory(memoryBytes).write.bags;
  let writer: IndexWriter | undefined;
  try {
    if (tables === null) nameClusters(folder, found.clusterCounts.length, bagBytes);
    const known = { firstNewSweep: found.extracted.firstNewSweep, formerIndex };
    const pageCount = BAG_SUMS.length(folder);
    const begun =
      (await tables?.written()) ?? writeTables(folder, options, memoryBytes, pageCount, known, progress);
    const path = folder.file(INDEX_FILE);
    const synced = beginSync(path);
    writer = new IndexWriter(path, begun.digests);
    const filling = { writer, folder, options, found };
    writeCollection(filling);
    writeTopic(filling);
    const writeCopyClusters = found.copies === null ? null : writeCopyLists(writer, folder, options);
    await tables?.clustersNamed();
    const clusterCount = writeTopicClusters(filling, bagBytes);
    if (writeCopyClusters !== null) {
      const nextClusterId = writeCopyClusters(clusterCount);
      const { ownFeatures } = found;
      if (ownFeatures !== null && ownFeatures.page_count > 0)
        writeFeatureCopies(writer, nextClusterId, folder, options, ownFeatures);
    }
    if (found.vectors !== null) writeMeaning(writer, folder, found.vectors.found);
    await synced;
    return finish(writer, begun.change);
  } catch (error) {
    writer?.abandon();
    throw error;
  }
}

/** How the index was made, and of what. */
function writeCollection({ writer, options, found }: Filling): void {
  const { extracted, features, neighbors, pairs, copies, blend } = found;
  const parameters = {
    ...storedParameters(options, features.used),
    ...measured(neighbors, pairs),
    ...(blend !== null && { blend }),
  };
  for (const [name, value] of Object.entries(parameters)) writer.parameter(name, value);
  if (copies !== null) writer.parameter('copy_found', storedCounts(copies));
  for (const sweep of extracted.sweeps) {
    writer.sweep(sweep);
    const skips = writtenSkips(sweep, writer.captureCount(sweep.id));
    for (const [reason, count] of Object.entries(skips)) writer.skip(sweep.id, reason, count);
    for (const [extension, count = 0] of Object.entries(sweep.skippedFiles)) {
      writer.skip(sweep.id, 'media_type', count, extension);
    }
  }
}

/** Why records of a sweep are no captures; files that are no pages are left out, as they are counted by extension. */
function writtenSkips({ recordCount, skipped, skippedFiles }: SweepReport, captureCount: number) {
  const skips = keptSkips({ recordCount, captureCount, skipped });
  for (const count of Object.values(skippedFiles)) skips['media_type']! -= count!;
  if (skips['media_type'] === 0) delete skips['media_type'];
  return skips;
}

/** The topic relation without its clusters. */
function writeTopic({ writer, folder, options, found: { features, blend } }: Filling): void {
  const profile = TOPIC_PROFILES[options.profile];
  writer.relation(topicRow(options));
  for (const [part, name] of partNames(options.parts).entries()) {
    const pages = features.partPageCounts[part]!;
    if (pages > 0) writer.part(TOPIC.id, name, pages);
  }
  if (profile.signature !== null) {
    writeSignatures(writer, TOPIC.id, SIGNATURES.read(folder), profile.signature.m);
  }
  const isOrdered = options.lend > 0 || (blend !== null && blend.page_count > 0);
  writeNeighbors(writer, TOPIC.id, isOrdered ? readOrdered(folder) : listsByWords(profile, folder));
}

function listsByWords({ topics }: TopicProfile, folder: WorkFolder) {
  return topics ? neighborsByVotes(folder) : readNeighbors(folder);
}

/** Returns how many clusters there are. */
function writeTopicClusters({ writer, folder, options, found }: Filling, bagBytes: number): number {
  const levels = loadLevels(folder, found.clusterCounts.length);
  saveCenterUrls(folder, levels);
  const urlsOf = (level: number) => centerUrls(folder, level);
  const { matrix, entries, close } = openBags(folder, bagBytes);
  try {
    const similarity =
      TOPIC_PROFILES[options.profile].signature === null
        ? similarityOfBags(matrix, entries)
        : similarityOfPairs(loadSimilarPairs(folder));
    return writeClusters(writer, TOPIC, folder, levels, similarity, urlsOf);
  } finally {
    close();
  }
}

/** What the joins measured of themselves. */
function measured(neighbors: NeighborReport | null, pairs: PairReport | null): Record<string, unknown> {
  return {
    ...(neighbors?.meanLength !== undefined && { mean_length: neighbors.meanLength }),
    ...(neighbors && {
      neighbors: {
        method: neighbors.method,
        ...storedRecall(neighbors),
        kinds: neighbors.kinds.map(({ kind, ...recall }) => ({ kind, ...storedRecall(recall) })),
      },
    }),
    ...(pairs && {
      pairs: {
        similarity: pairs.similarity,
        pair_count: pairs.pairCount,
        method: pairs.method,
        ...storedRecall(pairs),
      },
    }),
  };
}

function storedRecall({ recall, recallLow, recallHigh, sampleCount }: PairReport | MeasuredRecall) {
  return { recall, recall_low: recallLow, recall_high: recallHigh, sample_count: sampleCount };
}
