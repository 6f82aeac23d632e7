import { copyFigureStage } from './copies/copy-figure.ts';
import { foldStage } from './copies/fold.ts';
import { markStage } from './copies/mark.ts';
import { meetStage } from './copies/meet.ts';
import { resembleStage } from './copies/resemble.ts';
import { shinglesStage } from './copies/shingles.ts';
import { compareStage } from './neighbors/compare.ts';
import { memberSimilarityStage } from './neighbors/member-similarity.ts';
import { recallStage } from './neighbors/recall.ts';
import { signatureStage } from './neighbors/signature.ts';
import { topicCenterStage } from './neighbors/topic-center.ts';
import { topicsStage } from './neighbors/topics.ts';
import { truthStage } from './neighbors/truth.ts';
import { votesStage } from './neighbors/votes.ts';
import { bagStage } from './pages/bag.ts';
import { collapseStage } from './pages/collapse.ts';
import { decideStage } from './pages/decide.ts';
import { extractStage } from './pages/extract.ts';
import { featureHashStage } from './pages/feature-hash.ts';
import { termStage } from './pages/term.ts';
import { windowsStage } from './pages/windows.ts';
import type { Stage } from './record/stage.ts';
import { shardStage } from './shards/shard.ts';
import { sharedTitlesStage, shownTitleStage } from './shards/shared-titles.ts';

/** Every stage that `akin-stage` runs, in the order of a build. */
export const STAGES: readonly Stage[] = [
  extractStage,
  decideStage,
  windowsStage,
  collapseStage,
  termStage,
  featureHashStage,
  bagStage,
  signatureStage,
  compareStage,
  truthStage,
  recallStage,
  votesStage,
  copyFigureStage,
  memberSimilarityStage,
  sharedTitlesStage,
  shownTitleStage,
  shardStage,
  foldStage,
  markStage,
  shinglesStage,
  meetStage,
  resembleStage,
  topicsStage,
  topicCenterStage,
].map((stage) => stage as unknown as Stage);
