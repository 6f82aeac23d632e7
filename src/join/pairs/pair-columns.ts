/**
 * What a join of all pages finds: pairs in columns, and how complete they are.
 *
 *   a       0   0   3        pages with equal bags are one: `representative` names the first of them,
 *   b       3   7   7        and pairs stand between these first pages only
 *   shared  60  12  40       similarity = shared / total: .5, .1, .25
 *   total   120 120 160
 */
import type { Crew } from '../../lib/crew.ts';
import type { CollapsedBags } from '../bags/collapse-equal-bags.ts';
import type { PairBlock, PairRun } from './pair-runs.ts';

/** Pairs of representatives a < b, sorted by (a, b); the similarity is the exact fraction shared / total. */
export interface PairColumns {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly shared: Uint16Array;
  readonly total: Uint16Array;
}

/** What a join says of itself, besides its pairs. */
export interface JoinReport {
  readonly method: 'exact' | 'buckets';
  /** Uint32Array(n): the first page with an equal bag, itself for most; a page without words is like no other. */
  readonly representative: Uint32Array;
  /** Share of the pairs that was found and its 95 % interval, 1 where exact; null where the pages sampled had none. */
  readonly recall: number | null;
  readonly recallLow: number | null;
  readonly recallHigh: number | null;
  /** Pages that recall was measured on; 0 where exact. */
  readonly sampleCount: number;
  /** 0 where exact. */
  readonly repetitions: number;
  /** Runs of pairs that waited in the store of the crew. */
  readonly storedRunCount: number;
  /** Reads of entries that are not in memory. */
  readonly entryReadCount: number;
}

/** What of a join went by way of the disk. */
export async function diskUse(
  crew: Crew,
  runs: readonly PairRun[],
): Promise<Pick<JoinReport, 'storedRunCount' | 'entryReadCount'>> {
  return {
    storedRunCount: runs.filter(({ keys }) => typeof keys === 'string').length,
    entryReadCount: await entryReads(crew),
  };
}

/** Reads of entries by all threads of a join. */
export async function entryReads(crew: Crew): Promise<number> {
  const counts = (await crew.gather('countReads')) as number[];
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The first page of each page's group; pages without words are each their own. */
export function representatives(collapsed: CollapsedBags): Uint32Array {
  const { groupOf, bags } = collapsed;
  return groupOf.map((group, page) => (bags.sums[group] === 0 ? page : firstPage(collapsed, group)));
}

/** Pairs of groups as pairs of their first pages. Groups are in the order of these, so the order stays. */
export function namePages({ a, b, shared }: PairBlock, collapsed: CollapsedBags): PairColumns {
  const { sums } = collapsed.bags;
  const total = new Uint16Array(a.length);
  for (let i = 0; i < a.length; i++) {
    total[i] = sums[a[i]!]! + sums[b[i]!]! - shared[i]!;
    a[i] = firstPage(collapsed, a[i]!);
    b[i] = firstPage(collapsed, b[i]!);
  }
  return { a, b, shared, total };
}

function firstPage({ members, starts }: CollapsedBags, group: number): number {
  return members[starts[group]!]!;
}
