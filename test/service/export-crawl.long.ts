/** Everything out of a real crawl at once is what its questions say one by one, in seconds and in memory that does not grow. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { CRAWL_PAGES, crawlPages, skipWithoutCrawl } from '../../bench/corpora/crawl-pages.ts';
import { Random } from '../../src/lib/random.ts';
import { buildIndex } from '../../src/library/build.ts';
import { buildApp } from '../../src/service/app.ts';
import { temporaryFolder } from '../indexer/build.ts';
import { type Body, pathOf } from './fixture-app.ts';

/** One page in so many is asked for by itself. */
const ONE_IN = Math.max(1, Math.round(CRAWL_PAGES / 3000));
const MOST_MEBIBYTES = 400;

test('the export of a crawl is what GET /related says of its pages', {
  skip: skipWithoutCrawl,
}, async (t) => {
  const to = join(temporaryFolder(t), 'crawl.akin');
  await buildIndex({ inputs: [crawlPages()], to });
  const app = await buildApp({ indexPath: to, pollMs: 0, maxEventLoopDelayMs: 0 });
  t.after(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  const before = process.memoryUsage.rss();
  const random = new Random(5);
  const checked = new Map<string, Body[]>();
  let [rowCount, pageCount, last, most] = [0, 0, '', 0];
  const startedMs = performance.now();
  for await (const line of linesOf(app.server.address() as AddressInfo, '/export/related?limit=10')) {
    const { url, rank, ...row } = JSON.parse(line) as Body;
    rowCount++;
    if (url !== last) {
      last = url;
      if (pageCount++ % 200 === 0) most = Math.max(most, process.memoryUsage.rss() - before);
      if (random.below(ONE_IN) === 0) checked.set(url, []);
    }
    checked.get(url)?.push({ rank, ...row });
  }
  const seconds = (performance.now() - startedMs) / 1000;
  assert.ok(checked.size > CRAWL_PAGES / ONE_IN / 4, `${checked.size} pages are asked for`);
  for (const [url, rows] of checked) {
    const answer = await app.inject(pathOf('/related', { url, limit: 10, fetched: 'only' }));
    const expected = answer
      .json()
      .related.map(({ url: related_url, title: related_title, ...rest }: Body, i: number) => ({
        rank: i + 1,
        related_url,
        related_title,
        ...rest,
      }));
    assert.deepEqual(rows, expected, url);
  }
  const mebibytes = Math.round(most / 2 ** 20);
  t.diagnostic(
    `${rowCount} rows of ${pageCount} pages in ${seconds.toFixed(1)} s, ${mebibytes} MiB; ${checked.size} asked for`,
  );
  assert.ok(mebibytes < MOST_MEBIBYTES, `${mebibytes} MiB more while it ran`);
});

/** Lines of an answer as they come, in chunks of HTTP/1.0: the connection ends them. */
async function* linesOf({ port }: AddressInfo, path: string): AsyncGenerator<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.0\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
  let isBody = false;
  for await (const line of createInterface({ input: socket })) {
    if (isBody) yield line;
    else isBody = line === '';
  }
}
