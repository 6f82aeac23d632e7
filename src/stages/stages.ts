import { bagStage } from './bag.ts';
import { collapseStage } from './collapse.ts';
import { compareStage } from './compare.ts';
import { copyFigureStage } from './copy-figure.ts';
import { extractStage } from './extract.ts';
import { featureHashStage } from './feature-hash.ts';
import { markStage } from './mark.ts';
import { meetStage } from './meet.ts';
import { memberSimilarityStage } from './member-similarity.ts';
import { resembleStage } from './resemble.ts';
import { settleStage } from './settle.ts';
import { shardStage } from './shard.ts';
import { sharedTitlesStage, shownTitleStage } from './shared-titles.ts';
import { shinglesStage } from './shingles.ts';
import { signatureStage } from './signature.ts';
import type { Stage } from './stage.ts';
import { topicsStage } from './topics.ts';
import { truthStage } from './truth.ts';
import { votesStage } from './votes.ts';
import { windowsStage } from './windows.ts';

/** Every stage that `akin stage` runs, in the order of a build. */
export const STAGES: readonly Stage[] = [
  extractStage,
  settleStage,
  windowsStage,
  collapseStage,
  featureHashStage,
  bagStage,
  signatureStage,
  compareStage,
  truthStage,
  votesStage,
  copyFigureStage,
  memberSimilarityStage,
  sharedTitlesStage,
  shownTitleStage,
  shardStage,
  markStage,
  shinglesStage,
  meetStage,
  resembleStage,
  topicsStage,
].map((stage) => stage as unknown as Stage);
