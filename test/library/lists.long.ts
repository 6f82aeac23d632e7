/** `lists()` of a real crawl has the answer of `GET /related` for each of its pages, those known by links alone too. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { crawlPages, skipWithoutCrawl } from '../../bench/corpora/crawl-pages.ts';
import { buildIndex } from '../../src/library/build.ts';
import { openIndex } from '../../src/library/index-questions.ts';
import { buildApp } from '../../src/service/app.ts';
import { temporaryFolder } from '../indexer/build.ts';
import { pathOf } from '../service/fixture-app.ts';

test('the list of every page of a crawl is that of the service', {
  skip: skipWithoutCrawl,
}, async (t) => {
  const to = join(temporaryFolder(t), 'crawl.akin');
  const { pageCount } = await buildIndex({ inputs: [crawlPages()], to, copies: false });
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
