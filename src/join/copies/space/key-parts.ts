/**
 * The keys of a collection by their hash, a part of them at a time, so that equal keys come together while only one part is in
 * memory. Where all keys are there, they are one part.
 */
import { longer } from '../../../lib/columns/longer.ts';
import { type NumberedKeys, numberRepeated } from '../../../sketch/marked-keys.ts';
import type { SketchSource } from '../../../sketch/sketch-source.ts';
import type { SketchTable } from '../../../sketch/sketch-table.ts';

/** The keys of all pages that are in the part, each page's ascending. */
interface KeyPart {
  readonly table: SketchTable;
  readonly numbered: NumberedKeys;
}

/** What is read of a source, once for each part. */
type KeyBlocks = Pick<SketchSource, 'pageCount' | 'limits' | 'shingleCounts' | 'table' | 'blocks'> & {
  /** As many as there are, or about. */
  readonly keyCount: number;
};

export class KeyParts {
  readonly #keys: KeyBlocks;
  readonly #partCount: number;
  #whole: KeyPart | null = null;

  /** @param partCount where the keys are not in memory. */
  constructor(keys: KeyBlocks, partCount: number) {
    this.#keys = keys;
    this.#partCount = partCount;
  }

  /** One part, kept; null where the keys are not in memory. */
  whole(): KeyPart | null {
    const { table } = this.#keys;
    if (this.#whole === null && table !== null) this.#whole = { table, numbered: numberRepeated(table.keys) };
    return this.#whole;
  }

  *[Symbol.iterator](): IterableIterator<KeyPart> {
    const whole = this.whole();
    if (whole !== null) {
      yield whole;
      return;
    }
    for (const table of this.tables()) yield { table, numbered: numberRepeated(table.keys) };
  }

  /** The same without numbers. */
  *tables(): IterableIterator<SketchTable> {
    if (this.#keys.table !== null) yield this.#keys.table;
    else for (let part = 0; part < this.#partCount; part++) yield this.#table(part);
  }

  #table(part: number): SketchTable {
    const { pageCount, keyCount, limits, shingleCounts } = this.#keys;
    // The lower half of a key is a hash of it.
    const width = 2 ** 32 / this.#partCount;
    const [least, end] = [Math.ceil(part * width), Math.ceil((part + 1) * width)];
    const offsets = new Float64Array(pageCount + 1);
    let keys = new Float64Array(Math.ceil(PART_ROOM * (keyCount / this.#partCount)) + LEAST_ROOM);
    let at = 0;
    for (const { first, table } of this.#keys.blocks()) {
      if (at + table.keys.length > keys.length)
        keys = longer(keys, Math.ceil(Math.max(at + table.keys.length, 1.25 * keys.length)));
      for (let page = 0; page < table.pageCount; page++) {
        at = copyBetween(table.keys, table.offsets[page]!, table.offsets[page + 1]!, least, end, keys, at);
        offsets[first + page + 1] = at;
      }
    }
    return { pageCount, offsets, keys: keys.subarray(0, at), limits, shingleCounts };
  }
}

/** Room for parts that are larger than others, and for a block of which all would be in one. */
const PART_ROOM = 1.05;
const LEAST_ROOM = 1 << 17;

/** Copies those of from[start] .. from[stop - 1] whose lower half is in a range; returns where they end. */
function copyBetween(
  from: Float64Array,
  start: number,
  stop: number,
  least: number,
  end: number,
  to: Float64Array,
  toStart: number,
): number {
  let at = toStart;
  for (let i = start; i < stop; i++) {
    const lower = from[i]! >>> 0;
    if (lower >= least && lower < end) to[at++] = from[i]!;
  }
  return at;
}
