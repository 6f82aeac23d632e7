/**
 * How many pairs of one site only its template makes alike: they reach the threshold, and do not without what is template.
 *
 * Template brings no pages together, so a join meets few of them. All pairs of a site are compared here where those are
 * few, else samples of them until the count is known well enough.
 *
 * Cost  3 us a pair compared, of a crawl some 16,000.
 */
import { NONE } from '../../lib/columns/indexes.ts';
import { NumberColumn } from '../../lib/columns/number-column.ts';
import { groupBy } from '../../lib/groups.ts';
import { Random } from '../../lib/random.ts';
import type { SketchSource } from '../../sketch/sketch-source.ts';
import type { KnownPages, PageKnowledge } from './pages-at-hand.ts';
import { differ, isCopy } from './pair-checks.ts';
import type { ShingleJoinOptions } from './sketch-comparison.ts';
import { PageBatches } from './space/page-batches.ts';
import { markedAt, sharedTemplate } from './template-shingles.ts';

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

/** Of the pairs of pages with template, those that it alone makes alike. Shape  counts Uint32Array(n): template keys a page. */
export function countTemplatePairs(
  source: SketchSource,
  knowledge: PageKnowledge,
  counts: Uint32Array,
  siteOfPage: Uint32Array,
  join: ShingleJoinOptions,
  mostKeys = Number.POSITIVE_INFINITY,
  mostCompared = MOST_COMPARED,
): TemplatePairs {
  const { siteCount, pagesOf } = pagesOfSites(counts, siteOfPage);
  // ends[i]: pairs of the sites up to and with the i-th.
  const ends = new Float64Array(siteCount);
  let pairCount = 0;
  for (let site = 0; site < siteCount; site++) {
    const n = pagesOf(site).length;
    ends[site] = pairCount += (n * (n - 1)) / 2;
  }
  let count = 0;
  const batches = new PageBatches(source, mostKeys, (at, { a, b }) => {
    const known = knowledge.of(at);
    for (let i = 0; i < a.length; i++) if (isAlikeByTemplate(known, a[i]!, b[i]!, join)) count++;
  });
  if (pairCount <= mostCompared) {
    for (let site = 0; site < siteCount; site++) {
      const pages = pagesOf(site);
      for (const [i, a] of pages.entries()) {
        for (let j = i + 1; j < pages.length; j++) batches.add(a, pages[j]!, 0);
      }
    }
    batches.flush();
    return { templatePairCount: count, templatePairError: 0 };
  }
  const random = new Random(pairCount);
  const { pageCount } = source;
  const draw = () => {
    const place = (random.nextUint32() / 2 ** 32) * pairCount;
    const pages = pagesOf(firstAbove(ends, place));
    const first = random.below(pages.length);
    const second = random.below(pages.length - 1);
    return pages[first]! * pageCount + pages[second < first ? second : second + 1]!;
  };
  for (let compared = 0; ; ) {
    const size = Math.min(mostCompared - compared, Math.max(compared, LEAST_COMPARED));
    const drawn = new Float64Array(size).map(draw);
    // Those of one page one after the other: its keys are made ready once.
    for (const pair of drawn.sort()) batches.add(Math.floor(pair / pageCount), pair % pageCount, 0);
    batches.flush();
    compared += size;
    const share = count / compared;
    // Of pairs that all agree, the next one need not.
    const error = Math.sqrt(Math.max(share * (1 - share), 1 / compared) / compared);
    const isKnown = count > 0 && error <= WANTED_ERROR * share;
    if (isKnown || compared === mostCompared) {
      return { templatePairCount: Math.round(share * pairCount), templatePairError: error * pairCount };
    }
  }
}

function isAlikeByTemplate(
  { table, overlaps, marks, facts: { languageOfPage } }: KnownPages,
  a: number,
  b: number,
  join: ShingleJoinOptions,
): boolean {
  if (languageOfPage !== undefined && differ(languageOfPage[a]!, languageOfPage[b]!)) return false;
  const overlap = overlaps.of(a, b);
  if (overlap === null) return false;
  const [left, right] = [markedAt(table, marks!, a), markedAt(table, marks!, b)];
  const template = sharedTemplate(left, right);
  return !isCopy({ ...overlap, limitOfA: left.limit, limitOfB: right.limit, template }, join);
}

/** The pages with template of each site, ascending; sites in the order of their first one. */
function pagesOfSites(counts: Uint32Array, siteOfPage: Uint32Array) {
  const places = new NumberColumn(Uint32Array, NONE);
  const siteOf = new Uint32Array(counts.length).fill(NONE);
  let siteCount = 0;
  for (let page = 0; page < counts.length; page++) {
    if (counts[page] === 0) continue;
    const site = siteOfPage[page]!;
    if (places.get(site) === NONE) places.set(site, siteCount++);
    siteOf[page] = places.get(site);
  }
  const { starts, members } = groupBy(siteOf, siteCount);
  return { siteCount, pagesOf: (site: number) => members.subarray(starts[site], starts[site + 1]) };
}

/** The first of ascending numbers that is above another. */
function firstAbove(ends: Float64Array, place: number): number {
  let low = 0;
  let high = ends.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ends[middle]! > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
