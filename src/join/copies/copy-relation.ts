/**
 * The copy relation of a collection, from sketches to clusters: templates, join, second opinions, components at as
 * many thresholds as are asked for.
 *
 * Pages here are folded ones: of pages with equal shingle sets the first stands for all.
 * Source  Broder, Glassman, Manasse, Zweig, WWW6 1997, section 4.
 */
import { overlapOf } from '../../sketch/resemblance.ts';
import type { ShingleSketch } from '../../sketch/shingle-sketch.ts';
import type { SketchTable } from '../../sketch/sketch-table.ts';
import { type CopyClustering, clusterRoots } from './copy-clusterings.ts';
import { type CopyFacts, type CopyPairs, checkPairs, type PairCheckReport } from './pair-checks.ts';
import { joinShingles, type ShingleJoinReport } from './shingle-join.ts';
import { type CopyMeasure, CopyOverlaps, type ShingleJoinOptions } from './sketch-comparison.ts';
import { countTemplatePairs, NO_TEMPLATE_PAIRS, type TemplatePairs } from './template-pairs.ts';
import {
  findTemplates,
  markTemplates,
  type TemplateMarks,
  type TemplateOptions,
  type TemplateReport,
  type Templates,
} from './template-shingles.ts';

export interface CopyRelationOptions {
  readonly join: ShingleJoinOptions;
  /** Thresholds not below that of `join`. */
  readonly clusterings: readonly CopyClustering[];
  /** Null: templates count as any text. */
  readonly template: TemplateOptions | null;
  /** Bits of 384; see pair-checks.ts. */
  readonly sameSiteAgreement: number;
  readonly sure: number;
}

export interface CopyRelation {
  readonly templates: Templates;
  readonly pairs: CopyPairs;
  /** For each clustering Uint32Array(n): the smallest page of each page's component. */
  readonly roots: readonly Uint32Array[];
  readonly report: CopyRelationReport;
}

export interface CopyRelationReport
  extends ShingleJoinReport,
    PairCheckReport,
    TemplateReport,
    TemplatePairs {
  readonly pairCount: number;
  /** Pairs of which one page is in the other, and that do not resemble each other as much. */
  readonly containedPairCount: number;
}

const NO_TEMPLATES: TemplateReport = {
  templateShingleCount: 0,
  templateEntryCount: 0,
  templatePageCount: 0,
  barePageCount: 0,
};

/** The phases of Broder et al., section 7, behind sketches and the elimination of duplicates. */
export type CopyPhase = 'shingles' | 'pairs' | 'clusters';

/**
 * Pairs at or above the threshold of `options.join`, and the components they make at each clustering. `begins` is called
 * where a phase begins.
 */
export function relateCopies(
  table: SketchTable,
  facts: CopyFacts,
  options: CopyRelationOptions,
  begins: (phase: CopyPhase) => void = () => {},
): CopyRelation {
  const { template, join } = options;
  begins('shingles');
  const overlaps = new CopyOverlaps(table, join);
  const templates: Templates =
    template === null ? new Map() : findTemplates(table, facts.siteOfPage, template, overlaps.numbered());
  const marks =
    template === null ? null : markTemplates(table, facts.siteOfPage, templates, template.minimumKeys);
  const silent = marks === null ? undefined : silentEntries(table, marks);
  const joined = joinShingles(table, join, silent, undefined, () => begins('pairs'), overlaps);
  const checked = checkPairs(table, joined.pairs, marks, facts, { ...join, ...options });
  const templatePairs =
    marks === null ? NO_TEMPLATE_PAIRS : countTemplatePairs(table, marks, facts, join, undefined, overlaps);
  begins('clusters');
  return {
    templates,
    pairs: checked.pairs,
    roots: options.clusterings.map((clustering) => clusterRoots(table, checked.pairs, clustering)),
    report: {
      ...(marks?.report ?? NO_TEMPLATES),
      ...joined.report,
      ...checked.report,
      ...templatePairs,
      pairCount: checked.pairs.a.length,
      containedPairCount: containedPairs(checked.pairs, join.threshold),
    },
  };
}

function containedPairs({ shared, ofA, ofB }: CopyPairs, threshold: number): number {
  let count = 0;
  for (let i = 0; i < shared.length; i++) {
    if (shared[i]! < threshold * (ofA[i]! + ofB[i]! - shared[i]!)) count++;
  }
  return count;
}

/** Template brings no pages together, but those that are hardly anything else. */
function silentEntries({ offsets }: SketchTable, { isTemplate, isBare }: TemplateMarks): Uint8Array {
  const isSilent = isTemplate.slice();
  for (const [page, bare] of isBare.entries()) {
    if (bare === 1) isSilent.fill(0, offsets[page], offsets[page + 1]);
  }
  return isSilent;
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

/** Of two pages whose sketches agree in so many of their keys. */
export function pairFigure(shared: number, ofA: number, ofB: number): { shared: number; total: number } {
  return storedFraction(shared, ofA + ofB - shared);
}

/** Of equal pages: they are equal however little was sampled of them. */
export function equalFigure(keyCount: number): { shared: number; total: number } {
  return storedFraction(Math.max(1, keyCount), Math.max(1, keyCount));
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
