import { decodeText } from '../../store/blobs/sketch-blobs.ts';
import { SearchWriter } from '../../store/write/search/search-writer.ts';
import type { IndexWriter } from '../../store/write/writer.ts';
import { siteOf } from '../../url/site.ts';
import { SEARCH_ROWS, SEARCH_WORDS } from '../files/records/stage-files.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import { collapsedCopies } from '../gather/records/collapsed-pages.ts';
import { unpackCopy } from '../gather/records/copy-record.ts';
import type { CopyOptions, DisplayOptions } from '../options/build-options.ts';
import type { FormerIndex } from './former-index.ts';

/** Whether pages are found by their words: where their texts are kept. */
export function isSearched({ search, copies, keepText }: CopyOptions & DisplayOptions): boolean {
  return search && copies && keepText;
}

/**
 * Makes the rows of the search, by the words of titles and texts of the pages that are not gone.
 *
 * Memory  `memoryBytes` for words, and 4 bytes a page; what does not fit waits in a file of the folder.
 * @param ownPageCount of a shard, whose other pages are only named.
 * @param former whose words of pages are taken over, where pages are as they were.
 */
export function writeSearch(
  insert: IndexWriter['row'],
  folder: WorkFiles,
  memoryBytes: number,
  former: FormerIndex | null,
  ownPageCount = Number.POSITIVE_INFINITY,
): void {
  const writer = new SearchWriter(insert, folder.file(SEARCH_WORDS), memoryBytes, former?.search ?? null);
  try {
    const siteIds = new Map<string, number>();
    let id = 0;
    for (const { url, title, page, past } of collapsedCopies(folder)) {
      if (id === ownPageCount) break;
      const site = siteOf(url);
      if (!siteIds.has(site)) siteIds.set(site, siteIds.size);
      if (page !== null || past.length === 0) {
        const searched = { id, siteId: siteIds.get(site)!, lang: page?.lang || null };
        const formerId = former?.find(url, title, page?.textDigest ?? null) ?? -1;
        if (formerId < 0 || !writer.keep(searched, formerId)) {
          writer.add({ ...searched, title, text: page === null ? '' : textOf(page.copy) });
        }
      }
      id++;
    }
    writer.finish();
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

/** '' where it is not kept. */
function textOf(copy: Uint8Array): string {
  const packed = copy.length === 0 ? null : unpackCopy(copy).text;
  return packed === null ? '' : decodeText(packed).text;
}

/** Leaves the rows in a file, for `insertSearch`. */
export function saveSearch(folder: WorkFiles, memoryBytes: number, former: FormerIndex | null): void {
  const file = SEARCH_ROWS.writer(folder);
  try {
    const insert = (table: string, ...values: unknown[]) =>
      file.push({ table, values: values as (string | number | Uint8Array)[] });
    writeSearch(insert, folder, memoryBytes, former);
    file.end();
  } finally {
    file.abandon();
  }
}

export function insertSearch(writer: IndexWriter, folder: WorkFiles): void {
  for (const { table, values } of SEARCH_ROWS.records(folder)) writer.row(table, ...values);
}
