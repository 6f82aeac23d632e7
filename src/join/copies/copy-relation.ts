/**
 * The copy relation of a collection, from sketches to clusters: templates, join, second opinions, components at as
 * many thresholds as are asked for.
 *
 * Pages here are folded ones: of pages with equal shingle sets the first stands for all.
 * Source  Broder, Glassman, Manasse, Zweig, WWW6 1997, section 4.
 */

import { listIn } from '../../lib/kept.ts';
import { reachesShare } from '../../lib/reaches-share.ts';
import { overlapOf } from '../../sketch/resemblance.ts';
import type { ShingleSketch } from '../../sketch/shingle-sketch.ts';
import type { SketchSource } from '../../sketch/sketch-source.ts';
import type { SketchTable } from '../../sketch/sketch-table.ts';
import { type CopyClustering, clusterRoots } from './copy-clusterings.ts';
import {
  type CopyFactSource,
  comparisonOf,
  type KnownPages,
  markPages,
  NO_TEMPLATES,
  PageKnowledge,
} from './pages-at-hand.ts';
import { type CopyPairs, checkPairs, noChecks, type PairCheckReport } from './pair-checks.ts';
import {
  type ListedPages,
  listPages,
  listReport,
  meetPages,
  type SharedPairs,
  type ShingleJoinReport,
} from './shingle-join.ts';
import type { CopyMeasure, ShingleJoinOptions, SketchComparison } from './sketch-comparison.ts';
import { type CopyRoom, WHOLE_ROOM } from './space/copy-memory.ts';
import { KeyParts } from './space/key-parts.ts';
import type { NumberLog } from './space/met-lists.ts';
import { type MetPairs, PageBatches } from './space/page-batches.ts';
import { countTemplatePairs, NO_TEMPLATE_PAIRS, type TemplatePairs } from './template-pairs.ts';
import {
  findTemplates,
  markTemplates,
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

/** The phases of Broder et al., section 7, behind sketches and the elimination of duplicates. */
export type CopyPhase = 'shingles' | 'pairs' | 'clusters';

/** Where the pairs of a relation go, in the order of (a, b), and are read again; and what lists need beside memory. */
export interface CopyStore {
  readonly lists: NumberLog;
  readonly pairs: { append(pairs: CopyPairs): void; blocks(): Iterable<CopyPairs> };
}

/**
 * Pairs at or above the threshold of `options.join`, left in the store, and the components they make at each clustering. `begins`
 * is called where a phase begins. The rows are the same in any room.
 */
export function relateCopies(
  source: SketchSource,
  facts: CopyFactSource,
  options: CopyRelationOptions,
  store: CopyStore,
  room: CopyRoom = WHOLE_ROOM,
  begins: (phase: CopyPhase) => void = () => {},
): CopyRelation {
  const { template, join } = options;
  const { siteOfPage } = facts;
  begins('shingles');
  const parts = new KeyParts(
    { ...source, blocks: () => source.blocks(), keyCount: keyCountOf(source) },
    room.partCount,
  );
  const templates: Templates = template === null ? new Map() : findAllTemplates(parts, siteOfPage, template);
  const knowledge = new PageKnowledge(
    parts,
    facts,
    join,
    template === null ? null : templates,
    template?.minimumKeys,
  );
  const marks =
    template === null ? null : markPages(source, knowledge, siteOfPage, templates, template.minimumKeys);
  const silent =
    marks === null
      ? undefined
      : (part: SketchTable) => {
          const ofPart =
            part === source.table
              ? knowledge.of({ table: part, pages: null }).marks!
              : markTemplates(part, siteOfPage, templates);
          return silentEntries(part, ofPart.isTemplate, marks.isBare);
        };
  const listed = listPages(source, parts, join, room, store.lists, silent);
  begins('pairs');
  const found = new FoundPairs(listed, options, store);
  const batches = new PageBatches(source, room.batchKeys, (at, met) =>
    found.add(knowledge.of(at), at.pages, met),
  );
  const candidateCount = meetPages(listed, source.pageCount, (a, b, count) => batches.add(a, b, count));
  batches.flush();
  const templatePairs =
    marks === null
      ? NO_TEMPLATE_PAIRS
      : countTemplatePairs(source, knowledge, marks.counts, siteOfPage, join, room.batchKeys);
  begins('clusters');
  const { pairCount, containedPairCount, ...compared } = found.report;
  return {
    templates,
    roots: clusterRoots(source, store.pairs.blocks(), options.clusterings),
    report: {
      ...(marks?.report ?? NO_TEMPLATES),
      ...listReport(listed, source),
      candidateCount,
      ...compared,
      ...templatePairs,
      pairCount,
      containedPairCount,
    },
  };
}

function keyCountOf({ offsets, pageCount }: SketchSource): number {
  return offsets[pageCount]!;
}

/** Templates of all sites, from parts of the keys. */
function findAllTemplates(parts: KeyParts, siteOfPage: Uint32Array, options: TemplateOptions): Templates {
  const whole = parts.whole();
  if (whole !== null) return findTemplates(whole.table, siteOfPage, options, whole.numbered);
  const ofSites = new Map<number, number[]>();
  for (const { table, numbered } of parts) {
    for (const [site, keys] of findTemplates(table, siteOfPage, options, numbered)) {
      const known = listIn(ofSites, site);
      for (const key of keys) known.push(key);
    }
  }
  const sorted = [...ofSites].sort(([a], [b]) => a - b);
  return new Map(sorted.map(([site, keys]) => [site, Float64Array.from(keys).sort()]));
}

/** Template brings no pages together, but those that are hardly anything else. */
function silentEntries({ offsets }: SketchTable, isTemplate: Uint8Array, isBare: Uint8Array): Uint8Array {
  const isSilent = isTemplate.slice();
  for (const [page, bare] of isBare.entries()) {
    if (bare === 1) isSilent.fill(0, offsets[page], offsets[page + 1]);
  }
  return isSilent;
}

/** Compares pages that met, and keeps the pairs that stand. */
class FoundPairs {
  readonly report = {
    comparedCount: 0,
    pairCount: 0,
    containedPairCount: 0,
    ...noChecks(),
  };
  readonly #listed: ListedPages;
  readonly #options: CopyRelationOptions;
  readonly #store: CopyStore;
  #whole: SketchComparison | null = null;

  constructor(listed: ListedPages, options: CopyRelationOptions, store: CopyStore) {
    this.#listed = listed;
    this.#options = options;
    this.#store = store;
  }

  add(known: KnownPages, pages: Uint32Array | null, met: MetPairs): void {
    const { report } = this;
    const { join } = this.#options;
    const comparison =
      (pages === null ? this.#whole : null) ?? comparisonOf(known, pages, join, this.#listed);
    if (pages === null) this.#whole = comparison;
    const before = comparison.comparedCount;
    const compared = comparePairs(comparison, met);
    report.comparedCount += comparison.comparedCount - before;
    const { table, marks, facts } = known;
    const checked = checkPairs(table, compared, marks, facts, { ...join, ...this.#options });
    for (const name of CHECKED) report[name] += checked.report[name];
    const { pairs } = checked;
    report.pairCount += pairs.a.length;
    report.containedPairCount += containedPairs(pairs, join.threshold);
    if (pages !== null) {
      for (const ends of [pairs.a, pairs.b]) for (const [i, place] of ends.entries()) ends[i] = pages[place]!;
    }
    this.#store.pairs.append(pairs);
  }
}

const CHECKED = Object.keys(noChecks()) as (keyof PairCheckReport)[];

function comparePairs(comparison: SketchComparison, { a, b, counts }: MetPairs): SharedPairs {
  const found = {
    a: new Uint32Array(a.length),
    b: new Uint32Array(a.length),
    shared: new Uint32Array(a.length),
    ofA: new Uint32Array(a.length),
    ofB: new Uint32Array(a.length),
  };
  let count = 0;
  for (let i = 0; i < a.length; i++) {
    const overlap = comparison.compare(a[i]!, b[i]!, counts[i]!);
    if (overlap === null) continue;
    found.a[count] = a[i]!;
    found.b[count] = b[i]!;
    found.shared[count] = overlap.shared;
    found.ofA[count] = overlap.ofA;
    found.ofB[count++] = overlap.ofB;
  }
  return {
    a: found.a.subarray(0, count),
    b: found.b.subarray(0, count),
    shared: found.shared.subarray(0, count),
    ofA: found.ofA.subarray(0, count),
    ofB: found.ofB.subarray(0, count),
  };
}

function containedPairs({ shared, ofA, ofB }: CopyPairs, threshold: number): number {
  let count = 0;
  for (let i = 0; i < shared.length; i++) {
    if (!reachesShare(shared[i]!, ofA[i]! + ofB[i]! - shared[i]!, threshold)) count++;
  }
  return count;
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
