/** Options and results of an evaluation; shares and similarities are in 0..1, null where a figure has no meaning. */

import type { SizeBin } from '../../evaluate/histogram.ts';
import type { ListQualityAt } from '../../evaluate/judge-lists.ts';
import type { ClusterQuality } from '../../evaluate/v-measure.ts';
import type { SharedBands } from '../../join/printed/s-curve.ts';
import type { RelationRecord, StageRecord } from '../../store/records.ts';
import type { JudgementFacts, Separator } from './judgements.ts';

export interface EvaluationOptions {
  readonly at: readonly number[];
  /** The least grade that is relevant; null for any above 0. */
  readonly relevantFrom: number | null;
  readonly sampleSize: number;
  readonly seed: number;
  /** `auto` looks at the labels. */
  readonly separator: Separator | null | 'auto';
}

export interface EvaluationReport {
  readonly index: {
    readonly path: string;
    readonly generation: string;
    readonly akinVersion: string;
    readonly pageCount: number;
    readonly fetchedPageCount: number;
    readonly relation: RelationRecord;
  };
  readonly judgements: JudgementFacts;
  readonly queryCount: number;
  /** Queries without a relevant page in the index, of the least grade that is relevant. */
  readonly hopelessCount: number;
  readonly neighbors: readonly ListQualityAt[];
  /** What to read first: how many of the nearest pages are relevant, against chance. */
  readonly verdict: string;
  readonly examples: ExamplesReport;
  readonly recall: RecallReport | null;
  readonly gamma: GammaReport | null;
  readonly clusters: readonly ClusterLevelReport[];
  readonly similarities: readonly SimilarityReport[];
  /** Null where the profile of the index makes no signatures, and of lists by vectors. */
  readonly sCurve: SCurveReport | null;
  readonly stages: readonly StageRecord[];
  /** How the figures are computed, for the reader of the report. */
  readonly notes: readonly string[];
}

export interface ExamplesReport {
  /** Neighbors of a page that are judged and shown. */
  readonly k: number;
  readonly best: readonly PageExample[];
  readonly worst: readonly PageExample[];
}

/** A page and its nearest pages, nearest first. */
export interface PageExample {
  readonly url: string;
  readonly title: string;
  readonly neighbors: readonly {
    readonly url: string;
    readonly title: string;
    readonly similarity: number;
    /** Null where nothing was judged. */
    readonly isRelevant: boolean | null;
  }[];
}

export interface RecallReport {
  readonly k: number;
  readonly sampleCount: number;
  readonly seed: number;
  /** Share of the exact k nearest at or above the floor that the stored lists hold. */
  readonly recall: number;
  /** Exact neighbors of all sampled pages. */
  readonly wantedCount: number;
}

export interface GammaReport {
  readonly separator: string;
  readonly sourceCount: number;
  readonly pageCount: number;
  readonly seed: number;
  readonly gamma: number;
  /** The same among pages of the source's class and its siblings. */
  readonly siblingGamma: number;
  /** Share of the pairs of different distance that similarity ties; mostly pages that share no word. */
  readonly tiedShare: number;
}

export interface ClusterLevelReport {
  /** 0 is the finest. */
  readonly level: number;
  readonly clusterCount: number;
  readonly largest: number;
  /** Share of all pages that are the only one of their cluster. */
  readonly aloneShare: number;
  /** The same of the labelled pages; null for judged pairs, as all that follow. */
  readonly labelledAloneShare: number | null;
  readonly quality: ClusterQuality | null;
  /** Against the first step of labels that are paths. */
  readonly topQuality: ClusterQuality | null;
  readonly sizes: readonly SizeBin[];
}

export interface SimilarityReport {
  /** 1 is the nearest. */
  readonly rank: number;
  readonly pageCount: number;
  readonly median: number;
  /** Equal bins over 0..1. */
  readonly counts: readonly number[];
}

export interface SCurveReport extends SharedBands {
  /** By similarity: l independent choices; l choices among the same m values, behind the filter. */
  readonly theory: readonly { similarity: number; independent: number; shared: number }[];
  /** Of the pairs of sampled pages, by exact similarity. */
  readonly measured: readonly { similarity: number; found: number; pairCount: number }[];
}
