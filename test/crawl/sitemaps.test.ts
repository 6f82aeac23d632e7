import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { archivedUrls, crawlTo, pages, serve, temporaryFolder } from './loopback.ts';

test('sitemaps of robots.txt, lists of sitemaps, packed ones, and one given as a seed are read', async (t) => {
  const xml = (root: string, ...urls: string[]) =>
    `<?xml version="1.0"?><${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<u><loc> ${url} </loc></u>`).join('')}</${root}>`;
  const web = await serve(
    t,
    pages({
      'http://a.example/robots.txt': ['index.xml', 'list.txt', 'rss', 'atom', 'none.txt']
        .map((path) => `Sitemap: http://a.example/${path}\n`)
        .join(''),
      'http://a.example/list.txt': '\ufeffhttp://a.example/of-text\r\n\r\nhttp://a.example/of-text?2\n',
      'http://a.example/rss':
        '<rss><channel><link>http://a.example/of-rss</link><item><link><![CDATA[ http://a.example/of-item ]]></link></item></channel></rss>',
      'http://a.example/atom':
        '<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="http://other.example/"/><entry><link href=\'http://a.example/of-atom\'/></entry></feed>',
      'http://a.example/none.txt': 'http://a.example/never\nis no list of URLs',
      'http://a.example/index.xml': xml(
        'sitemapindex',
        'http://a.example/packed.xml.gz',
        'http://a.example/index.xml',
      ),
      'http://a.example/packed.xml.gz': (response) => {
        response.writeHead(200, { 'content-type': 'application/gzip' });
        response.end(gzipSync(xml('urlset', 'http://a.example/p?a=1&amp;b=2', 'http://other.example/')));
      },
      'http://a.example/seed.xml': xml('urlset', '<![CDATA[http://a.example/cdata?a&b]]>'),
      'http://a.example/p?a=1&b=2': 'p',
      'http://a.example/cdata?a&b': 'c',
    }),
  );
  const folder = temporaryFolder(t);
  const { state } = await crawlTo({ folder, resolve: web.resolve, seeds: ['http://a.example/seed.xml'] });
  const listed = ['cdata?a&b', 'of-atom', 'of-item', 'of-rss', 'of-text', 'of-text?2', 'p?a=1&b=2'];
  assert.deepEqual(
    await archivedUrls(folder),
    listed.map((path) => `http://a.example/${path}`),
  );
  assert.equal(state.counts.sitemaps, 7);
});

test('each sweep reads the sitemaps that were seeds, wherever they lead', async (t) => {
  const listed = ['http://www.a.example/first'];
  const web = await serve(t, (request, response) => {
    const { host, url } = { host: request.headers.host, url: request.url };
    if (host === 'a.example')
      return response.writeHead(301, { location: 'http://www.a.example/map.xml' }).end();
    if (url !== '/map.xml') return response.end(url);
    return response.end(`<urlset>${listed.map((one) => `<loc>${one}</loc>`).join('')}</urlset>`);
  });
  const folder = temporaryFolder(t);
  const given = { folder, resolve: web.resolve, settings: { scope: 'host' as const } };
  await crawlTo({ ...given, seeds: ['http://a.example/map.xml'] });
  assert.deepEqual(await archivedUrls(folder), ['http://www.a.example/first']);
  listed.push('http://www.a.example/second');
  const { state } = await crawlTo({ ...given, mode: 'recrawl' });
  assert.deepEqual([state.counts.sitemaps, state.counts.pages], [2, 2]);
  assert.ok((await archivedUrls(folder)).includes('http://www.a.example/second'));
});
