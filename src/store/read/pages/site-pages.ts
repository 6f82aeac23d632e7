import type { IndexFile } from '../../index-file.ts';
import { rowShape } from '../../stored-values.ts';

/** A site, and how many pages of it are known. */
export interface SiteCount {
  readonly site: string;
  readonly pageCount: number;
  /** Of them, those whose text was read once. */
  readonly fetchedCount: number;
}

const COUNT_ROW = rowShape<SiteCount>(
  `site JOIN (SELECT site_id, count(*) AS page_count, sum(fetched) AS fetched_count FROM page
     WHERE id < ? AND id NOT IN (SELECT page_id FROM gone) GROUP BY site_id)
   ON site.id = site_id`,
  { site: ['text', 'site.name'], pageCount: 'count', fetchedCount: 'count' },
);
const ID_ROW = rowShape<{ readonly id: number }>('page', { id: 'count' });

/** Which sites there are, and the pages of each; pages that are gone, and those that a shard merely names, do not count. The numbers and the pages take a walk over all pages of the file. */
export class SitePages {
  readonly #file: IndexFile;

  constructor(file: IndexFile) {
    this.#file = file;
  }

  /** Id of a site by its name; -1 where no page is of it. */
  find(name: string): number {
    return this.#file.value<number>('SELECT id FROM site WHERE name = ?', name) ?? -1;
  }

  /** How many sites there are. */
  total(): number {
    return this.#file.rowCount('site');
  }

  /** In the order of their names. */
  counts(): SiteCount[] {
    return this.#file.all(COUNT_ROW, 'ORDER BY site.name', this.#file.ownPageCount);
  }

  /** Ids of the first `limit` pages of a site from an id on, ascending. */
  ids(site: string, from: number, limit: number): Uint32Array {
    const which = `WHERE site_id = (SELECT id FROM site WHERE name = ?) AND id >= ? AND id < ?
      AND id NOT IN (SELECT page_id FROM gone) ORDER BY id LIMIT ?`;
    const rows = this.#file.all(ID_ROW, which, site, from, this.#file.ownPageCount, limit);
    return Uint32Array.from(rows, ({ id }) => id);
  }
}
