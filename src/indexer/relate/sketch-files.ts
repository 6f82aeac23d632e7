/** The sketches of folded pages in the work folder: written page by page, and read whole, block by block or here and there. */
import { commonShingles } from '../../join/copies/common-shingles.ts';
import { KeyParts } from '../../join/copies/space/key-parts.ts';
import type { ShingleSketch } from '../../sketch/shingle-sketch.ts';
import { type SketchBlock, type SketchSource, sourceOf } from '../../sketch/sketch-source.ts';
import { type SketchTable, tableOfPages } from '../../sketch/sketch-table.ts';
import { decodeKeys } from '../../store/blobs/sketch-blobs.ts';
import type { ArrayFile, ArrayReader, ArrayWriter } from '../files/records/array-file.ts';
import {
  COMMON_KEYS,
  FOLDED_HOSTS,
  KEPT_KEYS,
  KEPT_OFFSETS,
  SKETCH_KEYS,
  SKETCH_LIMITS,
  SKETCH_OFFSETS,
  SKETCH_SHINGLE_COUNTS,
} from '../files/records/stage-files.ts';
import { closeAll } from '../files/records/table-file.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import type { CopyRecord } from '../gather/records/copy-record.ts';

/** A table of sketches on its way to files. */
export class SketchWriter {
  count = 0;
  readonly #keys: ArrayWriter<Float64Array>;
  readonly #offsets: ArrayWriter<Float64Array>;
  readonly #limits: ArrayWriter<Float64Array>;
  readonly #shingleCounts: ArrayWriter<Uint32Array>;

  constructor(folder: WorkFiles) {
    this.#keys = SKETCH_KEYS.writer(folder);
    this.#offsets = SKETCH_OFFSETS.writer(folder);
    this.#limits = SKETCH_LIMITS.writer(folder);
    this.#shingleCounts = SKETCH_SHINGLE_COUNTS.writer(folder);
    this.#offsets.push(0);
  }

  /** Returns the number of the sketch. */
  append({ keys, limit, shingleCount }: CopyRecord): number {
    this.#keys.append(decodeKeys(keys));
    this.#offsets.push(this.#keys.length);
    this.#limits.push(limit);
    this.#shingleCounts.push(shingleCount);
    return this.count++;
  }

  close(): void {
    closeAll([this.#keys, this.#offsets, this.#limits, this.#shingleCounts]);
  }
}

/** Keys a block, unless a page has more. */
const BLOCK_KEYS = 1 << 16;

/** Sketches whose keys stay in their file. Memory  20 bytes a page. */
export class SketchFiles implements SketchSource {
  readonly table = null;
  readonly pageCount: number;
  readonly offsets: Float64Array;
  readonly limits: Float64Array;
  readonly shingleCounts: Uint32Array;
  readonly #keys: ArrayReader<Float64Array>;

  private constructor(
    folder: WorkFiles,
    offsets: Float64Array,
    keys: ArrayFile<Float64Array>,
    pageCount = offsets.length - 1,
  ) {
    this.pageCount = pageCount;
    this.offsets = offsets.subarray(0, pageCount + 1);
    this.limits = SKETCH_LIMITS.read(folder).subarray(0, pageCount);
    this.shingleCounts = SKETCH_SHINGLE_COUNTS.read(folder).subarray(0, pageCount);
    this.#keys = keys.reader(folder);
  }

  /** Those of the folded pages, and behind them those of texts that only past captures have. */
  static ofAll(folder: WorkFiles): SketchFiles {
    return new SketchFiles(folder, SKETCH_OFFSETS.read(folder), SKETCH_KEYS);
  }

  static ofFolded(folder: WorkFiles): SketchFiles {
    return new SketchFiles(folder, SKETCH_OFFSETS.read(folder), SKETCH_KEYS, FOLDED_HOSTS.length(folder));
  }

  /** Those of the folded pages without the keys that are ignored. */
  static ofKept(folder: WorkFiles): SketchFiles {
    return COMMON_KEYS.length(folder) === 0
      ? SketchFiles.ofFolded(folder)
      : new SketchFiles(folder, KEPT_OFFSETS.read(folder), KEPT_KEYS);
  }

  get keyCount(): number {
    return this.offsets[this.pageCount]!;
  }

  *blocks(): IterableIterator<SketchBlock> {
    for (let first = 0; first < this.pageCount; ) {
      let end = first + 1;
      while (end < this.pageCount && this.offsets[end + 1]! - this.offsets[first]! <= BLOCK_KEYS) end++;
      yield { first, table: this.#between(first, end) };
      first = end;
    }
  }

  #between(first: number, end: number): SketchTable {
    const start = this.offsets[first]!;
    return {
      pageCount: end - first,
      offsets: this.offsets.subarray(first, end + 1).map((offset) => offset - start),
      keys: this.#keys.read(start, this.offsets[end]!),
      limits: this.limits.subarray(first, end),
      shingleCounts: this.shingleCounts.subarray(first, end),
    };
  }

  at(page: number): ShingleSketch {
    return {
      keys: this.#keysOf(page).slice(),
      limit: this.limits[page]!,
      shingleCount: this.shingleCounts[page]!,
    };
  }

  pick(pages: Uint32Array): SketchTable {
    return tableOfPages(this, pages, (page, keys, at) => keys.set(this.#keysOf(page), at));
  }

  #keysOf(page: number): Float64Array {
    return this.#keys.read(this.offsets[page]!, this.offsets[page + 1]!);
  }

  /** All of them in memory. */
  whole(): SketchSource {
    const { pageCount, limits, shingleCounts, offsets } = this;
    const keys = this.#keys.read(0, this.keyCount);
    return sourceOf({ pageCount, offsets, keys, limits, shingleCounts });
  }

  close(): void {
    this.#keys.close();
  }
}

/** What `use` makes of sketches; their file is closed behind it, also where it throws. */
export function withSketches<Result>(sketches: SketchFiles, use: (sketches: SketchFiles) => Result): Result {
  try {
    return use(sketches);
  } finally {
    sketches.close();
  }
}

/** Leaves out the keys that are in too many pages: they are noted, and the sketches written without them. */
export function ignoreCommon(folder: WorkFiles, mostPages: number, partCount: number): void {
  withSketches(SketchFiles.ofFolded(folder), (sketches) => {
    const common = commonShingles(new KeyParts(sketches, partCount), mostPages);
    COMMON_KEYS.write(folder, common);
    if (common.length > 0) writeWithout(folder, sketches, new Set(common));
  });
}

function writeWithout(folder: WorkFiles, sketches: SketchFiles, ignored: ReadonlySet<number>): void {
  const [keys, offsets] = [KEPT_KEYS.writer(folder), KEPT_OFFSETS.writer(folder)];
  offsets.push(0);
  for (const { table } of sketches.blocks()) {
    for (let page = 0; page < table.pageCount; page++) {
      for (let i = table.offsets[page]!; i < table.offsets[page + 1]!; i++)
        if (!ignored.has(table.keys[i]!)) keys.push(table.keys[i]!);
      offsets.push(keys.length);
    }
  }
  closeAll([keys, offsets]);
}
