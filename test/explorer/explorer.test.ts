/** The pages for people over a hand-made index: what stands in them, where they lead, and what they are served with. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { addExplorer } from '../../src/explorer/explorer.ts';
import { longTest } from '../long-test.ts';
import { fixtureApp, pathOf } from '../service/fixture-app.ts';
import { BAKERY, GARDEN, HERBARIUM, MOVED, TINY, TWIN } from '../service/fixture-index.ts';
import { HOSTILE_FIELDS, HOSTILE_NAMES, HOSTILE_TITLES, hostileIndex, hostileUrl } from './hostile-index.ts';
import { type Page, parsed } from './parsed-page.ts';

const index = await hostileIndex({ after });
const app = await fixtureApp(index, { extend: addExplorer });

async function open(path: string, query: Record<string, string> = {}): Promise<Page> {
  const answer = await app.inject({ url: pathOf(path, query), headers: { accept: 'text/html' } });
  return parsed(answer.statusCode, answer.headers, answer.body);
}

const PATHS: readonly [path: string, query?: Record<string, string>][] = [
  ['/'],
  ['/explore/page', { url: `${GARDEN}0` }],
  ['/explore/page', { url: TINY }],
  ['/explore/map', { url: `${GARDEN}0` }],
  ['/explore/map', { url: TINY }],
  ['/explore/compare', { a: `${BAKERY}0`, b: TWIN }],
  ['/explore/compare'],
  ['/explore/topics'],
  ['/explore/topics', { level: '0', sort: 'label' }],
  ['/explore/topics', { label: 'no such topic' }],
  ['/explore/sites'],
  ['/explore/sites', { name: 'no such site' }],
  ['/explore/sites', { site: 'garden.example', lang: 'en' }],
  ['/explore/copies'],
  ['/explore/search', { q: 'rose thorn' }],
  ['/explore/search', { q: 'qwertzuiop' }],
  ['/explore/text'],
  ['/explore/text', { text: 'bread dough and yeast' }],
  ['/explore/moved', { url: MOVED }],
  ['/explore/moved'],
  ['/explore/changes'],
  ['/explore/changes', { news: 'lost' }],
];

test('every page is a whole document with a title, one heading, a way on, and links that lead somewhere', async () => {
  const seen = new Map<string, number>();
  for (const [path, query] of PATHS) {
    const { status, headers, html, elements, links } = await open(path, query);
    const name = pathOf(path, query);
    assert.equal(status, 200, name);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8', name);
    assert.match(html, /^<!doctype html>\n<html lang="en">/, name);
    assert.match(html, /<title>[^<]{3,100} - akin<\/title>/, name);
    assert.equal(elements.filter((element) => element.name === 'h1').length, 1, name);
    assert.ok(html.length < 100_000, name);
    for (const link of links.slice(0, 12)) if (!seen.has(link)) seen.set(link, 0);
  }
  for (const link of seen.keys()) seen.set(link, (await app.inject({ url: link })).statusCode);
  const broken = [...seen].filter(([, status]) => ![200, 302, 303].includes(status));
  assert.deepEqual(broken, []);
  assert.ok(seen.size > 50, `${seen.size} links`);
});

test('a page lists what the API lists, in its order, with the words that both share', async () => {
  const url = `${GARDEN}0`;
  const query = { url, limit: '10', explain: 'true', fetched: 'only', exclude_copies: 'true', cards: 'true' };
  const { related } = JSON.parse((await app.inject(pathOf('/related', query))).body);
  const page = await open('/explore/page', { url });
  const shown = page.links
    .filter((link) => link.startsWith('/explore/page?url='))
    .map(urlIn)
    .filter((one) => one !== url);
  assert.deepEqual(
    shown.slice(0, related.length),
    related.map((one: { url: string }) => one.url),
  );
  for (const { term } of related[0].why.terms.slice(0, 3)) assert.ok(page.text.includes(term), term);
  const json = page.elements.find(({ attributes }) => attributes['href']?.startsWith('/related?'))!
    .attributes['href']!;
  assert.deepEqual(JSON.parse((await app.inject(json)).body).related, related);
  assert.match(page.text, /Rose garden lesson "0" <b>/);

  const others = await open('/explore/page', { url, sites: 'exclude' });
  assert.ok(!others.text.includes('this site compare'));
  assert.ok(others.links.some((link) => link.startsWith('/explore/page') && urlIn(link) === HERBARIUM));
});

test('a page shows the fields that its owner gave it, as text', async () => {
  const { text } = await open('/explore/page', { url: hostileUrl('template') });
  const { price, tags, word } = HOSTILE_FIELDS;
  assert.ok(text.includes(`price: ${price} · tags: ${tags.join(', ')} · word: ${word}`));
  const { text: plain } = await open('/explore/page', { url: `${GARDEN}0` });
  assert.doesNotMatch(plain, /price:/);
});

const urlIn = (link: string) => new URL(link, 'http://a.example').searchParams.get('url');

test('copies are listed apart, with their shares, and are compared passage by passage', async () => {
  const page = await open('/explore/page', { url: TWIN });
  assert.match(page.text, /Copies .*Bread book 0.* It has (9\d|more than 99) % of this text/);
  const compared = await open('/explore/compare', { a: `${BAKERY}0`, b: TWIN });
  assert.match(compared.text, /100 % of A is in B/);
  const ids = compared.elements
    .map(({ attributes }) => attributes['id'])
    .filter((id) => /^[ab]-\d/.test(id ?? ''));
  assert.deepEqual(ids.toSorted(), ['a-0', 'b-0']);
  const jumps = compared.elements
    .map(({ attributes }) => attributes['href'])
    .filter((href) => /^#[ab]-0$/.test(href ?? ''));
  assert.deepEqual(new Set(jumps), new Set(['#a-0', '#b-0']));
  assert.match(compared.html, /<\/mark><\/a> and a note at the end/);
});

test('a text is answered by GET where it is short, and by the form as text, HTML or file', async () => {
  const text = 'bread dough and yeast in the oven';
  const byAddress = await open('/explore/text', { text });
  assert.match(byAddress.text, /a text of 7 words.*Nearest pages .*Bread book/);
  const post = async (fields: Record<string, string | File>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const sent = new Response(form);
    const payload = Buffer.from(await sent.arrayBuffer());
    const headers = { 'content-type': sent.headers.get('content-type')! };
    return app.inject({ method: 'POST', url: '/explore/text', headers, payload });
  };
  assert.equal((await post({ text })).headers['location'], pathOf('/explore/text', { text }));
  const long = await post({ text: `${text} `.repeat(100), file: new File([], '') });
  assert.equal(long.headers['cache-control'], 'no-store');
  assert.match(long.body, /a text of 700 words[\s\S]*Bread book/);
  const file = new File(['<html><title>Wheels</title><p>spoke chain sprocket pedal'], 'w.html', {
    type: 'text/html',
  });
  assert.match(
    (await post({ text: '', file })).body,
    /HTML of .* from the file <bdi>w.html<\/bdi>[\s\S]*Bicycle repair/,
  );
  assert.match((await post({ text: ' ' })).body, /role="alert">Paste a text, or choose a file/);
  // Their bytes are few, and each of them would be an object.
  const part = (name: string, head = '') =>
    `--"b"\r\nContent-Disposition: form-data; name="${name}"${head}\r\n\r\n${text}\r\n`;
  const end = '--"b"--\r\n';
  const quoted = 'multipart/form-data; boundary="\\"b\\""';
  for (const [type, payload, status] of [
    [quoted, part('text') + end, 303],
    [quoted, part('a').repeat(8) + part('text') + end, 303],
    [quoted, part('a').repeat(40_000) + part('text') + end, 400],
    [quoted, part('text', '\r\na: b'.repeat(100_000)) + end, 400],
    ['multipart/form-data; boundary=x', 'no form', 400],
    ['application/x-www-form-urlencoded', 'text=a&a', 415],
  ] as const) {
    const headers = { 'content-type': type };
    const refused = await app.inject({ method: 'POST', url: '/explore/text', headers, payload });
    assert.equal(refused.statusCode, status, type);
  }
});

test('what is not there says so, and what to try next', async () => {
  const unknown = await open('/explore/page', { url: 'https://garden.example/roses/77' });
  assert.equal(unknown.status, 404);
  assert.equal(unknown.headers['cache-control'], 'no-store');
  assert.match(
    unknown.text,
    /Not in this index .*The nearest addresses that it has .*garden\.example\/roses\//,
  );
  const lettered = await open('/explore/page', { url: 'https://müller.example/roses/77' });
  assert.match(lettered.text, /Not in this index müller\.example\/roses\/77 /);
  const outside = lettered.elements.find(({ attributes }) => attributes['class'] === 'outside');
  assert.equal(outside?.attributes['href'], 'https://xn--mller-kva.example/roses/77');
  assert.match((await open('/explore/page', { url: 'nonsense' })).text, /cannot be used/);
  assert.equal((await open('/explore/page', { url: 'nonsense' })).status, 400);
  assert.equal((await open('/explore/topics/none')).status, 404);
  assert.equal((await open('/explore/nothing')).status, 404);
  assert.match((await open('/explore/page', { url: TINY })).text, /fewer than three words/);
  assert.match((await open('/explore/search', { q: 'qwertzuiop' })).text, /No page has these words/);
  assert.match(
    (await open('/explore/search', { q: 'rose' })).text,
    /any language English \(\d+\) German \(1\)/,
  );
  // A word that was corrected may stand inside another one.
  const mended = await open('/explore/search', { q: '-petlax petla' });
  assert.match(mended.text, /Results for -petlax petal\./);
  assert.ok(mended.links.includes(pathOf('/explore/search', { q: '-petlax "petla"' })));
});

test('an address that is none leads back into the explorer, and stays a problem for programs', async () => {
  const page = await open('/nope');
  assert.equal(page.status, 404);
  assert.ok(page.links.includes('/explore/topics'));
  assert.match(page.text, /\/nope is not a path of this service/);
  const answer = await app.inject({ url: '/nope', headers: { accept: 'application/json' } });
  assert.equal(answer.json().code, 'route-not-found');
});

test('of related pages the words that both have are marked in both texts, in every form', async () => {
  const [a, b] = [`${GARDEN}0`, `${GARDEN}3`];
  const { topic, passages, ...texts } = (
    await app.inject({
      method: 'POST',
      url: '/compare?include_text=true',
      payload: { a: { url: a }, b: { url: b } },
    })
  ).json();
  assert.deepEqual(passages, []);
  assert.ok(topic.terms.length > 1);
  const page = await open('/explore/compare', { a, b });
  for (const { term } of topic.terms) assert.match(page.text, new RegExp(`Both speak of[^]*${term}`));
  const marked = [...page.html.matchAll(/<mark class="strength-\d">([^<]+)<\/mark>/g)].map(
    ([, word]) => word!,
  );
  // Every occurrence of the strongest term, in the form that it is named by, in both texts.
  const [{ term }] = topic.terms;
  const count = [texts.a.text, texts.b.text].join(' ').match(new RegExp(`\\b${term}\\b`, 'gi'))?.length ?? 0;
  assert.ok(count > 0);
  assert.equal(marked.filter((word) => word.toLowerCase() === term).length, count);
});

test('a topic whose name would lead elsewhere in a path is not there', async () => {
  const listening = await fixtureApp(index, { extend: addExplorer });
  const { port } = new URL(await listening.listen({ host: '127.0.0.1', port: 0 }));
  for (const id of ['.', '..', '%2e%2E', '%20', '..%2Findex']) {
    // Sent as it stands, which `fetch` does not.
    const asked = request({ host: '127.0.0.1', port, path: `/explore/topics/${id}` }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    assert.equal(answer.statusCode, 404, id);
  }
});

test('where a text went is said with its evidence', async () => {
  const moved = await open('/explore/moved', { url: MOVED });
  assert.match(moved.text, /This address is gone, or leads elsewhere.*Now at Rose garden lesson "0"/);
  assert.match(moved.text, /the address leads there/);
});

test('titles, URLs and texts of strangers are text in every view', async () => {
  const views = HOSTILE_NAMES.flatMap((name) => [
    pathOf('/explore/page', { url: hostileUrl(name) }),
    pathOf('/explore/map', { url: hostileUrl(name) }),
    pathOf('/explore/compare', { a: hostileUrl('markup'), b: hostileUrl(name) }),
    pathOf('/explore/moved', { url: hostileUrl(name) }),
    pathOf('/explore/search', { q: HOSTILE_TITLES[name].slice(0, 100) }),
    pathOf('/explore/text', { text: HOSTILE_TITLES[name].slice(0, 1500) }),
    pathOf('/explore/page', { url: `https://x.example/${HOSTILE_TITLES[name].slice(0, 500)}` }),
  ]);
  for (const view of views) {
    const page = await open(view);
    assert.ok(page.status < 500, view);
    for (const { name, attributes } of page.elements) {
      assert.ok(name !== 'img' && name !== 'b', `${view}: <${name}>`);
      const own = Object.keys(attributes).filter(
        (one) => /^on|^style$|^x$/.test(one) && !(name === 'rect' || name === 'text'),
      );
      assert.deepEqual(own, [], view);
      if (name === 'script') assert.match(attributes['src'] ?? '', /^\/explore\/assets\//, view);
      assert.doesNotMatch(attributes['href'] ?? '', /^\s*(javascript|vbscript|data:text)/i, view);
    }
  }
  const listed = await open('/explore/page', { url: hostileUrl('arabic') });
  assert.match(listed.html, /<bdi>plain \u202Etxet sdrawkcab<\/bdi>/);
  const { html } = await open('/explore/page', { url: hostileUrl('bidi') });
  assert.doesNotMatch(/<title>.*<\/title>/.exec(html)![0], /\u202E/);
  for (const path of ['/explore/page', '/explore/map', '/explore/moved']) {
    const untitled = await open(path, { url: hostileUrl('none') });
    assert.match(untitled.html, /<title>[^<]*hostile\.example\/none[^<]*<\/title>/, path);
  }
});

test('pages load nothing but files of their own, which never change under their names', async () => {
  const { headers, elements, html } = await open('/');
  assert.match(String(headers['content-security-policy']), /default-src 'none'.*script-src 'self'/);
  assert.doesNotMatch(String(headers['content-security-policy']), /unsafe/);
  assert.doesNotMatch(html, /<style|style=|<script>(?!<)/);
  const files = elements.flatMap(({ name, attributes }) =>
    name === 'script'
      ? [attributes['src']!]
      : attributes['rel'] === 'stylesheet'
        ? [attributes['href']!]
        : [],
  );
  assert.equal(files.length, 2);
  for (const url of files) {
    const plain = await app.inject({ url });
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
    const brotli = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
    assert.equal(brotli.headers['content-encoding'], 'br');
    assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), plain.body);
    const gzip = await app.inject({ url, headers: { 'accept-encoding': 'br;q=0, gzip' } });
    assert.equal(gunzipSync(gzip.rawPayload).toString(), plain.body);
  }
});

test('a page that has not changed is not sent again, and the API still answers JSON at its own paths', async () => {
  const { headers, html } = await open('/');
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'gzip'],
    ['gzip;q=0', undefined],
    ['identity', undefined],
  ]) {
    const answer = await app.inject({ url: '/', headers: { 'accept-encoding': accepted! } });
    assert.deepEqual(
      [answer.headers['content-encoding'], answer.headers['vary']],
      [encoding, 'Accept-Encoding'],
    );
    const bytes = encoding === 'gzip' ? gunzipSync(answer.rawPayload) : answer.rawPayload;
    assert.equal(bytes.toString(), html);
    assert.equal(answer.headers['etag'], headers['etag']);
  }
  const again = await app.inject({ url: '/', headers: { 'if-none-match': String(headers['etag']) } });
  assert.deepEqual([again.statusCode, again.body], [304, '']);
  for (const path of ['/index', pathOf('/page', { url: TWIN }), pathOf('/search', { q: 'rose' })]) {
    const answer = await app.inject({ url: path, headers: { accept: 'text/html' } });
    assert.match(String(answer.headers['content-type']), /^application\/json/);
  }
  for (const path of ['/explore/compare.json', '/explore/map.json']) {
    const answer = await app.inject(pathOf(path, { a: TWIN, b: `${BAKERY}0`, url: TWIN }));
    assert.match(String(answer.headers['content-type']), /^application\/json/);
  }
});

longTest('under a base path every address begins with it', async () => {
  const below = await fixtureApp(index, { extend: addExplorer, basePath: '/akin' });
  for (const [path, query] of PATHS.slice(0, 6)) {
    const { statusCode, headers, body } = await below.inject(`/akin${pathOf(path, query)}`);
    assert.equal(statusCode, 200, path);
    const { elements } = parsed(statusCode, headers, body);
    const addresses = elements.flatMap(({ attributes: { href, src, action } }) => [href, src, action]);
    for (const address of addresses) assert.doesNotMatch(address ?? '', /^\/(?!akin\/)/, path);
  }
  const gone = await below.inject(`/akin${pathOf('/explore/go', { q: TWIN })}`);
  assert.equal(gone.headers['location'], `/akin${pathOf('/explore/page', { url: TWIN })}`);
});

test('a path that is cut off behind /explore leads to the start', async () => {
  for (const path of ['/explore', '/explore/']) {
    const { statusCode, headers } = await app.inject(path);
    assert.deepEqual([statusCode, headers['location']], [303, '/']);
  }
});

test('what a page asks counts against the limit of its visitor alone', async () => {
  const limited = await fixtureApp(index, {
    extend: addExplorer,
    rateLimits: { getPerMinute: 12, postPerMinute: 12 },
  });
  const view = (remoteAddress: string) =>
    limited.inject({ url: pathOf('/explore/page', { url: TWIN }), remoteAddress });
  assert.equal((await view('192.0.2.1')).statusCode, 200);
  const refused = await view('192.0.2.1');
  assert.equal(refused.statusCode, 429);
  assert.match(refused.body, /Too many requests/);
  assert.equal((await view('192.0.2.2')).statusCode, 200);
});

test('what a page asks ends with its visitor', async () => {
  const visitor = new AbortController();
  const unanswered: string[] = [];
  const watched = await fixtureApp(index, {
    extend: (routes) => {
      addExplorer(routes);
      routes.addHook('onRequest', async ({ url }, { raw }) => {
        raw.once('close', () => raw.writableEnded || unanswered.push(url));
        if (url.startsWith('/related/batch')) visitor.abort();
      });
    },
  });
  const url = pathOf('/explore/map', { url: `${GARDEN}0` });
  await assert.rejects(watched.inject({ url, signal: visitor.signal }), { name: 'AbortError' });
  assert.deepEqual(unanswered, [url, '/related/batch']);
});

test('a page has its relations by links', async () => {
  const page = await open('/explore/page', { url: `${GARDEN}3`, by: 'companion' });
  assert.equal(page.status, 200);
  assert.ok(page.links.map(urlIn).includes(`${GARDEN}4`), 'the page that it links to');
  assert.match(page.html, /score 1\.00/);
  assert.match(page.text, /They have 1 link in common/);
  assert.ok(page.links.some((link) => link.includes('by=coupling')));
  const alone = await open('/explore/page', { url: TINY, by: 'cocitation' });
  assert.match(alone.text, /no links of the kind/);
});

test('a list is also a table: the same rows, page after page', async () => {
  const { links } = await open('/explore/topics', { level: '0' });
  const path = links.find((link) => link.startsWith('/explore/list.csv'))!;
  const { headers, body } = await app.inject(path);
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
  assert.match(String(headers['content-disposition']), /filename="clusters\.csv"/);
  const [head, ...rows] = body.trim().split('\r\n');
  assert.match(head!, /^id,/);
  const { total } = (await app.inject('/clusters?level=0&fetched=only&limit=1')).json();
  assert.equal(rows.length, total);
  for (const none of ['card', 'clusterById&id=..', 'clusterById&id=.'])
    assert.equal((await app.inject(`/explore/list.csv?list=${none}`)).statusCode, 404, none);
  const hostile = await app.inject('/explore/list.csv?list=sitePages&site=hostile.example');
  // No formula for a spreadsheet.
  assert.ok(hostile.body.includes(`,"'=HYPERLINK("" onmouseover=""`), hostile.body);
});
