import { ByteReader, ByteWriter } from './bytes.ts';
import { RecordFile, type RecordWriter } from './record-file.ts';
import { type Fields, RecordForm, type RecordOf } from './record-form.ts';
import type { WorkFiles } from './work-folder.ts';

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
}
