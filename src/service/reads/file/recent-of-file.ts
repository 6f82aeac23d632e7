import type { RecentPage } from '../../../store/read/pages/recent-pages.ts';
import type { Work } from '../work.ts';
import type { OpenFile } from './open-file.ts';

/** Of a page, where all are put in the order of time. */
const AGE_US = 2;
/** Of a page that is found by its age: a number, a date and the object around them. */
const AGE_BYTES = 100;

/** The newest pages of a file, by their places: kept for as long as it is open, whatever waits for it. */
export function recentOfFile(
  { facts, found, reader }: OpenFile,
  work: Work,
  count: number,
): Promise<readonly RecentPage[]> {
  const sizeOf = (pages: readonly unknown[]) => pages.length * AGE_BYTES;
  return found.by(`recent ${count}`, { lost: [] }, sizeOf, async () => {
    work.spend(facts.pageCount * AGE_US);
    return reader.recentPages(count);
  });
}
