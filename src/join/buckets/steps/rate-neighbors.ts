import { keptIn } from '../../../lib/kept.ts';
import { type EntrySpan, JaccardNearness } from '../../pairs/nearness.ts';
import { UNIT_PAGES } from '../space/join-space.ts';
import type { JoinThread } from '../space/join-thread.ts';
import { ID_BITS, overlapAtSimilarity } from '../space/neighbor-heaps.ts';

const pairOf = new WeakMap<JoinThread, JaccardNearness>();

/** Works out how near the neighbors of the unit's pages are, of the pages in the order of their leaders, slot by slot. */
export function rateHeaps(thread: JoinThread, unit: number): void {
  const { heaps, nearness, order, bags } = thread.space;
  const { k, counts, ids, similarities } = heaps;
  const pair = keptIn(pairOf, thread, () => new JaccardNearness());
  const last = Math.min(order.length, (unit + 1) * UNIT_PAGES);
  for (let at = unit * UNIT_PAGES; at < last; at++) {
    const page = order[at]!;
    if (counts[page] === 0) continue;
    pair.take(bagOf(thread, page));
    for (let slot = page * k, end = slot + counts[page]!; slot < end; slot++) {
      const id = ids[slot]! & ID_BITS;
      const sumOfBoth = bags.sums[page]! + bags.sums[id]!;
      const shared = overlapAtSimilarity(similarities[slot]!, sumOfBoth);
      nearness[slot] = pair.of(bagOf(thread, id), shared / (sumOfBoth - shared));
    }
  }
}

/** Holds until the next one is asked for. */
function bagOf({ space, entries }: JoinThread, page: number): EntrySpan {
  const { starts, ends, sums } = space.bags;
  const size = ends[page]! - starts[page]!;
  const start = entries.locate(starts[page]!, ends[page]!);
  const { features, weights } = entries;
  return { features, weights, sum: sums[page]!, start, end: start + size };
}
