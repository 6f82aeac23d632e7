/**
 * How lists agree with judgements that single pages of them should stand higher (better) or lower (worse).
 *
 *   list of a   b c d e        judged   c better, e better, b worse, x worse
 *   first 3     b c d          1 better and 1 worse shown: precision 1/2; of 2 better ones 1 is shown, of 2 worse ones 1
 *   order       c < e, x; b above c and e, x below all: of 4 pairs (better, worse) 2 agree, 2 are opposed
 *
 * Pages without a judgement say nothing. Callers judge what they were shown: a page that no list showed has no judgement,
 * so these figures compare lists of the pages that were shown once, and no more.
 */
import { type RatioInterval, ratioInterval } from '../lib/intervals/ratio-interval.ts';

/** For each page asked about, the judged pages: true for better. */
export type FeedbackOf<Page> = ReadonlyMap<Page, ReadonlyMap<Page, boolean>>;

export interface FeedbackAt {
  readonly k: number;
  /** Judged pairs of which the second is among the first k of the first. */
  readonly shownCount: number;
  /** Share of them that were judged better. */
  readonly precision: RatioInterval;
  /** Share of all pairs judged better that is shown. */
  readonly better: RatioInterval;
  /** The same of those judged worse. */
  readonly worse: RatioInterval;
}

export interface FeedbackOrder {
  readonly agreeing: number;
  readonly opposed: number;
  /** Neither of the two is in the list. */
  readonly tied: number;
  /** Share of agreeing among those that are distinguished; .5 by chance. */
  readonly agreement: RatioInterval;
}

/** Shape  `listOf` gives the neighbors of a page, nearest first. Ratios over nothing are NaN. */
export function judgeByFeedback<Page>(
  listOf: (page: Page) => readonly Page[],
  feedback: FeedbackOf<Page>,
  at: readonly number[],
): { readonly at: FeedbackAt[]; readonly order: FeedbackOrder } {
  const rows = [...feedback].map(([page, judged]) => {
    const list = listOf(page);
    const places = { better: [] as number[], worse: [] as number[] };
    for (const [other, isBetter] of judged) {
      const place = list.indexOf(other);
      places[isBetter ? 'better' : 'worse'].push(place < 0 ? Number.POSITIVE_INFINITY : place);
    }
    return places;
  });
  return { at: at.map((k) => judgeAt(rows, k)), order: judgeOrder(rows) };
}

/** Places in the list of one page, from 0; Infinity where the list does not have the page. */
interface Places {
  readonly better: readonly number[];
  readonly worse: readonly number[];
}

function judgeAt(rows: readonly Places[], k: number): FeedbackAt {
  const shown = (places: readonly number[]) => places.filter((place) => place < k).length;
  const better = rows.map((row) => shown(row.better));
  const worse = rows.map((row) => shown(row.worse));
  const both = better.map((count, i) => count + worse[i]!);
  return {
    k,
    shownCount: both.reduce((sum, count) => sum + count, 0),
    precision: ratioOver(better, both),
    better: ratioOver(
      better,
      rows.map((row) => row.better.length),
    ),
    worse: ratioOver(
      worse,
      rows.map((row) => row.worse.length),
    ),
  };
}

function judgeOrder(rows: readonly Places[]): FeedbackOrder {
  const counts = rows.map(({ better, worse }) => {
    let [agreeing, opposed, tied] = [0, 0, 0];
    for (const high of better) {
      for (const low of worse) {
        if (high < low) agreeing++;
        else if (high > low) opposed++;
        else tied++;
      }
    }
    return { agreeing, opposed, tied };
  });
  const sum = (name: 'agreeing' | 'opposed' | 'tied') => counts.reduce((all, one) => all + one[name], 0);
  return {
    agreeing: sum('agreeing'),
    opposed: sum('opposed'),
    tied: sum('tied'),
    agreement: ratioOver(
      counts.map(({ agreeing }) => agreeing),
      counts.map(({ agreeing, opposed }) => agreeing + opposed),
    ),
  };
}

/** Pages that have nothing to count are no part of the sample. */
function ratioOver(parts: readonly number[], wholes: readonly number[]): RatioInterval {
  const counted = (_: number, i: number) => wholes[i]! > 0;
  return ratioInterval(parts.filter(counted), wholes.filter(counted));
}
