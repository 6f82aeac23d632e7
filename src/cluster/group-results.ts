/**
 * A ranked list with its copies folded together: each result joins the first group whose representative
 * it resembles, or opens a group of its own. Comparing with representatives alone keeps chains of small
 * changes from swallowing the list.
 *
 * Source  Broder, Glassman, Manasse, Zweig, WWW6 1997, section 5.2 ("clustering the results of a query").
 */
import { resemblanceFrom } from '../sketch/resemblance.ts';
import type { ShingleSketch } from '../sketch/shingle-sketch.ts';

export interface RankedResult {
  /** null where the page is not known: it stays alone. */
  readonly sketch: ShingleSketch | null;
}

interface RankGroup {
  /** Ranks (positions in the list) in ascending order; the first is the representative. */
  readonly ranks: readonly number[];
  /** Resemblance of each member to the representative, 1 for itself; null where it was not compared. */
  readonly resemblances: readonly (number | null)[];
  readonly hiddenCount: number;
  readonly unknown: boolean;
}

/**
 * Groups in the order of their representatives; `stands` is a second opinion on results that resemble each other.
 *
 * Cost  results times groups sketch merges, most of them cut short.
 */
export function groupResults<Result extends RankedResult>(
  results: readonly Result[],
  threshold = 0.5,
  stands: (first: Result, result: Result) => boolean = () => true,
): RankGroup[] {
  const groups: { ranks: number[]; resemblances: (number | null)[]; first: Result }[] = [];
  for (const [rank, result] of results.entries()) {
    let home = false;
    for (const group of groups) {
      const value = likeness(group.first, result, threshold);
      if (value === null || !stands(group.first, result)) continue;
      group.ranks.push(rank);
      group.resemblances.push(value);
      home = true;
      break;
    }
    if (!home) groups.push({ ranks: [rank], resemblances: [1], first: result });
  }
  return groups.map(({ ranks, resemblances, first }) => ({
    ranks,
    resemblances,
    hiddenCount: ranks.length - 1,
    unknown: first.sketch === null,
  }));
}

/** Null below `least`, and where one is not known. */
function likeness(a: RankedResult, b: RankedResult, least: number): number | null {
  return a.sketch === null || b.sketch === null ? null : resemblanceFrom(a.sketch, b.sketch, least);
}
