import type { OrLater } from '../../lib/or-later.ts';
import type { Reads } from './reads.ts';

/**
 * Each item with what is read of it, in order, for a list that is walked until enough is found: reads are asked for
 * together, as many as `reads.readAhead` says, then as many as there were before.
 */
export async function* ahead<Item, Value>(
  { readAhead }: Pick<Reads, 'readAhead'>,
  items: ArrayLike<Item>,
  read: (item: Item) => OrLater<Value>,
): AsyncGenerator<readonly [item: Item, value: Value]> {
  for (let from = 0; from < items.length; ) {
    const size = readAhead === 1 ? 1 : Math.max(readAhead, from);
    const some = Array.from({ length: Math.min(size, items.length - from) }, (_, i) => items[from + i]!);
    const values = await Promise.all(some.map(read));
    for (const [i, item] of some.entries()) yield [item, values[i]!];
    from += some.length;
  }
}
