/** What pages say of themselves, in every answer that shows it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ownBeginning } from '../../src/service/answers/passages/own-beginning.ts';
import { shingleCount, shingleKeys } from '../../src/text/shingle.ts';
import { TokenSequence } from '../../src/text/token-sequence.ts';
import { readTokens } from '../../src/text/tokens.ts';
import { asker, type Body, fixtureApp } from './fixture-app.ts';
import { buildFixture, fixturePages, GARDEN, HERBARIUM, temporaryFolder } from './fixture-index.ts';

const HEAD = `<meta property="og:image" content="https://img.example/rose.jpg?a=1&amp;b=%22">
<meta name="description" content="All about &lt;b&gt;roses&lt;/b&gt; &quot;&amp;&quot;">
<meta property="article:published_time" content="2026-01-02T10:00:00Z">
<meta property="article:modified_time" content="2026-02-03"><meta property="og:site_name" content="Garden">`;
const HOSTILE =
  '<meta property="og:image" content="javascript:alert(1)"><meta name="description" content="   ">';
const CARD = {
  image: 'https://img.example/rose.jpg?a=1&b=%22',
  description: 'All about <b>roses</b> "&"',
  published_at: '2026-01-02T10:00:00Z',
  modified_at: '2026-02-03',
};
const pages = fixturePages().map(({ url, html }) => {
  const head = url === `${GARDEN}4` ? HEAD : url === HERBARIUM ? HOSTILE : '';
  return { url, html: html.replace('<title>', `${head}<title>`) };
});

const indexPath = join(temporaryFolder({ after }), 'cards.akin');
await buildFixture(indexPath, pages);
const app = await fixtureApp(indexPath);
const ask = asker(app);
const query = { url: `${GARDEN}3`, limit: 100 };
const withoutCard = ({ image, description, published_at, modified_at, passage, ...rest }: Body) => rest;

test('cards come when they are asked for, where a page has one, and change nothing else', async () => {
  const { body: plain, headers } = await ask('/related', query);
  const { body: carded, headers: others } = await ask('/related', { ...query, cards: true });
  assert.notEqual(headers['etag'], others['etag']);
  assert.deepEqual(carded.related.map(withoutCard), plain.related);
  for (const page of carded.related) {
    const { passage, ...rest } = page;
    if (page.url === `${GARDEN}4`) assert.deepEqual(page, { ...withoutCard(page), ...CARD });
    else assert.deepEqual([rest, typeof passage], [withoutCard(page), page.fetched ? 'string' : 'undefined']);
  }
  assert.ok(carded.related.some(({ url }: Body) => url === `${GARDEN}4`));
  const { body: both } = await ask('/related', { ...query, cards: true, explain: true, limit: 3 });
  assert.ok(both.related.every(({ why }: Body) => why.terms.length > 0));
});

test('so do a batch, a posted document and a page', async () => {
  const post = async (url: string, payload: object) =>
    (await app.inject({ method: 'POST', url, payload })).json();
  const batch = await post('/related/batch', { urls: [query.url], limit: 100, cards: true });
  assert.deepEqual(batch.results[0], (await ask('/related', { ...query, cards: true })).body);
  const { related } = await post('/similar?cards=true&limit=100', { url: query.url });
  assert.equal(related.find(({ url }: Body) => url === `${GARDEN}4`).image, CARD.image);
  const { body: page } = await ask('/page', { url: `${GARDEN}4` });
  for (const [name, value] of Object.entries({ ...CARD, site_name: 'Garden' }))
    assert.equal(page[name], value);
  const { body: bare } = await ask('/page', { url: HERBARIUM });
  for (const name of [...Object.keys(CARD), 'site_name']) assert.equal(bare[name], null);
});

test('lists of what was published since a day or a time, whatever asks for them', async () => {
  const since = async (published_after: string, path = '/related') => {
    const { status, body } = await ask(path, { ...query, published_after });
    assert.equal(status, 200, published_after);
    return body.related.map(({ url }: Body) => url);
  };
  for (const date of ['2026-01-02', '2026-01-02T10:00:00Z', '2026-01-02T11:00:00+01:00', '2025-12-31'])
    assert.deepEqual(await since(date), [`${GARDEN}4`], date);
  for (const date of ['2026-01-03', '2026-01-02T10:00:01Z', '2026-01-02T10:00:00-01:00'])
    assert.deepEqual(await since(date), [], date);
  const { body } = await ask('/related', { ...query, published_after: '2026-01-03' });
  assert.equal(body.empty_reason, 'excluded');
  for (const name of ['published_after', 'published_before']) {
    for (const date of ['yesterday!', '2026-01-02T10:00', '2026-01-02T11:00:00 01:00', '2026-02-30']) {
      const wrong = await ask('/related', { ...query, [name]: date });
      assert.deepEqual([wrong.status, wrong.body.errors?.[0].parameter], [400, name], date);
    }
  }

  const payload = { urls: [query.url], published_after: '2026-01-02' };
  const batch = (await app.inject({ method: 'POST', url: '/related/batch', payload })).json();
  assert.equal(batch.results[0].related.length, 1);
  const fragment = (await ask('/related.html', { url: query.url, published_after: '2026-01-02' })).text;
  assert.equal(fragment.match(/<li/g)?.length, 1);
  const url = '/similar?published_after=2026-01-02&limit=5';
  const similar = (await app.inject({ method: 'POST', url, payload: { url: query.url } })).json();
  assert.deepEqual(
    similar.related.map((one: Body) => one.url),
    [`${GARDEN}4`],
  );
});

test('a fragment with cards loads nothing but pictures, and shows no markup of others', async () => {
  const { text, headers } = await ask('/related.html', { ...query, cards: true });
  const item = text.split('\n').find((line) => line.includes(`href="${GARDEN}4"`))!;
  assert.equal(
    item,
    `<li class="akin-item akin-card"><a class="akin-link" href="${GARDEN}4" rel="related noopener" dir="auto">` +
      '<img class="akin-image" src="https://img.example/rose.jpg?a=1&amp;b=%22" alt="" width="320" height="180" ' +
      'loading="lazy" decoding="async" referrerpolicy="no-referrer">' +
      '<span class="akin-title">Rose garden lesson &quot;4&quot; &lt;b&gt;</span></a>' +
      '<p class="akin-description" dir="auto">All about &lt;b&gt;roses&lt;/b&gt; &quot;&amp;&quot;</p>' +
      '<time class="akin-time" datetime="2026-01-02">2026-01-02</time></li>',
  );
  assert.match(
    text,
    /<span class="akin-title">Rose garden lesson &quot;6&quot; &lt;b&gt;<\/span><\/a><p class="akin-description" dir="auto">[^<]{40,}<\/p>/,
  );
  assert.equal(text.match(/<img/g)?.length, 1);
  assert.match(String(headers['content-security-policy']), /img-src https: http:/);
  assert.ok(!text.includes('javascript:'));
});

test('a passage is how the own text of a page begins, outside its template and without its title', () => {
  const keysOf = (text: string) => {
    const tokens = readTokens(text, new TokenSequence());
    const keys = new Float64Array(shingleCount(tokens.count, 3));
    shingleKeys(tokens, 3, keys);
    return keys.sort();
  };
  const menu = 'Home News Shop About us Contact Imprint Newsletter Search. ';
  const own = 'Pruning. When to prune a rose, and how far back to cut its canes in a cold spring. ';
  const begins = 'When to prune a rose, and how far back to cut its canes in a cold spring.';
  const none = new Float64Array(0);
  const template = keysOf(menu);
  const rows: [text: string, template: Float64Array, passage: string | undefined][] = [
    [own, none, begins],
    [menu + own, template, begins],
    [menu + own + menu, template, begins],
    [`${menu}too short. ${menu}${own}`, template, begins],
    // The template ends within a word as it is written, or in a number.
    [`${menu}Version 2.4 > ${own}`, keysOf(`${menu}Version 2.`), begins],
    [`${menu}Name-based > ${own}`, keysOf(`${menu}Name`), begins],
    // The first piece that is looked at ends in the own text, or before it.
    [menu.repeat(25) + own, template, begins],
    [menu.repeat(40) + own, template, begins],
    [menu.repeat(200) + own, template, undefined],
    [menu, template, undefined],
    ['Short.', none, undefined],
    ['', none, undefined],
  ];
  for (const [text, keys, passage] of rows)
    assert.equal(ownBeginning(text, 'Pruning', keys, 3), passage, text.slice(0, 80));
  const long = ownBeginning('word '.repeat(500), '', none, 3)!;
  assert.ok(long.length <= 200 && long.endsWith('word …'));
  for (const shift of ['', 'x']) {
    const unbroken = ownBeginning(shift + '𠮷'.repeat(500), '', none, 3)!;
    assert.ok(unbroken.length <= 200 && unbroken.isWellFormed());
  }
});
