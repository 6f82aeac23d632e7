/**
 * The copy relation of a collection, from sketches to clusters: templates out, join, second opinions, components at as
 * many thresholds as are asked for.
 *
 * Pages here are folded ones: of pages with equal shingle sets the first stands for all.
 * Source  Broder, Glassman, Manasse, Zweig, WWW6 1997, section 4.
 */
import { overlapOf } from '../../sketch/resemblance.ts';
import type { ShingleSketch } from '../../sketch/shingle-sketch.ts';
import type { SketchTable } from '../../sketch/sketch-table.ts';
import { type CopyClustering, clusterRoots, containedPairs } from './copy-clusterings.ts';
import { checkPairs, type PageFacts, type PairCheckReport } from './pair-checks.ts';
import {
  type CopyMeasure,
  type CopyPairs,
  joinShingles,
  type ShingleJoinOptions,
  type ShingleJoinReport,
} from './shingle-join.ts';
import {
  findTemplates,
  stripTemplates,
  type TemplateOptions,
  type TemplateReport,
  type Templates,
} from './template-shingles.ts';

export interface CopyRelationOptions {
  /** Of the pairs that are kept, by resemblance. */
  readonly join: ShingleJoinOptions;
  /** Thresholds of resemblance not below that of `join`. */
  readonly clusterings: readonly CopyClustering[];
  /** Null: templates count as any text. */
  readonly template: TemplateOptions | null;
  /** Bits of 384; see pair-checks.ts. */
  readonly sameSiteAgreement: number;
  readonly sure: number;
}

export interface CopyRelation {
  /** The sketches that were compared, without templates. */
  readonly table: SketchTable;
  readonly templates: Templates;
  readonly pairs: CopyPairs;
  /** For each clustering Uint32Array(n): the smallest page of each page's component. */
  readonly roots: readonly Uint32Array[];
  readonly report: CopyRelationReport;
}

export interface CopyRelationReport extends ShingleJoinReport, PairCheckReport, TemplateReport {
  readonly pairCount: number;
  /** Pairs at or above the least threshold of containment; 0 where no clustering asks for it. */
  readonly containedPairCount: number;
}

const NO_TEMPLATES: TemplateReport = {
  templateShingleCount: 0,
  removedEntryCount: 0,
  strippedPageCount: 0,
  sparedPageCount: 0,
};

/**
 * Pairs at or above the threshold of `options.join`, and the components they make at each clustering.
 *
 * The keys of `whole` are written over where templates are taken out: what is compared is in the result.
 */
export function relateCopies(
  whole: SketchTable,
  facts: PageFacts,
  options: CopyRelationOptions,
): CopyRelation {
  const { template } = options;
  const templates: Templates =
    template === null ? new Map() : findTemplates(whole, facts.siteOfPage, template, options.join.partCount);
  const stripped =
    template === null
      ? { table: whole, report: NO_TEMPLATES }
      : stripTemplates(whole, facts.siteOfPage, templates, template.minimumKeys, whole.keys);
  const joined = joinShingles(stripped.table, options.join);
  const checked = checkPairs(joined.pairs, facts, options.sameSiteAgreement, options.sure);
  const contained = containedPairs(stripped.table, facts, options.join, options.clusterings);
  return {
    table: stripped.table,
    templates,
    pairs: checked.pairs,
    roots: options.clusterings.map((clustering) =>
      clusterRoots(
        stripped.table,
        clustering.measure === 'containment' ? contained : checked.pairs,
        clustering,
      ),
    ),
    report: {
      ...stripped.report,
      ...joined.report,
      ...checked.report,
      pairCount: checked.pairs.a.length,
      containedPairCount: contained.a.length,
    },
  };
}

/** Resemblance as the fraction that is stored: both numbers below 2^16, halved together where they are not. */
export function storedFraction(shared: number, total: number): { shared: number; total: number } {
  let [numerator, denominator] = [shared, total];
  while (denominator > 0xffff) {
    numerator = Math.floor(numerator / 2);
    denominator = Math.floor(denominator / 2);
  }
  return { shared: numerator, total: denominator };
}

/** A figure of two sketches as it is stored: resemblance, or the greater of both containments. */
export function storedFigure(
  a: ShingleSketch,
  b: ShingleSketch,
  measure: CopyMeasure,
): { shared: number; total: number } {
  const { shared, ofA, ofB } = overlapOf(a, b);
  return storedFraction(shared, measure === 'resemblance' ? ofA + ofB - shared : Math.min(ofA, ofB));
}
