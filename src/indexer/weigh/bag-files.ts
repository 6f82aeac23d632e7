import type { BagMatrix } from '../../features/bag.ts';
import type { ArrayWriter } from '../files/records/array-file.ts';
import { BAG_ENTRIES, BAG_FEATURE_COUNT, BAG_OFFSETS, BAG_SUMS } from '../files/records/stage-files.ts';
import { closeAll } from '../files/records/table-file.ts';
import type { WorkFiles } from '../files/work-folder.ts';

/** Writes the bags of pages, in the order of their ids, as a matrix on disk. */
export class BagWriter {
  pageCount = 0;
  readonly #folder: WorkFiles;
  readonly #features: ArrayWriter<Uint32Array>;
  readonly #weights: ArrayWriter<Uint8Array>;
  readonly #offsets: ArrayWriter<Float64Array>;
  readonly #sums: ArrayWriter<Uint16Array>;

  constructor(folder: WorkFiles) {
    this.#folder = folder;
    const { features, weights } = BAG_ENTRIES.writers(folder);
    this.#features = features;
    this.#weights = weights;
    this.#offsets = BAG_OFFSETS.writer(folder);
    this.#sums = BAG_SUMS.writer(folder);
    this.#offsets.push(0);
  }

  /** The bag of the next page: its first `length` features, ascending, and their weights. */
  append(features: Uint32Array, weights: Uint8Array, length = features.length): void {
    this.#features.append(features.subarray(0, length));
    this.#weights.append(weights.subarray(0, length));
    let sum = 0;
    for (let i = 0; i < length; i++) sum += weights[i]!;
    this.#sums.push(sum);
    this.#offsets.push(this.#features.length);
    this.pageCount++;
  }

  close(featureCount: number): void {
    BAG_FEATURE_COUNT.write(this.#folder, Uint32Array.of(featureCount));
    closeAll([this.#features, this.#weights, this.#offsets, this.#sums]);
  }
}

/** What of the bags has one number a page. */
export type BagOffsets = Pick<BagMatrix, 'offsets' | 'sums' | 'featureCount'>;

export function loadBagOffsets(folder: WorkFiles): BagOffsets {
  const [featureCount] = BAG_FEATURE_COUNT.read(folder);
  return { offsets: BAG_OFFSETS.read(folder), sums: BAG_SUMS.read(folder), featureCount: featureCount! };
}

/** The bags of all pages, in shared memory. */
export function loadBags(folder: WorkFiles): BagMatrix {
  return { ...loadBagOffsets(folder), ...BAG_ENTRIES.read(folder) };
}
