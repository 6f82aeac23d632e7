/**
 * How many pairs of one site only its template makes alike: they reach the threshold, and do not without what is template.
 *
 * Template brings no pages together, so a join meets few of them. All pairs of a site are compared here where those are
 * few, else samples of them until the count is known well enough.
 *
 * Cost  3 us a pair compared, of a crawl some 16,000.
 */
import { Random } from '../../lib/random.ts';
import type { SketchTable } from '../../sketch/sketch-table.ts';
import { type CopyFacts, differ, isCopy } from './pair-checks.ts';
import { CopyOverlaps, type ShingleJoinOptions } from './sketch-comparison.ts';
import { markedAt, sharedTemplate, type TemplateMarks } from './template-shingles.ts';

/** Pairs compared at most. */
const MOST_COMPARED = 2 ** 17;
/** Those of the first sample; each further one is as large as all before. */
const LEAST_COMPARED = 2 ** 13;
/** A count is good enough with a standard error of this share of it. */
const WANTED_ERROR = 0.02;

export interface TemplatePairs {
  readonly templatePairCount: number;
  /** Standard error of the count; 0 where all pairs were compared. */
  readonly templatePairError: number;
}

export const NO_TEMPLATE_PAIRS: TemplatePairs = { templatePairCount: 0, templatePairError: 0 };

/** Of the pairs of pages with template, those that it alone makes alike. */
export function countTemplatePairs(
  table: SketchTable,
  marks: TemplateMarks,
  { siteOfPage, languageOfPage }: CopyFacts,
  join: ShingleJoinOptions,
  mostCompared = MOST_COMPARED,
  overlaps = new CopyOverlaps(table, join),
): TemplatePairs {
  const marked = [...siteOfPage.keys()].filter((page) => marks.counts[page]! > 0);
  const sites = [...Map.groupBy(marked, (page) => siteOfPage[page]!).values()];
  // ends[i]: pairs of the sites up to and with the i-th.
  let pairCount = 0;
  const ends = sites.map(({ length: n }) => (pairCount += (n * (n - 1)) / 2));
  const isCounted = (a: number, b: number): boolean => {
    if (languageOfPage !== undefined && differ(languageOfPage[a]!, languageOfPage[b]!)) return false;
    const overlap = overlaps.of(a, b);
    if (overlap === null) return false;
    const [left, right] = [markedAt(table, marks, a), markedAt(table, marks, b)];
    const template = sharedTemplate(left, right);
    return !isCopy({ ...overlap, limitOfA: left.limit, limitOfB: right.limit, template }, join);
  };
  let count = 0;
  if (pairCount <= mostCompared) {
    for (const pages of sites) {
      for (const [i, a] of pages.entries()) {
        for (let j = i + 1; j < pages.length; j++) if (isCounted(a, pages[j]!)) count++;
      }
    }
    return { templatePairCount: count, templatePairError: 0 };
  }
  const random = new Random(pairCount);
  const { pageCount } = table;
  const draw = () => {
    const place = (random.nextUint32() / 2 ** 32) * pairCount;
    const pages = sites[ends.findIndex((end) => place < end)]!;
    const first = random.below(pages.length);
    const second = random.below(pages.length - 1);
    return pages[first]! * pageCount + pages[second < first ? second : second + 1]!;
  };
  for (let compared = 0; ; ) {
    const size = Math.min(mostCompared - compared, Math.max(compared, LEAST_COMPARED));
    const drawn = new Float64Array(size).map(draw);
    // Those of one page one after the other: its keys are made ready once.
    for (const pair of drawn.sort()) if (isCounted(Math.floor(pair / pageCount), pair % pageCount)) count++;
    compared += size;
    const share = count / compared;
    const error = Math.sqrt((share * (1 - share)) / compared);
    const isKnown = count > 0 && error <= WANTED_ERROR * share;
    if (isKnown || compared === mostCompared) {
      return { templatePairCount: Math.round(share * pairCount), templatePairError: error * pairCount };
    }
  }
}
