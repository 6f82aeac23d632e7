/**
 * The least number of tokens to insert, delete or replace that make one text of another (Levenshtein).
 *
 * For each number of edits, and each diagonal of the table of prefixes, only the furthest prefix is kept that so many edits reach;
 * runs of equal tokens cost no edit. So near texts of any length are cheap, and the band is as wide as the distance.
 *
 * Cost    O(distance squared), and the runs of equal tokens on these diagonals: at most `MAX_STEPS`, some 20 ms.
 * Source  Ukkonen, Algorithms for approximate string matching, 1985; Landau and Vishkin 1989.
 */
import type { TokenSequence } from '../../text/token-sequence.ts';

const MAX_STEPS = 4_000_000;
const UNREACHED = -2;

interface EditDistance {
  readonly value: number;
  /** False where the search was cut: then the distance is `value` or more. */
  readonly exact: boolean;
}

/** Shape  `a` and `b` are two sequences, not one read twice. */
export function editDistance(a: TokenSequence, b: TokenSequence, maxSteps = MAX_STEPS): EditDistance {
  const [n, m] = [a.count, b.count];
  const least = Math.abs(n - m);
  // A distance above the square root takes more than `maxSteps`, unless one text is far shorter.
  const most = Math.min(Math.max(n, m), Math.ceil(Math.sqrt(maxSteps)) + 1);
  if (least > most) return { value: least, exact: false };
  // reached[at(d)]: the longest prefix of a from which the edits so far reach the prefix of b that is d longer.
  const at = (diagonal: number) => diagonal + most + 1;
  let before = new Int32Array(2 * most + 3).fill(UNREACHED);
  let reached = before.slice();
  let steps = 0;
  for (let edits = 0; edits <= most; edits++) {
    for (let d = Math.max(-n, -edits); d <= Math.min(m, edits); d++) {
      const further = Math.max(before[at(d - 1)]!, before[at(d)]! + 1, before[at(d + 1)]! + 1);
      const from = edits === 0 ? 0 : Math.min(further, n, m - d);
      let i = from;
      while (i < n && i + d < m && a.low[i] === b.low[i + d] && a.high[i] === b.high[i + d]) i++;
      reached[at(d)] = i;
      steps += 1 + i - from;
      if (steps > maxSteps) return { value: Math.max(edits, least), exact: false };
    }
    if (least <= edits && reached[at(m - n)] === n) return { value: edits, exact: true };
    [before, reached] = [reached, before];
  }
  return { value: most + 1, exact: false };
}
