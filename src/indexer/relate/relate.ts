import type { FoundBlend } from '../../relations/meaning.ts';
import { TOPIC_PROFILES } from '../../relations/topic.ts';
import type { StageRunner } from '../files/stage-runner.ts';
import type { ExtractReport } from '../gather/extract/extract-report.ts';
import type { CopyOptions, ShapingOptions, TopicOptions } from '../options/build-options.ts';
import { copyParameters } from '../options/copy-parameters.ts';
import type { FeatureTable } from '../weigh/frequencies.ts';
import { findClusters, measureClasses } from './clusters.ts';
import type { CopyReport } from './copies.ts';
import { findCopies } from './copies.ts';
import { blendLists, requireVectors } from './lists/blend.ts';
import { findBm25Neighbors } from './lists/bm25-neighbors.ts';
import { lendWords } from './lists/lend.ts';
import { findNeighbors, type NeighborOptions, type NeighborReport } from './lists/neighbors.ts';
import { findVectors } from './lists/vectors.ts';
import { findFeatureCopies } from './own-features.ts';
import { type ClassReport, placeClasses } from './page-classes.ts';
import { filterCandidates, generateCandidates, signPages, sortSimilarPairs } from './similar-pairs.ts';
import { findThresholdPairs, type PairReport } from './threshold-pairs.ts';

type Progress = (done: number) => void;

/** What other threads do meanwhile. */
interface Beside {
  copies(): Promise<CopyReport>;
  makeRoom(bytes: number): Promise<void>;
  nameClusters(levelCount: number): void;
}

/** Finds how pages are related: by topic, which are copies, unless another thread finds that, which by own features, and whose vectors are near. */
export async function relate(
  options: TopicOptions & CopyOptions & Pick<ShapingOptions, 'parts'>,
  stages: StageRunner,
  pageCount: number,
  { partPageCounts }: Pick<FeatureTable, 'partPageCounts'>,
  beside: Beside | null,
  {
    hasFeatures,
    hasVectors,
    firstNewSweep,
    formerIndex,
  }: Pick<ExtractReport, 'hasFeatures' | 'hasVectors' | 'firstNewSweep'> &
    Pick<NeighborOptions, 'formerIndex'>,
) {
  const { folder, resources } = stages;
  const { signature } = TOPIC_PROFILES[options.profile];
  const overPages = <Result>(
    name: string,
    work: (progress: Progress) => Result | Promise<Result>,
    recordCount: (result: Result) => number,
  ) => stages.run(name, { unit: 'pages', total: pageCount }, work, recordCount);
  const pairsOf = (report: { readonly pairCount: number }) => report.pairCount;
  let neighbors: NeighborReport | null = null;
  let pairs: PairReport | null = null;
  let pairCount: number;
  if (signature === null) {
    const makeRoom = async (bytes: number) => beside?.makeRoom(bytes);
    const search = { ...options, formerIndex, makeRoom };
    const find = (progress: Progress) =>
      options.kernel === 'bm25'
        ? findBm25Neighbors(folder, options, resources, partPageCounts, progress)
        : findNeighbors(folder, search, resources, progress);
    neighbors = await overPages('neighbors', find, pairsOf);
    ({ pairCount } = neighbors);
    const similarity = options.pairSimilarity;
    if (similarity !== null) {
      const findPairs = () => findThresholdPairs(folder, similarity, options, resources);
      pairs = await overPages('pairs', findPairs, pairsOf);
    }
  } else {
    const sign = (progress: Progress) => signPages(folder, signature.m, options.seed, progress);
    await overPages('signatures', sign, () => pageCount);
    const steps = [
      ['pair generation', () => generateCandidates(folder, signature, options.seed)],
      ['pair filter', () => filterCandidates(folder, signature.m, options)],
      ['pair sort', () => sortSimilarPairs(folder, options.neighborLimit)],
    ] as const;
    pairCount = 0;
    for (const [name, step] of steps) {
      pairCount = await stages.run(name, { unit: 'pairs', total: null }, step, (count) => count);
    }
  }

  let classes: ClassReport | null = null;
  const given = TOPIC_PROFILES[options.profile].topics ? options.classes : null;
  const place = () => placeClasses(folder, given!, pageCount);
  const placed = given === null ? null : await overPages('classes', place, (report) => report.pageCount);
  const clusterCounts = await overPages(
    'clusters',
    () => findClusters(folder, options),
    (counts) => counts.reduce((sum, count) => sum + count, 0),
  );
  beside?.nameClusters(clusterCounts.length);
  if (placed !== null) {
    const measure = () => measureClasses(folder, options);
    classes = { ...placed, ...(await overPages('class figures', measure, (report) => report.heldOutCount)) };
  }

  const compare = async (progress: Progress) =>
    (await beside?.copies()) ?? findCopies(folder, options, resources.memoryBytes, progress);
  const copies = options.copies ? await overPages('copies', compare, pairsOf) : null;
  const compareFeatures = () => findFeatureCopies(folder, copyParameters(options).threshold);
  const ownFeatures =
    options.copies && hasFeatures
      ? await overPages('own features', compareFeatures, (found) => found.pair_count)
      : null;
  const compareVectors = (progress: Progress) => findVectors(folder, options, resources, progress);
  const vectors = hasVectors ? await overPages('vectors', compareVectors, pairsOf) : null;
  if (options.lend > 0 && signature === null) {
    const lend = (progress: Progress) => lendWords(folder, options, resources.memoryBytes, progress);
    await overPages('lend', lend, () => pageCount);
  }
  let blend: FoundBlend | null = null;
  if (options.meaningShare > 0 && TOPIC_PROFILES[options.profile].signature === null) {
    const found = vectors?.found ?? [];
    const which = requireVectors(found, options, firstNewSweep > 1);
    const mix = (progress: Progress) =>
      blendLists(folder, options, resources.memoryBytes, found[which]!, which, pageCount, progress);
    blend =
      which < 0
        ? { vectors: options.meaningVectors, share: options.meaningShare, scale: 0, page_count: 0 }
        : await overPages('blend', mix, () => pageCount);
  }
  return { neighbors, pairs, pairCount, clusterCounts, classes, copies, ownFeatures, vectors, blend };
}
