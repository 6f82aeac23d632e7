import { type SharedParts, SharedTitles, withoutShared } from '../../page/shared-titles.ts';
import { originOf } from '../../url/site.ts';
import { ByteReader, ByteWriter } from '../files/bytes.ts';
import type { RecordWriter } from '../files/record-file.ts';
import { SHARED_TITLES } from '../files/stage-files.ts';
import type { WorkFiles } from '../files/work-folder.ts';

/** Finds what the titles of each host share. Pages come in the order of URLs, so that those of a host stand together. */
export class TitleCounter {
  readonly #file: RecordWriter;
  readonly #titles = new SharedTitles();
  #origin = '';

  /** Leaves what it finds in the folder, for `ShownTitles`. */
  constructor(folder: WorkFiles) {
    this.#file = SHARED_TITLES.writer(folder);
  }

  add(url: string, title: string): void {
    if (!url.startsWith(this.#origin) || this.#origin === '') {
      this.#close();
      this.#origin = originOf(url);
    }
    this.#titles.add(title);
  }

  #close(): void {
    const shared = this.#titles.take();
    if (shared.size === 0) return;
    const out = new ByteWriter(256);
    out.text(this.#origin);
    out.varint(shared.size);
    out.f64s(Float64Array.from(shared).sort());
    this.#file.append(out.view());
  }

  finish(): void {
    this.#close();
    this.#file.close();
  }
}

/** The titles to show, by what a `TitleCounter` left. Memory  some 200 bytes a host whose titles share something. */
export class ShownTitles {
  readonly #shared = new Map<string, SharedParts>();

  constructor(folder: WorkFiles) {
    for (const record of SHARED_TITLES.records(folder)) {
      const from = new ByteReader(record);
      const origin = from.ascii();
      this.#shared.set(origin, new Set(from.f64s(from.varint())));
    }
  }

  of(url: string, title: string): string {
    const shared = this.#shared.get(originOf(url));
    return shared === undefined ? title : withoutShared(title, shared);
  }
}
