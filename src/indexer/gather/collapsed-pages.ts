import { ByteReader } from '../files/bytes.ts';
import { readRecords } from '../files/record-file.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import { type CollapsedFacts, readCollapsedFacts } from './collapsed-record.ts';
import { PAGES_FILE } from './merge.ts';

/** Every page of the index, in the order of ids, without its words. */
export function* collapsedPages(folder: WorkFiles): IterableIterator<CollapsedFacts> {
  for (const bytes of readRecords(folder.file(PAGES_FILE))) yield readCollapsedFacts(new ByteReader(bytes));
}

/** URL and title of every page. */
export function* pageNames(folder: WorkFiles): IterableIterator<{ url: string; title: string }> {
  for (const bytes of readRecords(folder.file(PAGES_FILE))) {
    const from = new ByteReader(bytes);
    yield { url: from.ascii(), title: from.text() };
  }
}
