/** Where a page leads besides its links, and where the crawler that it names does not go. */
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

test('links in noscript are followed, where it sends readers without script is not', async (t) => {
  const web = await serve(
    t,
    pages({
      'http://a.example/': `<base href=/in/><noscript><meta http-equiv=refresh content="0; url=/no-script"></noscript>
        <p>a page<noscript><ul><li>${links('b', '/c?x=1&amp;y=2')}<!-- ${links('/d')} --><a rel=nofollow href=/d>d</a></ul></noscript>
        <template><noscript>${links('/d')}</noscript></template><script>'<noscript>${links('/d')}'</script>`,
      'http://a.example/in/b': `<noscript><meta name=robots content=nofollow>${links('/d')}</noscript>`,
      'http://a.example/c?x=1&y=2': `<meta name=robots content=nofollow><noscript>${links('/d')}</noscript>`,
      'http://a.example/d': 'nowhere linked',
    }),
  );
  const folder = temporaryFolder(t);
  await crawlTo({ folder, resolve: web.resolve, seeds: ['http://a.example/'] });
  assert.deepEqual(
    await archivedUrls(folder),
    ['', 'c?x=1&y=2', 'in/b'].map((path) => `http://a.example/${path}`),
  );
});

test('what pages and heads say to a crawler by its name is obeyed by that one', async (t) => {
  const headed = (value: string, to: string) => (response: import('node:http').ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/html', 'x-robots-tag': value }).end(links(to));
  const meta = (name: string, to: string) => `<meta name="${name}" content="nofollow">${links(to)}`;
  const web = await serve(
    t,
    pages({
      'http://a.example/': links('/1', '/2', '/3', '/4', '/5', '/6'),
      'http://a.example/1': meta('MyBot', '/x'),
      'http://a.example/2': meta('mybot2', '/x'),
      'http://a.example/3': headed('noarchive, MyBot/1.0: nofollow', '/x'),
      'http://a.example/4': meta('akin', '/one'),
      'http://a.example/5': meta('mybot:key', '/two'),
      'http://a.example/6': headed('otherbot: nofollow, my: none', '/three'),
    }),
  );
  const settings = { userAgent: 'MyBot2/1.0 (akin)' };
  await crawlTo({ folder: temporaryFolder(t), resolve: web.resolve, seeds: ['http://a.example/'], settings });
  const paths = web.hits.map(({ path }) => path);
  assert.deepEqual(paths.slice(0, 2), ['/robots.txt', '/']);
  assert.deepEqual(paths.slice(2).sort(), ['/1', '/2', '/3', '/4', '/5', '/6', '/one', '/three', '/two']);
});
