import type { FoundBlend } from '../../relations/meaning.ts';
import type { FoundFeatures } from '../../relations/own-features.ts';
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
import { findVectors, type VectorReport } from './lists/vectors.ts';
import { findFeatureCopies } from './own-features.ts';
import { type ClassReport, placeClasses } from './page-classes.ts';
import { filterCandidates, generateCandidates, signPages, sortSimilarPairs } from './similar-pairs.ts';
import { findThresholdPairs, type PairReport } from './threshold-pairs.ts';

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
  let neighbors: NeighborReport | null = null;
  let pairs: PairReport | null = null;
  let pairCount: number;
  if (signature === null) {
    neighbors = await stages.run(
      'neighbors',
      { unit: 'pages', total: pageCount },
      (progress) =>
        options.kernel === 'bm25'
          ? findBm25Neighbors(folder, options, resources, partPageCounts, progress)
          : findNeighbors(
              folder,
              { ...options, formerIndex, makeRoom: async (bytes) => beside?.makeRoom(bytes) },
              resources,
              progress,
            ),
      (report) => report.pairCount,
    );
    ({ pairCount } = neighbors);
    const similarity = options.pairSimilarity;
    if (similarity !== null) {
      pairs = await stages.run<PairReport>(
        'pairs',
        { unit: 'pages', total: pageCount },
        () => findThresholdPairs(folder, similarity, options, resources),
        (report) => report.pairCount,
      );
    }
  } else {
    await stages.run(
      'signatures',
      { unit: 'pages', total: pageCount },
      (progress) => signPages(folder, signature.m, options.seed, progress),
      () => pageCount,
    );
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
  const placed =
    options.classes === null || !TOPIC_PROFILES[options.profile].topics
      ? null
      : await stages.run(
          'classes',
          { unit: 'pages', total: pageCount },
          () => placeClasses(folder, options.classes!, pageCount),
          (report) => report.pageCount,
        );
  const clusterCounts = await stages.run(
    'clusters',
    { unit: 'pages', total: pageCount },
    () => findClusters(folder, options),
    (counts) => counts.reduce((sum, count) => sum + count, 0),
  );
  beside?.nameClusters(clusterCounts.length);
  if (placed !== null) {
    const figures = await stages.run(
      'class figures',
      { unit: 'pages', total: pageCount },
      () => measureClasses(folder, options),
      (report) => report.heldOutCount,
    );
    classes = { ...placed, ...figures };
  }

  const copies = !options.copies
    ? null
    : await stages.run<CopyReport>(
        'copies',
        { unit: 'pages', total: pageCount },
        async (progress) =>
          (await beside?.copies()) ?? findCopies(folder, options, resources.memoryBytes, progress),
        (found) => found.pairCount,
      );
  const ownFeatures =
    !options.copies || !hasFeatures
      ? null
      : await stages.run<FoundFeatures>(
          'own features',
          { unit: 'pages', total: pageCount },
          () => findFeatureCopies(folder, copyParameters(options).threshold),
          (found) => found.pair_count,
        );
  const vectors = !hasVectors
    ? null
    : await stages.run<VectorReport>(
        'vectors',
        { unit: 'pages', total: pageCount },
        (progress) => findVectors(folder, options, resources, progress),
        (report) => report.pairCount,
      );
  if (options.lend > 0 && signature === null) {
    await stages.run(
      'lend',
      { unit: 'pages', total: pageCount },
      (progress) => lendWords(folder, options, resources.memoryBytes, progress),
      () => pageCount,
    );
  }
  let blend: FoundBlend | null = null;
  if (options.meaningShare > 0 && TOPIC_PROFILES[options.profile].signature === null) {
    const found = vectors?.found ?? [];
    const which = requireVectors(found, options, firstNewSweep > 1);
    blend =
      which < 0
        ? { vectors: options.meaningVectors, share: options.meaningShare, scale: 0, page_count: 0 }
        : await stages.run<FoundBlend>(
            'blend',
            { unit: 'pages', total: pageCount },
            (progress) =>
              blendLists(folder, options, resources.memoryBytes, found[which]!, which, pageCount, progress),
            () => pageCount,
          );
  }
  return { neighbors, pairs, pairCount, clusterCounts, classes, copies, ownFeatures, vectors, blend };
}
