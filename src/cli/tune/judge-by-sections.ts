import type { IndexReader } from '../../store/read/reader.ts';
import { folderOf, type Judge } from './judge.ts';
import { judgeByLabels } from './judge-by-labels.ts';

/**
 * Pages of one folder of one host are related, by their URLs. It rewards what the frame of a section repeats. A section
 * with most of the pages tells none apart.
 */
export function judgeBySections(reader: IndexReader, fetched: readonly number[]): Judge {
  const sections = new Map<number, ReadonlySet<string>>();
  const sizes = new Map<string, number>();
  for (const page of fetched) {
    const section = folderOf(reader.page(page).url);
    sections.set(page, new Set([section]));
    sizes.set(section, (sizes.get(section) ?? 0) + 1);
  }
  const tooLarge = sections.size / 2;
  for (const [page, [section]] of sections) if (sizes.get(section!)! > tooLarge) sections.delete(page);
  return { ...judgeByLabels(sections), name: 'sections' };
}
