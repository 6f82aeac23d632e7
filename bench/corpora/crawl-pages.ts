/** The first pages of a real crawl, for long checks. */
import { existsSync } from 'node:fs';
import { archivedPages, type JsonlRecord } from './jsonl.ts';

const ARCHIVE = 'uci-crawl/html.tar.zst';
/** All of its 53,293 pages take minutes: `AKIN_TEST_PAGES=60000`. */
export const CRAWL_PAGES = Number(process.env['AKIN_TEST_PAGES'] ?? 6000);

/** Why a test of it is skipped; false where the crawl is there. */
export const skipWithoutCrawl = existsSync(new URL(`../../../shared/data/${ARCHIVE}`, import.meta.url))
  ? false
  : 'uci-crawl is not in ../shared/data';

export async function* crawlPages(): AsyncGenerator<JsonlRecord> {
  let count = 0;
  for await (const page of archivedPages(ARCHIVE, 'uci-crawl/pages.tsv.zst')) {
    if (count++ === CRAWL_PAGES) return;
    yield page;
  }
}
