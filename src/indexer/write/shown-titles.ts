import { type SharedParts, SharedTitles, withoutShared } from '../../page/shared-titles.ts';
import { rootOf } from '../../url/site.ts';
import { SHARED_TITLES } from '../files/records/stage-files.ts';
import type { WorkFiles } from '../files/work-folder.ts';

/** Finds what the titles of each host share. Pages come in the order of URLs, so that those of a host stand together. */
export class TitleCounter {
  readonly #file: ReturnType<typeof SHARED_TITLES.writer>;
  readonly #titles = new SharedTitles();
  #origin = '';

  /** Leaves what it finds in the folder, for `ShownTitles`. */
  constructor(folder: WorkFiles) {
    this.#file = SHARED_TITLES.writer(folder);
  }

  add(url: string, title: string): void {
    if (!url.startsWith(this.#origin) || this.#origin === '') {
      this.#close();
      this.#origin = rootOf(url);
    }
    this.#titles.add(title);
  }

  #close(): void {
    const shared = this.#titles.take();
    if (shared.size === 0) return;
    this.#file.push({ origin: this.#origin, shared: Float64Array.from(shared).sort() });
  }

  finish(): void {
    this.#close();
    this.#file.end();
  }
}

/** The titles to show, by what a `TitleCounter` left. Memory  some 200 bytes a host whose titles share something. */
export class ShownTitles {
  readonly #shared = new Map<string, SharedParts>();

  constructor(folder: WorkFiles) {
    for (const { origin, shared } of SHARED_TITLES.records(folder)) this.#shared.set(origin, new Set(shared));
  }

  of(url: string, title: string): string {
    const shared = this.#shared.get(rootOf(url));
    return shared === undefined ? title : withoutShared(title, shared);
  }
}
