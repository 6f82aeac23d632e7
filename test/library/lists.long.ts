/** `lists()` of a real crawl has the answer of `GET /related` for each of its pages, those known by links alone too. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { archivedPages, type JsonlRecord } from '../../bench/corpora/jsonl.ts';
import { buildIndex } from '../../src/library/build.ts';
import { openIndex } from '../../src/library/index-questions.ts';
import { buildApp } from '../../src/service/app.ts';
import { temporaryFolder } from '../indexer/build.ts';
import { pathOf } from '../service/fixture-app.ts';

const ARCHIVE = 'uci-crawl/html.tar.zst';
/** All of its 53,293 pages take minutes: `AKIN_TEST_PAGES=60000`. */
const PAGES = Number(process.env['AKIN_TEST_PAGES'] ?? 6000);
const isThere = existsSync(new URL(`../../../shared/data/${ARCHIVE}`, import.meta.url));

async function* pages(): AsyncGenerator<JsonlRecord> {
  let count = 0;
  for await (const page of archivedPages(ARCHIVE, 'uci-crawl/pages.tsv.zst')) {
    if (count++ === PAGES) return;
    yield page;
  }
}

test('the list of every page of a crawl is that of the service', {
  skip: isThere ? false : 'uci-crawl is not in ../shared/data',
}, async (t) => {
  const to = join(temporaryFolder(t), 'crawl.akin');
  const { pageCount } = await buildIndex({ inputs: [pages()], to, copies: false });
  const app = await buildApp({ indexPath: to, pollMs: 0, maxEventLoopDelayMs: 0 });
  t.after(() => app.close());
  await using index = await openIndex(to, { preload: true });
  let count = 0;
  for await (const list of index.lists({ limit: 5 })) {
    const { statusCode, body } = await app.inject(pathOf('/related', { url: list.url, limit: 5 }));
    assert.equal(statusCode, 200, list.url);
    assert.deepEqual(JSON.parse(body), JSON.parse(JSON.stringify(list)), list.url);
    count++;
  }
  assert.equal(count, pageCount);
  t.diagnostic(`${count} lists`);
});
