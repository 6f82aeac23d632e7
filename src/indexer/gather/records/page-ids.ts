import { NONE } from '../../../lib/columns/indexes.ts';
import { sortFirst } from '../../../lib/columns/sort-first.ts';
import { KeyTable, key53 } from '../../../lib/keys/key-table.ts';
import type { WorkFiles } from '../../files/work-folder.ts';
import type { Aliases } from './answers/aliases.ts';
import { pageUrls } from './collapsed-pages.ts';

/** URL key to page id; aliases lead to the page that speaks for them. */
export function pageIds(folder: WorkFiles, aliases: Aliases, pageCount: number): KeyTable {
  const ids = new KeyTable(pageCount + aliases.size);
  let id = 0;
  for (const url of pageUrls(folder)) ids.set(key53(url), id++);
  for (const [url, to] of aliases.all()) {
    const target = ids.get(key53(to), NONE);
    if (target !== NONE) ids.set(key53(url), target);
  }
  return ids;
}

/** Page ids of the link targets that lie in the index, ascending, each once, the page itself left out. */
export function targetsOf(links: Float64Array, ids: KeyTable, self: number): Uint32Array {
  const targets = new Uint32Array(links.length);
  let count = 0;
  for (const key of links) {
    const target = ids.get(key, NONE);
    if (target !== NONE && target !== self) targets[count++] = target;
  }
  sortFirst(targets, count);
  return targets.subarray(0, unique(targets.subarray(0, count)));
}

/** Moves the distinct ones of ascending numbers to the front; returns how many. */
export function unique(numbers: Uint32Array | Float64Array): number {
  let count = 0;
  for (let i = 0; i < numbers.length; i++) {
    if (i === 0 || numbers[i] !== numbers[i - 1]) numbers[count++] = numbers[i]!;
  }
  return count;
}
