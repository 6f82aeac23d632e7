import { firstNotBelow } from '../../../lib/sorted.ts';
import type { ByteReader } from '../../files/records/bytes.ts';

/** Word counts of one page after the other, read into arrays that stay: a new array costs more than its numbers. */
export class CountsBuffer {
  length = 0;
  keys = new Float64Array(1024);
  /** Whole numbers, but for weights of features of one's own. */
  tfs = new Float64Array(1024);
  /** Where the counts are of a page's own words: the `formHash` of each. */
  forms = new Uint32Array(1024);
  #keyBytes = new Uint8Array(this.keys.buffer);

  #fit(length: number): void {
    if (length <= this.keys.length) return;
    const { keys, tfs, forms } = this;
    this.keys = new Float64Array(2 * length);
    this.tfs = new Float64Array(2 * length);
    this.forms = new Uint32Array(2 * length);
    this.#keyBytes = new Uint8Array(this.keys.buffer);
    this.keys.set(keys);
    this.tfs.set(tfs);
    this.forms.set(forms);
  }

  /** Makes room for `length` counts that are pushed one by one. */
  clear(length: number): void {
    this.length = 0;
    this.#fit(length);
  }

  push(key: number, tf: number): void {
    this.keys[this.length] = key;
    this.tfs[this.length++] = tf;
  }

  /** Takes what `writeCounts` wrote. */
  read(from: ByteReader): void {
    this.length = from.varint();
    this.#fit(this.length);
    from.into(this.#keyBytes, 8 * this.length);
    for (let i = 0; i < this.length; i++) this.tfs[i] = from.varint();
  }

  /** The same with the forms behind them. */
  readWithForms(from: ByteReader): void {
    this.read(from);
    from.into(new Uint8Array(this.forms.buffer), 4 * this.length);
  }

  /** Adds counts whose keys are distinct to these, whose keys are ascending; the new ones go behind. */
  addDistinct(other: CountsBuffer): void {
    const sorted = this.length;
    this.#fit(sorted + other.length);
    for (let i = 0; i < other.length; i++) {
      const at = firstNotBelow(this.keys, other.keys[i]!, 0, sorted);
      if (at < sorted && this.keys[at] === other.keys[i]) {
        this.tfs[at]! += other.tfs[i]!;
      } else {
        this.keys[this.length] = other.keys[i]!;
        this.tfs[this.length++] = other.tfs[i]!;
      }
    }
  }
}
