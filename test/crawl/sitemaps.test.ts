import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readSitemap } from '../../src/crawl/response/sitemap.ts';
import { archivedUrls, crawlTo, pages, serve, temporaryFolder } from './loopback.ts';

test('sitemaps of robots.txt, lists of sitemaps, packed ones, and one given as a seed are read', async (t) => {
  const xml = (root: string, ...urls: string[]) =>
    `<?xml version="1.0"?><${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc> ${url} </loc></url>`).join('')}</${root}>`;
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

test('only what is of the namespace of sitemaps is a page: not the images and videos beside it', () => {
  const read = (text: string) => readSitemap({ headers: [], body: Buffer.from(text) }, new Map())?.urls;
  const [of, ofImages] = [
    'http://www.sitemaps.org/schemas/sitemap/0.9',
    'http://www.google.com/schemas/sitemap-image/1.1',
  ];
  const image = '<image:image><image:loc>http://a.example/a.jpg</image:loc></image:image>';
  const page = '<loc>http://a.example/a</loc>';
  const pages = ['http://a.example/a', 'http://a.example/b'];
  const video = `<video:video><video:player_loc>http://a.example/v</video:player_loc></video:video>`;
  const next =
    '<url><lastmod>2026-01-01<loc>http://a.example/a.gif</loc></url><url lang="x"><loc\n>http://a.example/b</loc></url>';
  const names = `xmlns="${of}" xmlns:image="${ofImages}" xmlns:video="x"`;
  assert.deepEqual(
    read(`<urlset ${names}><url>${image}${page}${image}${video}</url>${next}</urlset>`),
    pages,
  );
  const inOwn = `<image xmlns="${ofImages}">${page.replace('/a<', '/a.png<')}</image>`;
  assert.deepEqual(read(`<urlset><url>${page}${inOwn}<image:x/></url>${next}</urlset>`), pages);
  const prefixed = '<s:url><s:loc>http://a.example/a</s:loc><loc>http://a.example/a.webp</loc></s:url>';
  assert.deepEqual(read(`<s:urlset xmlns:s='${of}' xmlns="${ofImages}">${prefixed}</s:urlset>`), [pages[0]]);
  const mixed = `<url>${image}<s:loc>http://a.example/a</s:loc></url>${next}`;
  assert.deepEqual(read(`<urlset xmlns:s='${of}' ${names}>${mixed}</urlset>`), pages);
  const lists = `<sitemap>${page}</sitemap>`;
  assert.deepEqual(read(`<sitemapindex ${names}>${lists}</sitemapindex>`), [pages[0]]);
  assert.equal(read(`<urlset>${'<a>'.repeat(200_000)}<url>${page}`)?.length, 1);
});

test('a seed is read as the sitemap or feed that its content shows it to be, in each sweep', async (t) => {
  const item = (path: string) => `<item><link>http://a.example/${path}</link></item>`;
  let feed = item('of-feed');
  const typed = (type: string, body: () => string) => (response: import('node:http').ServerResponse) =>
    response.writeHead(200, { 'content-type': type }).end(body());
  const web = await serve(
    t,
    pages({
      'http://a.example/feed': typed(
        'application/rss+xml',
        () => `\n<?xml version="1.0"?><!-- x --><rss>${feed}</rss>`,
      ),
      'http://a.example/map': typed('text/html', () => '<urlset><url><loc>/of-map</loc></url></urlset>'),
      'http://a.example/sitemap-1.txt': typed('text/plain', () => 'http://a.example/of-text\n'),
      'http://a.example/page': typed(
        'text/html',
        () => '<title>t</title><pre><rss></pre><a href="/feed-of-page">',
      ),
      'http://a.example/feed-of-page': typed('text/xml', () => `<rss>${item('never')}</rss>`),
    }),
  );
  const folder = temporaryFolder(t);
  const seeds = ['feed', 'map', 'sitemap-1.txt', 'page'].map((path) => `http://a.example/${path}`);
  const { state } = await crawlTo({ folder, resolve: web.resolve, seeds });
  const paths = () => new Set(web.hits.map(({ path }) => path));
  assert.deepEqual([state.counts.sitemaps, paths().has('/never')], [3, false]);
  for (const path of ['/of-feed', '/of-map', '/of-text']) assert.ok(paths().has(path), path);
  assert.ok(!(await archivedUrls(folder)).includes('http://a.example/feed'));
  feed += item('of-later');
  await crawlTo({ folder, resolve: web.resolve, mode: 'recrawl' });
  assert.ok(paths().has('/of-later'));
});

test('a sitemap of a host of another part is a sitemap there', async (t) => {
  const hosts = Array.from({ length: 12 }, (_, i) => `http://h${i}.example`);
  const lists = hosts.map((host) => `<sitemap><loc>${host}/map</loc></sitemap>`).join('');
  const of = (host: string) => ({
    [`${host}/map`]: `<urlset><url><loc>${host}/listed</loc></url></urlset>`,
    [`${host}/listed`]: 'a page',
    [`${host}/lists.xml`]: `<sitemapindex>${lists}</sitemapindex>`,
  });
  const web = await serve(t, pages(Object.assign({}, ...hosts.map(of))));
  const folders = [temporaryFolder(t), temporaryFolder(t)];
  const settings = (part: number) => ({ scope: 'any' as const, parts: 2, part });
  const given = { resolve: web.resolve, seeds: hosts.map((host) => `${host}/lists.xml`) };
  await crawlTo({ ...given, folder: folders[0]!, settings: settings(1) });
  const seeds = [join(folders[0]!, 'for-part-2.urls')];
  await crawlTo({ ...given, folder: folders[1]!, settings: settings(2), seeds });
  const [one, two] = await Promise.all(folders.map(archivedUrls));
  assert.ok(one!.length > 0 && two!.length > 0);
  assert.deepEqual([...one!, ...two!].sort(), hosts.map((host) => `${host}/listed`).sort());
});
