import type { Disk } from '../disk.ts';
import { diskOf, type WorkFiles } from '../work-folder.ts';
import type { RecordFile, RecordWriter } from './record-file.ts';

/**
 * M files of records, a record in the file of its bucket: divide, so that each can be collapsed in memory
 * by itself (Haveliwala, Gionis, Indyk 2000, section 2.2).
 */
export class BucketFiles {
  readonly #disk: Disk;
  readonly #paths: string[];
  readonly #writers: RecordWriter[];

  constructor(
    folder: WorkFiles,
    fileOf: (bucket: number) => RecordFile,
    bucketCount: number,
    bufferBytes: number,
  ) {
    const each = Math.max(4096, Math.min(1 << 18, Math.floor(bufferBytes / bucketCount)));
    const files = Array.from({ length: bucketCount }, (_, bucket) => fileOf(bucket));
    this.#disk = diskOf(folder);
    this.#paths = files.map((file) => file.path(folder));
    this.#writers = files.map((file) => file.writer(folder, each));
  }

  append(bucket: number, record: Uint8Array): void {
    this.#writers[bucket]!.append(record);
  }

  /** Appends records that stand one after the other; record i ends at `ends[i]`. */
  appendAll(bytes: Uint8Array, buckets: Uint16Array, ends: Uint32Array): void {
    let start = 0;
    for (let i = 0; i < ends.length; i++) {
      this.append(buckets[i]!, bytes.subarray(start, ends[i]!));
      start = ends[i]!;
    }
  }

  /** Brings all to the disk. */
  async close(): Promise<void> {
    this.end();
    await this.#disk.syncAll(this.#paths);
  }

  /** For files that the stage removes itself. */
  end(): void {
    for (const writer of this.#writers) writer.end();
  }

  /** Closes the files, complete or not. */
  abandon(): void {
    for (const writer of this.#writers) writer.abandon();
  }
}
