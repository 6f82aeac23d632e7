import { KeyTable, key53 } from '../../../lib/keys/key-table.ts';
import { ByteWriter } from '../../files/records/bytes.ts';
import { type Window, writeWindow } from '../records/page-record.ts';

const HIGH = 2 ** 32;

/**
 * The anchor windows of a batch until it is through: one that several of its pages have, as the menus of a site are, goes on
 * once, with the captures that have it. Of 229,000 windows in a crawl of 12,000 pages 104,000 go on, of 44 MB 20.
 */
export class HeldWindows {
  readonly #out = new ByteWriter();
  #numbers = new KeyTable();
  /** Of each window: where it ends, the key of its target, the captures that have it. */
  #ends: number[] = [];
  #targets: number[] = [];
  #captures: number[][] = [];

  /** @param target `key53` of the URL. */
  add(window: Window, target: number, sequence: number): void {
    const key = keyOf(window, target);
    const number = this.#numbers.get(key, this.#ends.length);
    if (number < this.#ends.length) {
      this.#captures[number]!.push(sequence);
      return;
    }
    this.#numbers.set(key, number);
    writeWindow(this.#out, window);
    this.#ends.push(this.#out.length);
    this.#targets.push(target);
    this.#captures.push([sequence]);
  }

  /** Hands out what `writeWindow` wrote of each, and keeps none. */
  take(give: (window: Uint8Array, target: number, captures: readonly number[]) => void): void {
    if (this.#ends.length === 0) return;
    const bytes = this.#out.view();
    for (let i = 0; i < this.#ends.length; i++) {
      give(bytes.subarray(this.#ends[i - 1] ?? 0, this.#ends[i]), this.#targets[i]!, this.#captures[i]!);
    }
    this.#out.clear();
    this.#numbers = new KeyTable();
    this.#ends = [];
    this.#targets = [];
    this.#captures = [];
  }
}

/** 53 bits of all that makes a window, never 0. Its keys are well mixed already. */
function keyOf({ anchorText, words: { keys, tfs }, from, to }: Window, target: number): number {
  const text = key53(anchorText);
  let low = Math.imul(target ^ (target / HIGH), 0x9e3779b1) ^ text;
  let high = Math.imul(text / HIGH, 0x85ebca6b) ^ target;
  for (let i = from; i < to; i++) {
    const key = keys[i]!;
    low = Math.imul(((low << 5) | (low >>> 27)) ^ key, 0x9e3779b1) + tfs[i]!;
    high = Math.imul(((high << 11) | (high >>> 21)) ^ (key / HIGH) ^ low, 0xc2b2ae3d);
  }
  return (high & 0x1fffff) * HIGH + (low >>> 0) || 1;
}
