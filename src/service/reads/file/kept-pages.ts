import type { IndexReader } from '../../../store/read/reader.ts';
import type { StoredPage } from '../../../store/records.ts';

const MAX_KEPT = 32 * 1024;

/** Pages as they were read last, where there is no snapshot: those of many lists are asked for again and again. */
export class KeptPages {
  readonly #pages = new Map<number, StoredPage>();

  page(place: number, reader: IndexReader): StoredPage {
    let page = this.#pages.get(place);
    if (page !== undefined) return page;
    page = reader.page(place);
    if (this.#pages.size >= MAX_KEPT) this.#pages.clear();
    this.#pages.set(place, page);
    return page;
  }
}
