/** Where a page leads, besides its links. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { archivedUrls, crawlTo, links, pages, serve, temporaryFolder } from './loopback.ts';

test('the canonical URL in a Link header is followed as the one in a page is', async (t) => {
  const web = await serve(
    t,
    pages({
      'http://a.example/': (response) =>
        response
          .writeHead(200, {
            'content-type': 'text/html',
            link: '</style.css>; rel=preload, <caf\u00e9>; rel="canonical"',
          })
          .end('a page'),
      'http://a.example/caf%C3%A9': 'the same page',
    }),
  );
  const folder = temporaryFolder(t);
  await crawlTo({ folder, resolve: web.resolve, seeds: ['http://a.example/'] });
  assert.deepEqual(await archivedUrls(folder), ['http://a.example/', 'http://a.example/caf%C3%A9']);
});

test('where a page sends its readers by a meta refresh is followed as a link', async (t) => {
  const sent = (to: string, more = '') => `${more}<meta http-equiv=refresh content="0; url=${to}">`;
  const web = await serve(
    t,
    pages({
      'http://a.example/': sent('/en/'),
      'http://a.example/en/': `English ${links('/closed')}`,
      'http://a.example/closed': sent('/secret', '<meta name=robots content=nofollow>'),
      'http://a.example/secret': 'secret',
    }),
  );
  const folder = temporaryFolder(t);
  await crawlTo({ folder, resolve: web.resolve, seeds: ['http://a.example/'] });
  assert.deepEqual(
    await archivedUrls(folder),
    ['', 'closed', 'en/'].map((path) => `http://a.example/${path}`),
  );
});
