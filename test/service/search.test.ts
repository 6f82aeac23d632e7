/** Full-text search over pages whose words are known by how they were made. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { longTest } from '../long-test.ts';
import { asker, type Body, fileAsker, fixtureApp, type Query } from './fixture-app.ts';
import { buildFixture, temporaryFolder } from './fixture-index.ts';
import {
  CAFE,
  CHINESE,
  CROCUSES,
  ORCHID,
  OTHER_CHINESE,
  PRUNING,
  pages,
  SIGNS,
  SLIP,
  SNOWDROPS,
  SOIL,
  THAI,
} from './search-pages.ts';

const folder = temporaryFolder({ after });
const indexPath = join(folder, 'search.akin');
await buildFixture(indexPath, pages);
const app = await fixtureApp(indexPath);
const ask = asker(app);
const search = (q: string, more: Query = {}) => ask('/search', { q, ...more });
const found = async (q: string, more: Query = {}): Promise<string[]> => {
  const { status, body } = await search(q, more);
  assert.equal(status, 200, q);
  return body.results.map(({ url }: { url: string }) => new URL(url).href);
};

test('all words count, the title most, and what each page is', async () => {
  const { body } = await search('roses');
  assert.equal(body.total, 4);
  assert.deepEqual(body.corrected, []);
  assert.equal(body.results[0].url, 'https://garden.example/roses', 'the one with the word in its title');
  assert.deepEqual(await found('roses pruned'), [PRUNING]);
  const { body: pruned } = await search('pruned');
  const { snippet, ...rest } = pruned.results[0];
  assert.deepEqual(rest, {
    url: PRUNING,
    title: 'Pruning',
    site: 'garden.example',
    lang: 'en',
    fetched: true,
    copies: 0,
    description: 'When to prune.',
    published_at: '2026-01-02',
  });
  assert.deepEqual(
    snippet.marks.map(([start, end]: [number, number]) => snippet.text.slice(start, end)),
    ['pruned'],
  );
});

test('phrases, words to be left out, and sites', async () => {
  assert.deepEqual(await found('"early spring"'), [PRUNING]);
  assert.deepEqual((await found('early')).length, 2);
  assert.deepEqual(await found('"spring early"'), []);
  assert.deepEqual(await found('early -spring'), [SOIL]);
  assert.deepEqual(await found('early -"early autumn"'), [PRUNING]);
  const garden = await found('roses site:garden.example');
  assert.equal(garden.length, 3);
  assert.deepEqual(await found('roses site:docs.garden.example'), [SOIL]);
  assert.deepEqual(await found('roses', { site: 'docs.garden.example' }), [SOIL]);
  assert.deepEqual(await found('roses site:https://docs.garden.example/x'), [SOIL]);
  assert.deepEqual(await found('roses site:den.example'), []);
  assert.deepEqual(await found('roses site:example'), await found('roses '), 'all that end so');
  for (const q of ['roses site:xample', 'roses -site:example']) assert.deepEqual(await found(q), [], q);
  assert.deepEqual(await found('roses', { site: 'example' }), [], 'no site has that name');
  assert.deepEqual((await found('roses site:a.example site:docs.garden.example')).length, 2);
  assert.deepEqual(await found('roses -site:garden.example'), ['https://a.example/hostile']);
  const others = garden.filter((url) => url !== SOIL);
  assert.deepEqual(await found('roses -site:docs.garden.example -site:a.example'), others);
  assert.deepEqual(await found('roses site:garden.example -site:https://docs.garden.example/x'), others);
  // A host of the query narrows the site, and cannot widen it.
  const ofSite = (q: string, site = 'garden.example') => found(q, { site });
  assert.deepEqual(await ofSite('roses site:docs.garden.example site:a.example'), [SOIL]);
  assert.deepEqual(await ofSite('roses site:garden.example', 'docs.garden.example'), [SOIL]);
  assert.deepEqual(await ofSite('roses site:example'), garden);
  assert.deepEqual(await ofSite('roses -site:docs.garden.example'), others);
  assert.deepEqual(await ofSite('roses site:a.example'), []);
  assert.deepEqual(await found('terrasse', { lang: 'fr-FR' }), [CAFE]);
  assert.deepEqual(await found('terrasse', { lang: 'en' }), []);
});

test('case and accents do not count', async () => {
  for (const q of ['CAFE', 'café', 'cafe\u0301 CRÈME']) assert.deepEqual(await found(q), [CAFE], q);
  const { text, marks } = (await search('creme')).body.results[0].snippet;
  assert.equal(text.slice(...marks[0]), 'crème');
});

test('icons and emoji beside a word, and soft hyphens inside one, do not hide it', async () => {
  for (const word of ['hellebore', 'Schneeglöckchen', 'Schnee\u00adglöckchen', 'galanthus', 'scilla'])
    assert.deepEqual(await found(word), [SIGNS], word);
  const { text, marks } = (await search('schneeglockchen hellebore')).body.results[0].snippet;
  assert.deepEqual(
    marks.map(([start, end]: [number, number]) => text.slice(start, end).replaceAll('\u00ad', '')),
    ['Hellebore', 'Schneeglöckchen'],
  );
});

test('words of scripts without spaces are found inside a sentence', async () => {
  assert.deepEqual(await found('搜索'), [CHINESE]);
  assert.deepEqual(await found('引擎搜索'), [], 'its middle pair is nowhere');
  assert.deepEqual((await found('索')).toSorted(), [OTHER_CHINESE, CHINESE]);
  assert.deepEqual(await found('C语言'), [CHINESE]);
  assert.deepEqual(await found('"引擎入"'), [CHINESE]);
  assert.deepEqual(await found('"擎引"'), []);
  assert.deepEqual(await found('玫瑰 -搜索'), [OTHER_CHINESE]);
  assert.deepEqual(await found('กุหลาบ'), [THAI]);
  const { text, marks } = (await search('搜索引擎')).body.results[0].snippet;
  assert.deepEqual(
    marks.map((mark: [number, number]) => text.slice(...mark)),
    ['搜索引擎'],
  );
});

test('a page that is known by links alone is found by their words', async () => {
  const { body } = await search('hyacinth');
  const unread = body.results.find(({ url }: { url: string }) => url === 'https://unread.example/');
  assert.deepEqual([unread.fetched, unread.snippet], [false, { text: '', marks: [] }]);
});

test('a page whose text was read comes before pages that are known by links alone', async () => {
  const urls = await found('orchid');
  assert.deepEqual(urls.slice(0, 2).sort(), ['https://a.example/links', ORCHID]);
  assert.equal(urls.filter((url) => url.startsWith('https://unread.example/')).length, 4);
});

test('near copies are folded under the best of them', async () => {
  const { body } = await search('tulip');
  assert.equal(body.total, 6);
  assert.deepEqual(body.results.map((one: Body) => [new URL(one.url).host, one.copies]).toSorted(), [
    ['mirror0.example', 4],
    ['other.example', 0],
  ]);
  assert.equal((await found('tulip', { group: 'none' })).length, 6);
});

test('a copy far down is not counted at once, and never listed', async () => {
  const first = await search('crocus');
  assert.equal(first.body.total, CROCUSES);
  assert.deepEqual(
    [first.body.results[0].url, first.body.results[0].copies],
    ['https://crocus.example/000', 0],
  );
  const urls: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await search('crocus', { limit: 100, ...(cursor && { cursor }) });
    urls.push(...body.results.map(({ url }: { url: string }) => url));
    cursor = body.next;
  }
  assert.equal(urls.length, CROCUSES - 1);
  assert.ok(!urls.includes(`https://crocus.example/${CROCUSES - 1}`));
});

test('a list is paged without gap or overlap, and an equal rank is decided by the URL', async () => {
  const whole = await found('daffodil', { limit: 100 });
  assert.equal(whole.length, 30);
  assert.deepEqual(whole, whole.toSorted());
  const paged: string[] = [];
  let cursor: string | null = null;
  do {
    const { body } = await search('daffodil', { limit: 7, ...(cursor && { cursor }) });
    paged.push(...body.results.map(({ url }: { url: string }) => url));
    assert.equal(body.total, 30);
    cursor = body.next;
  } while (cursor !== null);
  assert.deepEqual(paged, whole);
  const { body: first } = await search('daffodil', { limit: 7 });
  assert.equal((await search('roses', { cursor: first.next })).body.code, 'invalid-cursor');
});

test('an answer has validators', async () => {
  const first = await search('roses');
  const url = '/search?q=roses';
  const again = await app.inject({ url, headers: { 'if-none-match': String(first.headers['etag']) } });
  assert.equal(again.statusCode, 304);
  assert.equal((await app.inject({ method: 'HEAD', url })).statusCode, 200);
});

test('whatever is typed is a search for its words', async () => {
  const typed = [
    'roses"',
    '"roses',
    "roses'",
    'roses)',
    '(roses',
    'roses AND',
    'NOT roses',
    'roses OR',
    'NEAR(roses)',
    'title:roses',
    'roses*',
    '^roses',
    'roses + "',
    '-roses',
    '- roses',
    'roses -',
    'roses --',
    '{roses}',
    'roses\u0000',
    'roses;DROP TABLE',
    'roses \ud800',
    'roses \u202e',
    'site: roses',
    'site:// roses',
    'site:[ roses',
    '"" roses',
    '"-" roses',
    'roses \\',
    'r\u00f3s\u00e9s',
  ];
  for (const q of typed) assert.equal((await search(q)).status, 200, q);
  for (const q of ['roses"', '(roses', '-roses', 'roses*', '^roses', '"" roses', 'roses\u0000'])
    assert.equal((await found(q)).length, 4, q);
  for (const q of [' ', '"', '""', '-', '+', '***', 'site:garden.example', '\u0000'])
    assert.deepEqual([(await search(q)).status, (await search(q)).body.code], [400, 'invalid-parameters'], q);
  for (const path of [
    '/search',
    '/search?q=',
    `/search?q=${'a'.repeat(501)}`,
    '/search?q=a&site=%5B',
    '/search?q=a&x=1',
  ])
    assert.equal((await ask(path)).body.code, 'invalid-parameters', path);
  assert.equal((await search(Array.from({ length: 200 }, () => 'a').join(' '))).status, 200);
});

test('an index without search says so', async () => {
  const bare = join(folder, 'bare.akin');
  await buildFixture(bare, pages.slice(0, 9), { search: false });
  const { status, body } = await asker(await fixtureApp(bare))('/search?q=roses');
  assert.deepEqual([status, body.code], [404, 'search-not-in-index']);
});

test('the file answers as memory does', async () => {
  const stored = await fileAsker(indexPath);
  for (const q of ['roses', 'tulip', 'daffodil'])
    assert.equal((await stored('/search', { q })).text, (await search(q)).text);
});

test('the last word stands for those that begin with it, after pages that have itself', async () => {
  const { body } = await search('rose');
  assert.deepEqual(
    body.results.map(({ url }: { url: string }) => url),
    await found('rose*'),
  );
  assert.equal(body.total, 4);
  assert.equal(body.results[0].url, 'https://garden.example/roses', 'the one page with the word itself');
  assert.deepEqual(await found('rose '), ['https://garden.example/roses']);
  assert.deepEqual(await found('"rose"'), ['https://garden.example/roses']);
  assert.deepEqual(await found('ros* compo'), ['https://docs.garden.example/soil']);
  const { text, marks } = (await search('prun')).body.results[0].snippet;
  assert.deepEqual(
    marks.map(([start, end]: [number, number]) => text.slice(start, end)),
    ['pruned'],
  );
});

test('a word that no page has is taken for the nearest one, and the answer says so', async () => {
  for (const [typed, instead] of [
    ['tersase', 'terrasse'],
    ['pruend', 'pruned'],
    ['Prned', 'pruned'],
    ['snowdorps', 'snowdrop'],
  ] as const) {
    const { body } = await search(typed, { limit: 1 });
    assert.deepEqual(body.corrected, typed === 'tersase' ? [] : [{ word: typed, instead }], typed);
    assert.equal(body.total > 0, typed !== 'tersase', 'two slips are too many for seven letters');
  }
  const both = await search('roses prunde');
  assert.deepEqual(both.body.corrected, [{ word: 'prunde', instead: 'pruned' }]);
  assert.deepEqual(
    both.body.results.map(({ url }: { url: string }) => url),
    [PRUNING],
  );
  assert.deepEqual(await found('"prunde"'), [], 'in quotes a word is as it is written');
  assert.deepEqual((await search('w7y')).body.corrected, [], 'not a word with a digit');
  // A slip on one page does not hide the pages that are meant.
  const { body: slip } = await search('snowdrob', { limit: 1 });
  assert.deepEqual(slip.corrected, [{ word: 'snowdrob', instead: 'snowdrop' }]);
  assert.deepEqual([slip.total, slip.results[0].url], [SNOWDROPS + 1, SLIP]);
});

test('pages found are counted by site and by language where that is asked for', async () => {
  const { body } = await search('roses', { facets: ['site', 'lang'], limit: 1 });
  assert.deepEqual(body.facets, [
    {
      name: 'site',
      values: [
        { value: 'garden.example', pages: 3 },
        { value: 'a.example', pages: 1 },
      ],
      rest: 0,
    },
    { name: 'lang', values: [{ value: 'en', pages: 4 }], rest: 0 },
  ]);
  assert.deepEqual((await search('roses', { facets: 'site,lang' })).body.facets, body.facets);
  const { body: unread } = await search('hyacinth', { facets: ['lang'] });
  assert.deepEqual(unread.facets[0].values, [
    { value: null, pages: 1 },
    { value: 'en', pages: 1 },
  ]);
  assert.equal((await search('roses')).body.facets, undefined);
  assert.equal((await search('roses', { facets: ['color'] })).body.code, 'invalid-parameters');
});

test('a query that is typed goes on with words that pages have beside those before', async () => {
  const suggest = async (q: string, more: Query = {}) => {
    const { status, body } = await ask('/search/suggest', { q, ...more });
    assert.equal(status, 200, q);
    return body.suggestions;
  };
  assert.deepEqual(await suggest('sno'), [
    { text: 'snowdrop', pages: SNOWDROPS },
    { text: 'snowdrob', pages: 1 },
  ]);
  assert.deepEqual(await suggest('roses pru'), [
    { text: 'roses pruned', pages: 1 },
    { text: 'roses pruning', pages: 1 },
  ]);
  assert.deepEqual(await suggest('roses site:docs.garden.example com'), [
    // The filler compares.
    { text: 'roses site:docs.garden.example compared', pages: 1 },
    { text: 'roses site:docs.garden.example compost', pages: 1 },
  ]);
  assert.deepEqual(await suggest('roses com', { site: 'Docs.Garden.Example' }), [
    { text: 'roses compared', pages: 1 },
    { text: 'roses compost', pages: 1 },
  ]);
  assert.deepEqual(await suggest('sno', { site: 'docs.garden.example' }), [], 'words of other sites');
  const narrowed = await suggest('roses site:docs.garden.example com', { site: 'garden.example' });
  assert.deepEqual(narrowed, await suggest('roses site:docs.garden.example com'));
  assert.deepEqual(await suggest('roses -site:garden.example com', { site: 'garden.example' }), []);
  const last = await suggest('19 n1', { limit: 1 });
  assert.deepEqual(last, [{ text: '19 n19', pages: 1 }], 'behind more words than are looked at first');
  // Of words that the search takes for typos, too.
  assert.deepEqual(await suggest('rozes pru'), await suggest('roses pru'));
  const inside = await suggest('-rozesx rozes pru');
  assert.match(inside[0].text, /^-rozesx roses prun/, 'not where it stands inside another word');
  assert.deepEqual(await suggest('prunde'), [{ text: 'pruned', pages: 1 }]);
  for (const q of ['roses ', '"early', '-sno', 'zzz']) assert.deepEqual(await suggest(q), [], q);
});

longTest('a thousand results can be had, however many copies are folded', async () => {
  for (const [group, wanted] of [
    ['copies', SNOWDROPS / 2],
    ['none', 1000],
  ] as const) {
    const urls = new Set<string>();
    let copies = 0;
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: Query = { q: 'snowdrop', group, limit: 100, ...(cursor !== '' && { cursor }) };
      const { body } = await ask('/search', query);
      assert.equal(body.total, SNOWDROPS);
      for (const { url, copies: folded } of body.results) {
        urls.add(url);
        copies += folded;
      }
      cursor = body.next;
    }
    assert.equal(urls.size, wanted);
    if (group === 'copies') assert.ok(copies > 0);
  }
});
