/**
 * The archive files of one sweep: a gzip member for each record, a new file beyond a size.
 *
 * Records are written here rather than by warcio's writer (2.4): see the comparison in bench/results/crawl.json.
 */
import { closeSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { utcMs } from '../../lib/utc-ms.ts';
import { CommittedFile } from './committed-file.ts';
import { newRecordId, warcinfoRecord } from './warc-record.ts';

/** Holds the first record of an archive. */
const HEAD_BYTES = 4096;

/** What is committed: the file in use and its length. */
export interface ArchivePosition {
  readonly number: number;
  readonly lengthBytes: number;
  readonly warcinfoId: string;
}

interface ArchiveOptions {
  readonly folder: string;
  readonly sweep: number;
  /** A file is closed beyond this. */
  readonly maxBytes: number;
  readonly now: () => number;
  /** Fields of the record that opens each file. */
  readonly info: readonly (readonly [string, string])[];
}

/** `sweep-0001-00002.warc.gz` */
function fileName(sweep: number, number: number): string {
  return `sweep-${String(sweep).padStart(4, '0')}-${String(number).padStart(5, '0')}.warc.gz`;
}

/** The number of the sweep that an archive is of, by its name; null for a file of another name. */
export function sweepOfArchive(name: string): number | null {
  const [, sweep] = /^sweep-(\d{4,})-\d{5,}\.warc\.gz$/.exec(name) ?? [];
  return sweep === undefined ? null : Number(sweep);
}

/** The archives of a crawl folder in the order in which they were written, all or those of one sweep. */
export function archiveNames(folder: string, sweep?: number): string[] {
  const prefix = sweep === undefined ? 'sweep-' : fileName(sweep, 0).slice(0, 11);
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && name.endsWith('.warc.gz'))
    .sort();
}

/** When an archive was begun, by its first record; 0 where that is not to be read. */
export function archiveStartMs(path: string): number {
  try {
    const file = openSync(path, 'r');
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      const bytes = head.subarray(0, readSync(file, head, 0, HEAD_BYTES, 0));
      const text = gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1');
      return utcMs(/^WARC-Date: (.*)\r$/m.exec(text)?.[1] ?? '') || 0;
    } finally {
      closeSync(file);
    }
  } catch {
    return 0;
  }
}

/** Level 1: 96 microseconds and 3,893 bytes a page of 12,750 bytes, where the default of 6 takes 174 and 3,585. */
export function gzipMember(record: Buffer): Buffer {
  return gzipSync(record, { level: constants.Z_BEST_SPEED });
}

export class Archive {
  readonly #options: ArchiveOptions;
  #number: number;
  #file: CommittedFile;
  #warcinfoId: string;

  /** Goes on behind the position; what lies beyond it is removed. */
  constructor(options: ArchiveOptions, position: ArchivePosition | null) {
    this.#options = options;
    const number = position?.number ?? 1;
    const { folder, sweep } = options;
    for (const name of archiveNames(folder, sweep)) {
      if (name > fileName(sweep, number)) rmSync(join(folder, name));
    }
    this.#number = number;
    this.#file = new CommittedFile(this.#path(), position?.lengthBytes ?? 0);
    this.#warcinfoId = position?.warcinfoId ?? this.#begin();
  }

  /** To be named in the records. */
  get warcinfoId(): string {
    return this.#warcinfoId;
  }

  get position(): ArchivePosition {
    return { number: this.#number, lengthBytes: this.#file.lengthBytes, warcinfoId: this.#warcinfoId };
  }

  /** Compressed here: handed to another thread a record of 9 kB costs 223 microseconds instead of 141. */
  append(record: Buffer): void {
    this.appendLast(record);
    if (this.#file.lengthBytes > this.#options.maxBytes) this.#roll();
  }

  /** The last record of a sweep: whatever its size, it begins no further file. */
  appendLast(record: Buffer): void {
    this.#file.append(gzipMember(record));
  }

  sync(): void {
    this.#file.sync();
  }

  close(): void {
    this.#file.close();
  }

  #roll(): void {
    this.#file.sync();
    this.#file.close();
    this.#number++;
    this.#file = new CommittedFile(this.#path(), 0);
    this.#warcinfoId = this.#begin();
  }

  #begin(): string {
    const id = newRecordId();
    const { now, info, sweep } = this.#options;
    this.#file.append(gzipMember(warcinfoRecord(fileName(sweep, this.#number), id, now(), info)));
    return id;
  }

  #path(): string {
    return join(this.#options.folder, fileName(this.#options.sweep, this.#number));
  }
}
