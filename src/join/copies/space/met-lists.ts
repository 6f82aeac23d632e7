/**
 * Lists of pages that share a shingle, in memory where they are one part, else in a file: then they are read again for one range
 * of pages after the other, as many at a time as there is room for.
 */
import { longer } from '../../../lib/columns/longer.ts';
import type { Groups } from '../../../lib/groups.ts';

/** Pages of list l: pages[starts[l]] .. pages[starts[l + 1] - 1], ascending, two at least. */
export interface PageLists {
  readonly pages: Uint32Array;
  readonly starts: Uint32Array;
}

/** Numbers that are written once, and read from the first on as often as is asked for. */
export interface NumberLog {
  append(numbers: Uint32Array): void;
  blocks(): Iterable<Uint32Array>;
}

/** The lists of some pages: what they have from the first of these pages on. */
export interface ListsOfRange extends PageLists {
  readonly from: number;
  readonly to: number;
}

export class MetLists {
  readonly #pageCount: number;
  readonly #log: NumberLog;
  readonly #mostEntries: number;
  #inMemory: PageLists = { pages: new Uint32Array(0), starts: new Uint32Array(1) };
  #isInFile = false;

  /** @param mostEntries at a time, unless one page alone needs more. */
  constructor(pageCount: number, log: NumberLog, mostEntries: number) {
    this.#pageCount = pageCount;
    this.#log = log;
    this.#mostEntries = mostEntries;
  }

  /** @param isAll whether there are no others. */
  add(lists: PageLists, isAll: boolean): void {
    if (isAll) this.#inMemory = lists;
    else if (lists.starts.length > 1) this.#write(lists);
  }

  #write({ pages, starts }: PageLists): void {
    this.#isInFile = true;
    const length = new Uint32Array(1);
    for (let list = 0; list + 1 < starts.length; list++) {
      length[0] = starts[list + 1]! - starts[list]!;
      this.#log.append(length);
      this.#log.append(pages.subarray(starts[list], starts[list + 1]));
    }
  }

  /** The lists of all pages, range by range. */
  *ranges(): IterableIterator<ListsOfRange> {
    if (!this.#isInFile) {
      yield { ...this.#inMemory, from: 0, to: this.#pageCount };
      return;
    }
    let width = this.#pageCount;
    for (let from = 0; from < this.#pageCount; ) {
      const lists = this.#read(from, Math.min(this.#pageCount, from + width));
      yield lists;
      width = 2 * (lists.to - from);
      from = lists.to;
    }
  }

  /** The lists of pages from `from` on, up to `wanted` or as many as there is room for. */
  #read(from: number, wanted: number): ListsOfRange {
    const kept = new KeptLists(from, wanted, this.#mostEntries);
    let list = new Uint32Array(1024);
    let length = 0;
    let size = 0;
    for (const numbers of this.#log.blocks()) {
      for (let at = 0; at < numbers.length; ) {
        if (length === 0) {
          length = numbers[at++]!;
          if (length > list.length) list = new Uint32Array(2 * length);
          continue;
        }
        const taken = Math.min(length - size, numbers.length - at);
        list.set(numbers.subarray(at, at + taken), size);
        at += taken;
        size += taken;
        if (size < length) continue;
        kept.offer(list.subarray(0, length));
        length = 0;
        size = 0;
      }
    }
    return kept.lists();
  }
}

/** Of lists that are offered, those that pages of a range have; the range becomes shorter where they are too many. */
class KeptLists {
  readonly #from: number;
  #to: number;
  readonly #mostEntries: number;
  #pages = new Uint32Array(1 << 12);
  #starts = new Uint32Array(1 << 10);
  #count = 0;

  constructor(from: number, to: number, mostEntries: number) {
    this.#from = from;
    this.#to = to;
    this.#mostEntries = mostEntries;
  }

  offer(list: Uint32Array): void {
    if (list.at(-1)! < this.#from) return;
    let first = 0;
    while (first < list.length && list[first]! < this.#from) first++;
    if (list.length - first < 2 || list[first]! >= this.#to) return;
    const start = this.#starts[this.#count]!;
    const end = start + list.length - first;
    if (end > this.#pages.length)
      this.#pages = longer(this.#pages, Math.max(end, Math.ceil(1.5 * this.#pages.length)));
    this.#pages.set(list.subarray(first), start);
    if (this.#count + 2 > this.#starts.length)
      this.#starts = longer(this.#starts, Math.max(this.#count + 2, Math.ceil(1.5 * this.#starts.length)));
    this.#starts[++this.#count] = end;
    while (this.#starts[this.#count]! > this.#mostEntries && this.#to - this.#from > 1) this.#halve();
  }

  /** Leaves out the second half of the pages. */
  #halve(): void {
    this.#to = this.#from + Math.ceil((this.#to - this.#from) / 2);
    let count = 0;
    let at = 0;
    for (let list = 0; list < this.#count; list++) {
      const [start, end] = [this.#starts[list]!, this.#starts[list + 1]!];
      if (this.#pages[start]! >= this.#to) continue;
      this.#pages.copyWithin(at, start, end);
      at += end - start;
      this.#starts[++count] = at;
    }
    this.#count = count;
  }

  lists(): ListsOfRange {
    const starts = this.#starts.subarray(0, this.#count + 1);
    return { from: this.#from, to: this.#to, pages: this.#pages.subarray(0, starts[this.#count]), starts };
  }
}

/** The lists of each page of the range, ascending. Not by groupBy(): the list of each entry would be an array more. */
export function listsByPage({ pages, starts, from, to }: ListsOfRange): Groups {
  const count = to - from;
  const pageStarts = new Uint32Array(count + 2);
  let size = 0;
  for (let i = 0; i < pages.length; i++) {
    if (pages[i]! >= to) continue;
    pageStarts[pages[i]! - from + 2]!++;
    size++;
  }
  for (let page = 0; page < count; page++) pageStarts[page + 2]! += pageStarts[page + 1]!;
  const members = new Uint32Array(size);
  for (let list = 0; list + 1 < starts.length; list++) {
    for (let i = starts[list]!; i < starts[list + 1]! && pages[i]! < to; i++)
      members[pageStarts[pages[i]! - from + 1]!++] = list;
  }
  return { starts: pageStarts.subarray(0, count + 1), members };
}
