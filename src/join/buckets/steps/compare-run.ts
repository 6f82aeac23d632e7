import { TILE_ROWS } from '../space/join-scratch.ts';
import type { JoinThread } from '../space/join-thread.ts';
import { BAGS_COMPARED, ROWS_COMPARED } from '../space/join-thread.ts';
import { bound, find, offer } from '../space/neighbor-heaps.ts';
import { agreementNeeded } from '../space/row-filter.ts';
import type { RunVisitor } from './split-buckets.ts';

/**
 * Compares the pages of a run all with all and keeps each one's nearest.
 *
 * The row filter lets a pair through where it could enter either heap; what gets through is compared exactly.
 * A run above TILE_ROWS is cut into tiles, and only pages of one tile meet: for the nearest pages a sample of
 * a crowd does, refinement finds the rest.
 */
export function neighborVisitor(thread: JoinThread): RunVisitor {
  return {
    isFull: () => false,
    visit(pages, from, to) {
      const tiles = Math.ceil((to - from) / TILE_ROWS);
      for (let tile = 0; tile < tiles; tile++) {
        const start = from + Math.floor(((to - from) * tile) / tiles);
        const stop = from + Math.floor(((to - from) * (tile + 1)) / tiles);
        compareTile(thread, pages, start, stop);
      }
    },
  };
}

function compareTile(thread: JoinThread, pages: Uint32Array, from: number, to: number): void {
  const { space, words, table } = thread;
  const { heaps, floor } = space;
  const { sums } = space.bags;
  const size = to - from;
  const list = thread.at('list');
  const out = thread.at('out');
  for (let i = 0; i < size; i++) words[(list >>> 2) + i] = pages[from + i]!;
  const count = thread.kernel.rowPairs(list, size, 0, space.rows, space.needs, thread.at('tile'), out);
  thread.count(ROWS_COMPARED, (size * (size - 1)) / 2);
  let compared = 0;
  for (let i = 0; i < count; i++) {
    const pair = words[(out >>> 2) + i]!;
    const a = pages[from + (pair >>> 16)]!;
    const b = pages[from + (pair & 0xffff)]!;
    const slotA = find(heaps, a, b);
    const slotB = find(heaps, b, a);
    if (slotA >= 0 && slotB >= 0) continue;
    let similarity: number;
    if (slotA >= 0) similarity = heaps.similarities[slotA]!;
    else if (slotB >= 0) similarity = heaps.similarities[slotB]!;
    else {
      const sumOfBoth = sums[a]! + sums[b]!;
      table.load(a);
      const shared = table.overlap(b);
      compared++;
      if (shared <= 0) continue;
      similarity = shared / (sumOfBoth - shared);
    }
    if (similarity < floor) continue;
    if (slotA < 0) keep(thread, a, b, similarity);
    if (slotB < 0) keep(thread, b, a, similarity);
  }
  thread.count(BAGS_COMPARED, compared);
}

/** Offers a neighbor, and raises the page's threshold of the row filter with its bound. */
export function keep(thread: JoinThread, page: number, id: number, similarity: number): void {
  const { heaps, needs, floor } = thread.space;
  if (!offer(heaps, page, id, similarity)) return;
  if (heaps.counts[page]! < heaps.k) return;
  thread.bytes[needs + page] = agreementNeeded(thread.agreements, bound(heaps, page, floor));
}
