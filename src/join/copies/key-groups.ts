/** Equal shingle keys brought together: the sort of the <shingle, page> entries. */

import { radixSort } from '../../lib/columns/radix-sort.ts';
import type { Groups } from '../../lib/groups.ts';

/**
 * Groups the entries 0..n-1 of `keys` by key. Entries ascend in each group.
 *
 * Cost  a radix sort of the low 32 bits; the few runs in which different keys share them are put right after.
 */
export function groupByKey(keys: Float64Array): Groups {
  const order = new Uint32Array(keys.length);
  const low = new Uint32Array(keys.length);
  for (let i = 0; i < keys.length; i++) {
    order[i] = i;
    low[i] = keys[i]! >>> 0;
  }
  radixSort(low, order);
  const starts = new Uint32Array(order.length + 1);
  let groupCount = 0;
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    let mixed = false;
    const first = keys[order[from]!]!;
    while (to < order.length && low[to] === low[from]) mixed = keys[order[to++]!]! !== first || mixed;
    if (mixed) order.subarray(from, to).sort((a, b) => keys[a]! - keys[b]! || a - b);
    for (let i = from; i < to; i++) {
      if (i === from || (mixed && keys[order[i]!]! !== keys[order[i - 1]!]!)) starts[groupCount++] = i;
    }
    from = to;
  }
  starts[groupCount] = order.length;
  return { members: order, starts: starts.slice(0, groupCount + 1) };
}
