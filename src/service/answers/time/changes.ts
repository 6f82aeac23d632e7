import type { IndexReader } from '../../../store/read/reader.ts';
import type { CaptureRecord } from '../../../store/records.ts';
import { sixDecimals } from '../../http/six-decimals.ts';
import { passedByTest } from '../../reads/passed-by.ts';
import { CHANGES, type Change } from '../../schemas/answers/time-answers.ts';
import { changeBetween } from './change.ts';

/** Bins of a tenth, and one for a resemblance of 1. */
const BINS = 11;

/** How the pages of an index, or of one site, changed from capture to capture. */
interface Tally {
  pageCount: number;
  goneCount: number;
  unseenCount: number;
  addedCount: number;
  readonly changes: Record<Change, number>;
  readonly bins: number[];
}

/**
 * How pages change, over the whole index and site by site, the sites of most comparisons first. Every two
 * consecutive captures of a page are one comparison.
 *
 * Cost  a few look-ups a page, and two sketches a change; one page in memory at a time.
 */
export function changesAnswer(reader: IndexReader) {
  const sweeps = reader.sweeps();
  const isPassedBy = passedByTest(sweeps);
  const whole = emptyTally();
  const bySite = new Map<string, Tally>();
  for (const { id, url, site, fetched } of reader.pages()) {
    if (!fetched) continue;
    let ofSite = bySite.get(site);
    if (ofSite === undefined) bySite.set(site, (ofSite = emptyTally()));
    const captures = reader.captures(id);
    countPage(reader, captures, sweeps[0]?.id, [whole, ofSite]);
    const isGone = reader.isGone(id);
    const isUnseen = !isGone && isPassedBy(url, captures.at(-1)!.sweepId);
    for (const tally of [whole, ofSite]) {
      if (isGone) tally.goneCount++;
      else tally.pageCount++;
      if (isUnseen) tally.unseenCount++;
    }
  }
  const sites = [...bySite]
    .map(([site, tally]) => ({ site, ...summaryOf(tally) }))
    .sort((x, y) => y.comparison_count - x.comparison_count || (x.site < y.site ? -1 : 1));
  return {
    generation: reader.generation,
    sweeps: sweeps.map(({ name }) => name),
    total: summaryOf(whole),
    sites,
  };
}

function emptyTally(): Tally {
  const changes = Object.fromEntries(CHANGES.map((name) => [name, 0])) as Record<Change, number>;
  return {
    pageCount: 0,
    goneCount: 0,
    unseenCount: 0,
    addedCount: 0,
    changes,
    bins: new Array(BINS).fill(0),
  };
}

function countPage(
  { versions }: IndexReader,
  captures: readonly CaptureRecord[],
  firstSweepId: number | undefined,
  tallies: readonly Tally[],
): void {
  for (const tally of tallies) {
    if (captures[0]?.sweepId !== firstSweepId) tally.addedCount++;
    tally.changes.first++;
  }
  for (let i = 1; i < captures.length; i++) {
    const before = captures[i - 1]!.versionId;
    const after = captures[i]!.versionId;
    const change = before === after ? null : changeBetween(versions.get(before), versions.get(after));
    const resemblance = change?.figures.resemblance.value ?? 1;
    for (const tally of tallies) {
      tally.changes[change?.changed ?? 'identical']++;
      tally.bins[Math.floor(resemblance * 10)]!++;
    }
  }
}

function summaryOf({ pageCount, goneCount, unseenCount, addedCount, changes, bins }: Tally) {
  const { first: _first, ...compared } = changes;
  const comparisonCount = Object.values(compared).reduce((sum, count) => sum + count, 0);
  const { identical, lexically_equal: lexicallyEqual, shingle_equal: shingleEqual } = compared;
  const unchanged = identical + lexicallyEqual + shingleEqual;
  return {
    page_count: pageCount,
    /** Pages that the first sweep did not have; found gone or leading elsewhere; met no more by a sweep that came by. */
    added_count: addedCount,
    gone_count: goneCount,
    not_seen_since_count: unseenCount,
    comparison_count: comparisonCount,
    /** Share of comparisons that found the same shingles; null where there was none. */
    unchanged_share: comparisonCount === 0 ? null : sixDecimals(unchanged / comparisonCount),
    changes: compared,
    resemblance_histogram: bins.map((count, i) => ({ from: i / 10, to: Math.min(1, (i + 1) / 10), count })),
  };
}

export type ChangesAnswer = ReturnType<typeof changesAnswer>;
export type ChangeSummary = ReturnType<typeof summaryOf>;
