import { CorruptError } from '../../../errors.ts';
import { type Disk, SYSTEM_DISK } from '../disk.ts';
import { writeAll } from '../file-bytes.ts';
import { diskOf, type WorkFiles } from '../work-folder.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { type Fields, RecordForm, type RecordOf } from './record-form.ts';

/**
 * A file of length-prefixed records, written and read front to back. Writing is synchronous: one writer at
 * a time owns the disk, and a full disk shows where it happens.
 */

const READ_BYTES = 1 << 18;
/** The buffer of a writer at first: many files get a few records. */
const FIRST_BYTES = 1 << 12;

/** A file of the work folder that holds records, by its name. */
export class RecordFile {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  path(folder: WorkFiles): string {
    return folder.file(this.name);
  }

  writer(folder: WorkFiles, bufferBytes?: number): RecordWriter {
    return new RecordWriter(this.path(folder), bufferBytes, diskOf(folder));
  }

  /** Its records; each view is valid until the next one is asked for. */
  records(folder: WorkFiles): IterableIterator<Buffer> {
    return readRecords(this.path(folder), undefined, diskOf(folder));
  }
}

export class RecordWriter {
  recordCount = 0;
  sizeBytes = 0;
  readonly #disk: Disk;
  readonly #file: number;
  readonly #mostBytes: number;
  #buffer: Buffer;
  #used = 0;
  #closed = false;

  constructor(path: string, bufferBytes = 1 << 18, disk: Disk = SYSTEM_DISK) {
    this.#disk = disk;
    this.#file = disk.open(path, 'w');
    this.#mostBytes = bufferBytes;
    this.#buffer = Buffer.allocUnsafe(Math.min(bufferBytes, FIRST_BYTES));
  }

  append(record: Uint8Array): void {
    this.#room(4 + record.length);
    if (4 + record.length > this.#buffer.length) {
      const head = Buffer.allocUnsafe(4);
      head.writeUInt32LE(record.length, 0);
      writeAll(this.#file, head, this.#disk);
      writeAll(this.#file, record, this.#disk);
    } else {
      this.#buffer.writeUInt32LE(record.length, this.#used);
      this.#buffer.set(record, this.#used + 4);
      this.#used += 4 + record.length;
    }
    this.recordCount++;
    this.sizeBytes += 4 + record.length;
  }

  #room(count: number): void {
    while (this.#used + count > this.#buffer.length && this.#buffer.length < this.#mostBytes) {
      const full = this.#buffer;
      this.#buffer = Buffer.allocUnsafe(Math.min(8 * full.length, this.#mostBytes));
      full.copy(this.#buffer, 0, 0, this.#used);
    }
    if (this.#used + count > this.#buffer.length) this.#flush();
  }

  #flush(): void {
    writeAll(this.#file, this.#buffer.subarray(0, this.#used), this.#disk);
    this.#used = 0;
  }

  /** Brings all to the disk. */
  close(): void {
    this.#flush();
    this.#disk.sync(this.#file);
    this.abandon();
  }

  /** Leaves bringing it to the disk to `syncFiles`, or leaves it out where the stage removes the file itself. */
  end(): void {
    this.#flush();
    this.abandon();
  }

  /** Closes the file as it is; does nothing if it is closed already. */
  abandon(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#disk.close(this.#file);
  }
}

/** A file of the work folder whose records have one form. */
export class FormFile<F extends Fields> {
  readonly fields: F;
  readonly form: RecordForm<F>;
  readonly name: string;
  readonly #file: RecordFile;

  constructor(name: string, fields: F) {
    this.name = name;
    this.fields = fields;
    this.form = new RecordForm(fields);
    this.#file = new RecordFile(name);
  }

  path(folder: WorkFiles): string {
    return this.#file.path(folder);
  }

  writer(folder: WorkFiles, bufferBytes?: number): FormWriter<F> {
    return new FormWriter(this.form, this.#file.writer(folder, bufferBytes));
  }

  write(folder: WorkFiles, records: Iterable<RecordOf<F>>): void {
    const writer = this.writer(folder);
    for (const record of records) writer.push(record);
    writer.close();
  }

  /** Its records; bytes in one are valid until the next one is asked for. */
  *records(folder: WorkFiles): IterableIterator<RecordOf<F>> {
    for (const bytes of this.#file.records(folder)) yield this.form.read(new ByteReader(bytes));
  }
}

class FormWriter<F extends Fields> {
  readonly #form: RecordForm<F>;
  readonly #records: RecordWriter;
  readonly #out = new ByteWriter(1 << 10);

  constructor(form: RecordForm<F>, records: RecordWriter) {
    this.#form = form;
    this.#records = records;
  }

  /** Of the records so far. */
  get sizeBytes(): number {
    return this.#records.sizeBytes;
  }

  push(record: RecordOf<F>): void {
    this.#out.clear();
    this.#form.write(this.#out, record);
    this.#records.append(this.#out.view());
  }

  /** Brings all to the disk. */
  close(): void {
    this.#records.close();
  }

  /** Leaves it out: the stage removes the file itself. */
  end(): void {
    this.#records.end();
  }

  /** Closes the file as it is. */
  abandon(): void {
    this.#records.abandon();
  }
}

/** That of the last file that was read to its end: so many made anew would keep the collector at work. */
let spare: Buffer | null = null;

/** The records of a file; each view is valid until the next one is asked for. */
export function* readRecords(
  path: string,
  bufferBytes = READ_BYTES,
  disk: Disk = SYSTEM_DISK,
): IterableIterator<Buffer> {
  const file = disk.open(path, 'r');
  try {
    const fileBytes = disk.size(file);
    let buffer = bufferBytes === READ_BYTES && spare !== null ? spare : Buffer.allocUnsafe(bufferBytes);
    if (buffer === spare) spare = null;
    let start = 0;
    let end = 0;
    for (;;) {
      const size = end - start >= 4 ? buffer.readUInt32LE(start) : -1;
      if (size >= 0 && end - start >= 4 + size) {
        yield buffer.subarray(start + 4, start + 4 + size);
        start += 4 + size;
        continue;
      }
      if (size >= 0 && 4 + size > fileBytes) throw cutError(path);
      if (4 + size > buffer.length) {
        const grown = Buffer.allocUnsafe(4 + size);
        buffer.copy(grown, 0, start, end);
        buffer = grown;
      } else {
        buffer.copyWithin(0, start, end);
      }
      end -= start;
      start = 0;
      const got = disk.read(file, buffer, end, buffer.length - end, null);
      if (got === 0) {
        if (end > 0) throw cutError(path);
        if (buffer.length === READ_BYTES) spare = buffer;
        return;
      }
      end += got;
    }
  } finally {
    disk.close(file);
  }
}

export function cutError(path: string): CorruptError {
  return new CorruptError('AKIN_ERR_INDEX_CORRUPT', `${path} ends inside a record`, {
    hint: 'remove its folder and build again',
  });
}
