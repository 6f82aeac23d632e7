import { type Groups, groupBy } from '../../lib/groups.ts';
import type { PairColumns } from './pair-columns.ts';
import { PairLog } from './pair-log.ts';
import { mergePairRuns, type RunStore } from './pair-runs.ts';

/**
 * Every pair of pages a < b with its similarity, sorted by (a, b), pages with equal bags written out; `blocks` are the
 * pairs of a join, whose representatives and sums of bags the other two are.
 *
 * Cost    a sort where there are equal bags, in memory as far as the store allows, all of it where that is null.
 */
export function* eachPair(
  blocks: Iterable<PairColumns>,
  representative: Uint32Array,
  sums: Uint16Array,
  store: RunStore | null,
): IterableIterator<[a: number, b: number, similarity: number]> {
  if (representative.every((owner, page) => owner === page)) {
    for (const { a, b, shared, total } of blocks) {
      for (let i = 0; i < a.length; i++) yield [a[i]!, b[i]!, shared[i]! / total[i]!];
    }
    return;
  }
  const log = new PairLog(representative.length, store);
  writeOut(blocks, groupBy(representative, representative.length), sums, log);
  for (const { a, b, shared } of mergePairRuns(log.take(), representative.length, store)) {
    for (let i = 0; i < a.length; i++) {
      yield [a[i]!, b[i]!, shared[i]! / (sums[a[i]!]! + sums[b[i]!]! - shared[i]!)];
    }
  }
}

function writeOut(
  blocks: Iterable<PairColumns>,
  { starts, members }: Groups,
  sums: Uint16Array,
  log: PairLog,
): void {
  for (const { a, b, shared } of blocks) {
    for (let i = 0; i < a.length; i++) {
      for (let m = starts[a[i]!]!; m < starts[a[i]! + 1]!; m++) {
        for (let n = starts[b[i]!]!; n < starts[b[i]! + 1]!; n++) {
          log.push(Math.min(members[m]!, members[n]!), Math.max(members[m]!, members[n]!), shared[i]!);
        }
      }
    }
  }
  for (let owner = 0; owner < sums.length; owner++) {
    for (let m = starts[owner]!; m < starts[owner + 1]!; m++) {
      for (let n = m + 1; n < starts[owner + 1]!; n++) log.push(members[m]!, members[n]!, sums[owner]!);
    }
  }
}
