import { NONE } from '../../../../lib/columns/indexes.ts';
import { KeyTable, key53 } from '../../../../lib/keys/key-table.ts';
import type { Disk } from '../../../files/disk.ts';
import { readWhole } from '../../../files/file-bytes.ts';
import { ByteReader } from '../../../files/records/bytes.ts';
import type { RecordOf } from '../../../files/records/record-form.ts';
import {
  ALIAS_KEYS,
  ALIAS_STARTS,
  ALIASES,
  CAPTURE_FLAGS,
  type OTHER_ANSWERS,
} from '../../../files/records/stage-files.ts';
import { closeAll } from '../../../files/records/table-file.ts';
import { diskOf, type WorkFiles } from '../../../files/work-folder.ts';

/**
 * What the alias book decided, for the stages after: records in URL order, and next to them the key of each URL and
 * where its record starts.
 */

type AliasRecord = RecordOf<typeof ALIASES.fields>;
export type AliasKind = AliasRecord['kind'];
export type Alias = readonly [url: string, to: string, kind: AliasKind];

// What the alias book says of each capture, as bits.

/** Another answer holds for its URL, or another capture speaks for what it names as its canonical URL. */
export const SUPERSEDED = 1;
/** An answer of another sweep took its place: it is kept as history. */
export const PAST = 2;
/** It is the answer of its URL, and another URL's capture speaks for it. */
export const FOLDED = 4;
/** It asks not to be indexed: what was captured of its URL before it is not kept. */
export const ERASES = 8;
/** Later sweeps met the page as it was. */
export const MET_AGAIN = 16;

/** Records up to this many bytes are held for lookups; more are read when they are asked for. */
const HELD_BYTES = 1 << 26;
/** The length before each record. */
const HEAD_BYTES = 4;
const MAX_RECORD_BYTES = 1 << 13;

/** Writes aliases, which come in URL order, and the flags of all captures by sequence. */
export function writeAliases(folder: WorkFiles, aliases: Iterable<Alias>, flags: Uint8Array): void {
  const records = ALIASES.writer(folder);
  const keys = ALIAS_KEYS.writer(folder);
  const starts = ALIAS_STARTS.writer(folder);
  for (const [url, to, kind] of aliases) {
    keys.push(key53(url));
    starts.push(records.sizeBytes + HEAD_BYTES);
    records.push({ kind, url, to });
  }
  closeAll([records, keys, starts]);
  CAPTURE_FLAGS.write(folder, flags);
}

/** Memory  20 to 30 bytes an alias once a target is asked for, and records of 64 MiB at most. */
export class Aliases {
  readonly size: number;
  readonly #folder: WorkFiles;
  readonly #flags: Uint8Array;
  readonly #heldBytes: number;
  #lookup: AliasLookup | null = null;

  constructor(folder: WorkFiles, heldBytes = HELD_BYTES) {
    this.#folder = folder;
    this.#flags = CAPTURE_FLAGS.readOwn(folder);
    this.#heldBytes = heldBytes;
    this.size = ALIAS_KEYS.length(folder);
  }

  /** Every alias in URL order. */
  *all(): IterableIterator<Alias> {
    for (const { url, to, kind } of ALIASES.records(this.#folder)) yield [url, to, kind];
  }

  /** The URL that speaks for this one, or undefined where it speaks for itself. */
  target(url: string): string | undefined {
    if (this.size === 0) return undefined;
    this.#lookup ??= new AliasLookup(this.#folder, this.#heldBytes);
    return this.#lookup.target(url);
  }

  /** The bits above. */
  flagsOf(sequence: number): number {
    return this.#flags[sequence]!;
  }

  /** Closes the files. */
  close(): void {
    this.#lookup?.close();
    this.#lookup = null;
  }
}

class AliasLookup {
  readonly #numbers: KeyTable;
  readonly #starts: Float64Array;
  readonly #disk: Disk;
  readonly #file: number;
  /** All records, or null where they are read one by one. */
  readonly #held: Buffer | null;
  readonly #record = Buffer.allocUnsafeSlow(MAX_RECORD_BYTES);

  constructor(folder: WorkFiles, heldBytes: number) {
    const path = ALIASES.path(folder);
    this.#disk = diskOf(folder);
    this.#starts = ALIAS_STARTS.readOwn(folder);
    this.#numbers = new KeyTable(this.#starts.length);
    let number = 0;
    for (const keys of ALIAS_KEYS.blocks(folder)) {
      for (const key of keys) this.#numbers.set(key, number++);
    }
    this.#file = this.#disk.open(path, 'r');
    const sizeBytes = this.#disk.size(this.#file);
    this.#held = sizeBytes <= heldBytes ? Buffer.allocUnsafeSlow(sizeBytes) : null;
    if (this.#held !== null) readWhole(path, this.#file, this.#held, 0, this.#disk);
  }

  target(url: string): string | undefined {
    const number = this.#numbers.get(key53(url), NONE);
    if (number === NONE) return undefined;
    const { url: own, to } = ALIASES.form.read(this.#at(this.#starts[number]!));
    // Another URL may have the key of an alias.
    return own === url ? to : undefined;
  }

  #at(start: number): ByteReader {
    if (this.#held === null) {
      this.#disk.read(this.#file, this.#record, 0, MAX_RECORD_BYTES, start);
      return new ByteReader(this.#record);
    }
    const reader = new ByteReader(this.#held);
    reader.at = start;
    return reader;
  }

  close(): void {
    this.#disk.close(this.#file);
  }
}

/** The answer of a URL that has no page: where it leads, or that it is gone or asks not to be indexed. */
export type OtherAnswer = RecordOf<typeof OTHER_ANSWERS.fields>;
