/**
 * The copy relation of a collection, from sketches to clusters: templates out, join, second opinions, components.
 *
 * Pages here are folded ones: of pages with equal shingle sets the first stands for all.
 * Source  Broder, Glassman, Manasse, Zweig, WWW6 1997, section 4.
 */
import { componentsOf } from '../cluster/union-find.ts';
import { overlapOf } from '../sketch/resemblance.ts';
import { type SketchTable, sketchAt } from '../sketch/sketch-table.ts';
import { checkPairs, type PageFacts, type PairCheckReport } from './pair-checks.ts';
import {
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
  readonly join: ShingleJoinOptions;
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
  /** Uint32Array(n): the smallest page of each page's component. */
  readonly roots: Uint32Array;
  readonly report: ShingleJoinReport & PairCheckReport & TemplateReport & { readonly pairCount: number };
}

const NO_TEMPLATES: TemplateReport = {
  templateShingleCount: 0,
  removedEntryCount: 0,
  strippedPageCount: 0,
  sparedPageCount: 0,
};

/**
 * Pairs at or above the threshold of `options.join`, and the components they make.
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
  return {
    table: stripped.table,
    templates,
    pairs: checked.pairs,
    roots: componentsOf(whole.pageCount, checked.pairs.a, checked.pairs.b),
    report: { ...stripped.report, ...joined.report, ...checked.report, pairCount: checked.pairs.a.length },
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

/** Resemblance of two pages of a table as it is stored; 1 of a page to itself. */
export function storedResemblance(
  table: SketchTable,
  a: number,
  b: number,
): { shared: number; total: number } {
  const { shared, ofA, ofB } = overlapOf(sketchAt(table, a), sketchAt(table, b));
  return storedFraction(shared, ofA + ofB - shared);
}
