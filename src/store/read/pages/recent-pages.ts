import type { IndexFile } from '../../index-file.ts';
import { rowShape } from '../../stored-values.ts';

/** A page by its age. */
export interface RecentPage {
  readonly pageId: number;
  /** As it says, in the order of time; null where it does not. */
  readonly publishedAt: string | null;
  /** The first sweep that read it. */
  readonly sweepId: number;
}

const AGE_ROW = rowShape<RecentPage>(
  `page JOIN (SELECT page_id, min(sweep_id) AS first_sweep_id FROM capture GROUP BY page_id) AS seen ON seen.page_id = page.id
   LEFT JOIN card ON card.page_id = page.id`,
  {
    pageId: ['count', 'page.id'],
    publishedAt: ['text or null', 'published_at'],
    sweepId: ['count', 'first_sweep_id'],
  },
);
const NEWEST = `WHERE page.id < ? AND page.id NOT IN (SELECT page_id FROM gone)
  ORDER BY published_at DESC, first_sweep_id DESC, page.id LIMIT ?`;

/** The latest published first, then what does not say when it was, of the latest sweep first; ties by page id. */
export function newestFirst(a: RecentPage, b: RecentPage): number {
  const [ofA, ofB] = [a.publishedAt ?? '', b.publishedAt ?? ''];
  if (ofA !== ofB) return ofB > ofA ? 1 : -1;
  return b.sweepId - a.sweepId || a.pageId - b.pageId;
}

/**
 * The first `count` pages in the order of `newestFirst`, of those that were read and are there.
 *
 * Cost  a walk over all pages, some 2 us each.
 */
export function recentPages(file: IndexFile, count: number): RecentPage[] {
  return file.all(AGE_ROW, NEWEST, file.ownPageCount, count);
}
