import { ByteReader } from '../../files/records/bytes.ts';
import { PAGES } from '../../files/records/stage-files.ts';
import type { WorkFiles } from '../../files/work-folder.ts';
import {
  type CollapsedCopies,
  type CollapsedFacts,
  type CollapsedLinks,
  readCollapsedCopies,
  readCollapsedFacts,
  readCollapsedHead,
  readCollapsedLinks,
} from './collapsed-record.ts';

/** Every page of the index, in the order of ids, without its words. */
export function* collapsedPages(folder: WorkFiles): IterableIterator<CollapsedFacts> {
  for (const bytes of PAGES.records(folder)) yield readCollapsedFacts(new ByteReader(bytes));
}

/** The same for links alone: a third of the time. */
export function* collapsedLinks(folder: WorkFiles): IterableIterator<CollapsedLinks> {
  for (const bytes of PAGES.records(folder)) yield readCollapsedLinks(new ByteReader(bytes));
}

/** The same for the copy relation and the search. */
export function* collapsedCopies(folder: WorkFiles): IterableIterator<CollapsedCopies> {
  for (const bytes of PAGES.records(folder)) yield readCollapsedCopies(new ByteReader(bytes));
}

/** URL and title of every page. */
export function* pageNames(folder: WorkFiles): IterableIterator<{ url: string; title: string }> {
  for (const bytes of PAGES.records(folder)) yield readCollapsedHead(new ByteReader(bytes));
}

/** URL of every page. */
export function* pageUrls(folder: WorkFiles): IterableIterator<string> {
  for (const bytes of PAGES.records(folder)) yield new ByteReader(bytes).ascii();
}
