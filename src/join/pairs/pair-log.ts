import { longer } from '../../lib/columns/longer.ts';
import { type PairRun, pairKey, type RunStore, unitOf, unitsOf } from './pair-runs.ts';

const FIRST_KEYS = 64;
const NO_KEYS = new Float64Array(0);

/** What one thread found, in the order of units: sorted when it is stored or handed over. */
export class PairLog {
  readonly #store: RunStore | null;
  readonly #lists: Float64Array[];
  readonly #sizes: Uint32Array;
  readonly #runs: PairRun[] = [];
  #size = 0;

  constructor(pageCount: number, store: RunStore | null) {
    this.#store = store;
    this.#lists = new Array<Float64Array>(unitsOf(pageCount)).fill(NO_KEYS);
    this.#sizes = new Uint32Array(this.#lists.length);
  }

  /** Pages a < b < 2^25; a pair may come again, with the same `shared`. */
  push(a: number, b: number, shared: number): void {
    const unit = unitOf(a);
    const size = this.#sizes[unit]!;
    let list = this.#lists[unit]!;
    if (size === list.length) this.#lists[unit] = list = longer(list, Math.max(FIRST_KEYS, 2 * size));
    list[size] = pairKey(a, b, shared);
    this.#sizes[unit] = size + 1;
    this.#size++;
    if (this.#store !== null && this.#size >= this.#store.mostPairs) this.#makeRoom(this.#store);
  }

  /** Hands over the runs, the last of them in shared memory, and starts again with none. */
  take(): PairRun[] {
    this.#sort();
    const offsets = this.#offsets();
    const keys = new Float64Array(new SharedArrayBuffer(8 * this.#size));
    for (const [unit, list] of this.#units()) {
      keys.set(list, offsets[unit]);
      this.#lists[unit] = NO_KEYS;
    }
    this.#clear();
    return [...this.#runs.splice(0), { offsets, keys }];
  }

  /** Repetitions go first; where they were not half of it, all is stored. */
  #makeRoom(store: RunStore): void {
    this.#sort();
    if (this.#size <= store.mostPairs / 2) return;
    const units = Array.from(this.#units(), ([, list]) => list);
    this.#runs.push({ offsets: this.#offsets(), keys: store.write(units) });
    this.#clear();
  }

  #sort(): void {
    this.#size = 0;
    for (const [unit, list] of this.#units()) {
      list.sort();
      this.#sizes[unit] = keepFirsts(list);
      this.#size += this.#sizes[unit]!;
    }
  }

  *#units(): IterableIterator<[unit: number, keys: Float64Array]> {
    for (const [unit, list] of this.#lists.entries()) yield [unit, list.subarray(0, this.#sizes[unit])];
  }

  #offsets(): Float64Array {
    const offsets = new Float64Array(this.#sizes.length + 1);
    for (const [unit, size] of this.#sizes.entries()) offsets[unit + 1] = offsets[unit]! + size;
    return offsets;
  }

  #clear(): void {
    this.#lists.fill(NO_KEYS);
    this.#sizes.fill(0);
    this.#size = 0;
  }
}

/** Moves the first of equal keys to the front, in order; returns how many there are. */
function keepFirsts(keys: Float64Array): number {
  let kept = 0;
  for (let i = 0; i < keys.length; i++) if (i === 0 || keys[i] !== keys[kept - 1]) keys[kept++] = keys[i]!;
  return kept;
}
