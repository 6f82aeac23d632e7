import { KeyTable, key53 } from '../../../lib/key-table.ts';
import { ByteReader, ByteWriter } from '../../files/bytes.ts';
import type { Disk } from '../../files/disk.ts';
import { readWhole } from '../../files/file-bytes.ts';
import { ALIAS_KEYS, ALIAS_STARTS, ALIASES, CAPTURE_FLAGS, OTHER_ANSWERS } from '../../files/stage-files.ts';
import { closeAll } from '../../files/table-file.ts';
import { diskOf, type WorkFiles } from '../../files/work-folder.ts';

/**
 * What the alias book decided, for the stages after: records in URL order, and next to them the key of each URL and
 * where its record starts.
 */

const KINDS = ['redirect', 'canonical'] as const;
export type AliasKind = (typeof KINDS)[number];
export type Alias = readonly [url: string, to: string, kind: AliasKind];

/** Records up to this many bytes are held for lookups; more are read when they are asked for. */
const HELD_BYTES = 1 << 26;
/** The length before each record. */
const HEAD_BYTES = 4;
const MAX_RECORD_BYTES = 1 << 13;
const ABSENT = 0xffffffff;

/** Writes aliases, which come in URL order, and the flags of all captures by sequence. */
export function writeAliases(folder: WorkFiles, aliases: Iterable<Alias>, flags: Uint8Array): void {
  const records = ALIASES.writer(folder);
  const keys = ALIAS_KEYS.writer(folder);
  const starts = ALIAS_STARTS.writer(folder);
  const out = new ByteWriter();
  for (const [url, to, kind] of aliases) {
    out.clear();
    out.u8(KINDS.indexOf(kind));
    out.text(url);
    out.text(to);
    keys.push(key53(url));
    starts.push(records.sizeBytes + HEAD_BYTES);
    records.append(out.view());
  }
  closeAll([records, keys, starts]);
  CAPTURE_FLAGS.write(folder, flags);
}

function readAlias(from: ByteReader): Alias {
  const kind = KINDS[from.u8()]!;
  return [from.ascii(), from.ascii(), kind];
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
    for (const record of ALIASES.records(this.#folder)) yield readAlias(new ByteReader(record));
  }

  /** The URL that speaks for this one, or undefined where it speaks for itself. */
  target(url: string): string | undefined {
    if (this.size === 0) return undefined;
    this.#lookup ??= new AliasLookup(this.#folder, this.#heldBytes);
    return this.#lookup.target(url);
  }

  /** See capture-flags.ts. */
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
    const number = this.#numbers.get(key53(url), ABSENT);
    if (number === ABSENT) return undefined;
    const [own, to] = readAlias(this.#read(this.#starts[number]!));
    // Another URL may have the key of an alias.
    return own === url ? to : undefined;
  }

  #read(start: number): ByteReader {
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
export interface OtherAnswer {
  readonly url: string;
  readonly kind: (typeof OTHER_KINDS)[number];
  readonly sweepId: number;
  readonly fetchedAtMs: number;
  /** Of a redirect; else ''. */
  readonly to: string;
}

const OTHER_KINDS = ['redirect', 'gone', 'noindex'] as const;

/** Writes answers, which come in URL order. */
export function writeOtherAnswers(folder: WorkFiles, answers: Iterable<OtherAnswer>): void {
  const records = OTHER_ANSWERS.writer(folder);
  const out = new ByteWriter();
  for (const { url, kind, sweepId, fetchedAtMs, to } of answers) {
    out.clear();
    out.text(url);
    out.u8(OTHER_KINDS.indexOf(kind));
    out.varint(sweepId);
    out.f64(fetchedAtMs);
    out.text(to);
    records.append(out.view());
  }
  records.close();
}

/** What `writeOtherAnswers` wrote, in URL order. */
export function* otherAnswers(folder: WorkFiles): IterableIterator<OtherAnswer> {
  for (const record of OTHER_ANSWERS.records(folder)) {
    const from = new ByteReader(record);
    yield {
      url: from.ascii(),
      kind: OTHER_KINDS[from.u8()]!,
      sweepId: from.varint(),
      fetchedAtMs: from.f64(),
      to: from.ascii(),
    };
  }
}
