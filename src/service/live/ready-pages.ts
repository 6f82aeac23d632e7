/**
 * Pages that wait as they were made ready for the index that is served: kept beside the journal, and found again by a server that
 * starts. What goes wrong with the file costs time alone.
 */
import { createHash } from 'node:crypto';
import { ALGORITHM_VERSION } from '../../store/database.ts';
import type { WaitingRecord } from '../../store/journal/journal-reader.ts';
import { ReadyFile, type RecordName, removeReadyFile } from '../../store/journal/ready-file.ts';
import { PACKAGE_VERSION } from '../../store/package-version.ts';
import type { Generation } from '../index/generation.ts';
import { SAID_LAYOUT } from '../reads/live/page-said.ts';
import type { PendingPage } from '../reads/live/pending-page.ts';

/** A page that waits, and the record that it was made of. */
export interface KeptPage extends PendingPage, Pick<RecordName, 'digest'> {}

/** Where pages that were made ready for one generation are found again, and kept. */
export interface ReadyPages {
  /** Null for one that is to be made ready. */
  find(record: WaitingRecord): PendingPage | null;
  /** Only of those that this process makes. */
  keep?(pages: readonly KeptPage[]): void;
}

interface ReadyLog {
  warn(detail: object, message: string): void;
}

/** All that a page that waits is made of, but its record: of other code, or of another index, it may be another one. */
function keyOf({ id }: Generation, journalId: string): string {
  return `${journalId} ${sha256(JSON.stringify([...MADE_BY, id]))}`;
}

const MADE_BY = [PACKAGE_VERSION, ALGORITHM_VERSION, SAID_LAYOUT, process.versions.node, process.arch];
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Of the process that takes pages. They are written behind the answer that says that they are taken. */
export class ReadyWriter {
  readonly #path: string;
  readonly #journalId: string;
  readonly #log: ReadyLog;
  #generation: Generation | null = null;
  #key = '';
  #file: ReadyFile | null = null;
  #waiting: KeptPage[] = [];
  #timer: NodeJS.Immediate | undefined;

  constructor(path: string, journalId: string, log: ReadyLog) {
    this.#path = path;
    this.#journalId = journalId;
    this.#log = log;
  }

  /** Those of a generation, in the place of those before. */
  begin(generation: Generation): ReadyPages {
    const key = keyOf(generation, this.#journalId);
    if (this.#file === null || key !== this.#key) {
      this.close();
      this.#key = key;
      this.#try(() => (this.#file = ReadyFile.open(this.#path, key)));
    }
    this.#generation = generation;
    return {
      find: (record) => this.#find(record),
      keep: (pages) => this.keep(generation, pages),
    };
  }

  /** Pages that were made ready for a generation before are left out: the one that follows makes them ready again. */
  keep(generation: Generation, pages: readonly KeptPage[]): void {
    if (generation !== this.#generation || this.#file === null || pages.length === 0) return;
    this.#waiting.push(...pages);
    this.#timer ??= setImmediate(() => this.#write());
  }

  close(): void {
    this.#write();
    this.#file?.close();
    this.#file = null;
  }

  #find(record: WaitingRecord): PendingPage | null {
    return this.#try(() => foundIn(this.#file, record)) ?? null;
  }

  #write(): void {
    clearImmediate(this.#timer);
    this.#timer = undefined;
    const pages = this.#waiting;
    this.#waiting = [];
    if (pages.length > 0) this.#try(() => this.#file?.keep(pages));
  }

  /** For the room that it takes, until the next index or start; false where there is none. */
  giveUp(cause: unknown): boolean {
    if (this.#file === null) return false;
    this.#drop(cause);
    return true;
  }

  /** One that failed is given up: it may have no room, which others need. */
  #try<Value>(work: () => Value): Value | undefined {
    try {
      return work();
    } catch (error) {
      this.#drop(error);
      return undefined;
    }
  }

  #drop(cause: unknown): void {
    this.#log.warn({ err: cause, path: this.#path }, 'the next start makes the pages that wait ready anew');
    this.#waiting = [];
    const file = this.#file;
    this.#file = null;
    try {
      file?.close();
      removeReadyFile(this.#path);
    } catch {
      // Said already.
    }
  }
}

/** Of a process that shows the pages which another one takes: null where that has none ready for this generation. */
export class ReadyReader implements ReadyPages {
  readonly #file: ReadyFile | null;

  constructor(path: string, journalId: string, generation: Generation) {
    this.#file = ReadyFile.read(path, keyOf(generation, journalId));
  }

  find(record: WaitingRecord): PendingPage | null {
    try {
      return foundIn(this.#file, record);
    } catch {
      return null;
    }
  }

  close(): void {
    this.#file?.close();
  }
}

function foundIn(file: ReadyFile | null, record: WaitingRecord): PendingPage | null {
  const { url, datedMs: fetchedAtMs } = record;
  const row = file?.find(record);
  return row === undefined ? null : { url, fetchedAtMs, ...row };
}
