/** Lists narrowed by fields, over HTTP, from files, in shards and on the command line, by a look at all pages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCondition, passes } from '../../src/page/fields/field-condition.ts';
import { akin } from '../cli/terminal.ts';
import { prose } from '../indexer/pages.ts';
import { longTest } from '../long-test.ts';
import {
  APPS,
  declared,
  declaredPath,
  FIELDS,
  HARBOUR,
  NEIGHBOR_LIMIT,
  PAGES,
  plain,
  plainPath,
  router,
} from './field-apps.ts';
import { asker, pathOf, type Query } from './fixture-app.ts';

const CONDITIONS = [
  'rare=true',
  'tag=t1',
  'tag=t1,u2',
  'note=',
  'price=3..9.5',
  'price=..40',
  'day=2024-05-03..2024-05-04',
  'note=page\\, 7',
];
const SUBJECTS = [4, 80, 150, 299].map((i) => PAGES[i]!.url);

const urlsOf = (body: { related: readonly { url: string }[] }) => body.related.map(({ url }) => url);

const wholeLists = new Map<string, string[]>();

/** The whole list of a page, without a filter. */
async function wholeList(url: string): Promise<string[]> {
  const known = wholeLists.get(url);
  if (known !== undefined) return known;
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const query: Query = { url, limit: 100, ...(cursor === null ? {} : { cursor }) };
    const { body } = await asker(declared)('/related', query);
    found.push(...urlsOf(body));
    cursor = body.next;
  } while (cursor !== null);
  wholeLists.set(url, found);
  return found;
}

function passing(list: readonly string[], conditions: readonly string[]): string[] {
  const asked = conditions.map((text) => parseCondition(text)!);
  return list.filter((url) => asked.every(({ name, tests }) => passes(FIELDS.get(url) ?? {}, name, tests!)));
}

test('a list holds the nearest of the pages that have the field, however few these are', async () => {
  for (const [i, url] of SUBJECTS.entries()) {
    const whole = await wholeList(url);
    assert.ok(whole.length > 4 * NEIGHBOR_LIMIT, 'lists reach far beyond the stored neighbors');
    for (const condition of CONDITIONS) {
      const [name = '', value = ''] = condition.split('=');
      const expected = passing(whole, [condition]);
      // Shards are asked of one page.
      const asked = i === 0 ? APPS : { declared, plain };
      for (const [which, app] of Object.entries(asked)) {
        const { status, body } = await asker(app)('/related', { url, limit: 12, [`field.${name}`]: value });
        assert.equal(status, 200);
        assert.deepEqual(urlsOf(body), expected.slice(0, 12), `${which}: ${condition} of ${url}`);
        assert.equal(body.empty_reason, expected.length === 0 ? 'excluded' : null);
      }
    }
  }
});

test('conditions are one list, however they are written; all must hold', async () => {
  const ask = asker(declared);
  const url = SUBJECTS[1]!;
  const expected = passing(await wholeList(url), ['tag=t1', 'price=..100', 'price=20..']).slice(0, 10);
  assert.equal(expected.length, 10);
  const asked = [
    { 'field.tag': 't1', 'field.price': ['..100', '20..'] },
    { field: ['price=20..', 'price=..100', 'tag=t1'] },
    { field: ['tag=t1', 'tag=t1'], 'field.price': ['20..', '..100'] },
  ];
  const answers = await Promise.all(asked.map((query) => ask('/related', { url, ...query })));
  for (const { body } of answers) assert.deepEqual(urlsOf(body), expected);
  assert.equal(new Set(answers.map(({ headers }) => headers['etag'])).size, 1);
  const { headers } = await ask('/related', { url });
  assert.notEqual(headers['etag'], answers[0]!.headers['etag']);
  const { body: first } = await ask('/related', { url, 'field.tag': 't1', limit: 5 });
  const { body: second } = await ask('/related', {
    url,
    field: 'tag=t1',
    limit: 5,
    cursor: first.next,
    fields: 'tag',
  });
  assert.deepEqual(
    [...urlsOf(first), ...urlsOf(second)],
    passing(await wholeList(url), ['tag=t1']).slice(0, 10),
  );
});

test('the same as the page that is asked about: one value of several is enough; without the field nothing passes', async () => {
  const url = SUBJECTS[2]!;
  assert.deepEqual(FIELDS.get(url)!['tag'], ['t0', 'u0']);
  const expected = passing(await wholeList(url), ['tag=t0,u0']);
  for (const app of Object.values(APPS)) {
    const { body } = await asker(app)('/related', { url, 'field.tag': 'same' });
    assert.deepEqual(urlsOf(body), expected.slice(0, 10));
    const { body: none } = await asker(app)('/related', { url: PAGES[1]!.url, 'field.tag': 'same' });
    assert.deepEqual([urlsOf(none), none.empty_reason], [[], 'excluded']);
  }
});

longTest(
  'documents are compared with pages that have the field; their own fields are what is the same',
  async () => {
    const document = { text: prose(7, 80, 3), fields: { tag: 't2' } };
    const post = async (app: typeof plain, query: Query, payload: object = document) => {
      const answer = await app.inject({ method: 'POST', url: pathOf('/similar', query), payload });
      return { status: answer.statusCode, body: answer.json() };
    };
    const { body: all } = await post(declared, { limit: 100 });
    const expected = passing(urlsOf(all), ['tag=t2']).slice(0, 10);
    for (const app of [declared, router]) {
      assert.deepEqual(urlsOf((await post(app, { 'field.tag': 'same' })).body), expected);
      assert.deepEqual(urlsOf((await post(app, { 'field.tag': 't2' })).body), expected);
    }
    const { status, body } = await post(declared, {}, { ...document, fields: { 'no name': 1 } });
    assert.deepEqual([status, body.errors[0].parameter], [400, 'fields']);
  },
);

test('copies and lists by links are narrowed too', async () => {
  const ask = asker(declared);
  for (const by of ['cocitation', 'coupling', 'companion']) {
    const url = SUBJECTS[0]!;
    const { body: all } = await ask('/related', { url, by, limit: 100 });
    const { body } = await ask('/related', { url, by, 'field.tag': 't1', limit: 100 });
    assert.deepEqual(urlsOf(body), passing(urlsOf(all), ['tag=t1']), by);
  }
  const { body } = await ask('/related', { url: SUBJECTS[0]!, by: 'copy', 'field.tag': 't1' });
  assert.deepEqual(passing(urlsOf(body), ['tag=t1']), urlsOf(body));
});

test('fields are shown as they are asked for', async () => {
  const url = SUBJECTS[0]!;
  for (const app of Object.values(APPS)) {
    const ask = asker(app);
    const { body: some } = await ask('/related', { url, fields: 'price,note' });
    for (const { url: related, fields } of some.related) {
      const { price, note } = FIELDS.get(related)! as Record<string, unknown>;
      assert.deepEqual(fields, price === undefined ? undefined : { note, price });
    }
    const { body: cards } = await ask('/related', { url, cards: true });
    for (const { url: related, fields, passage } of cards.related) {
      assert.deepEqual(fields ?? {}, FIELDS.get(related));
      assert.equal(typeof passage, 'string');
    }
    const { body: both } = await ask('/related', { url, cards: true, fields: ['price'] });
    assert.deepEqual(Object.keys(both.related[0].fields), ['price']);
    const { body: page } = await ask('/page', { url });
    assert.deepEqual(page.fields, FIELDS.get(url));
    const { body: found } = await ask('/search', { q: 'harbour' });
    assert.ok(found.results.length > 0);
    for (const result of found.results) assert.deepEqual(result.fields ?? {}, FIELDS.get(result.url) ?? {});
    const { body: card } = await ask('/index');
    assert.deepEqual(card.fields.find(({ name }: { name: string }) => name === 'price').page_count, 291);
  }
  const { body: without } = await asker(declared)('/related', { url });
  assert.ok(without.related.every((item: object) => !('fields' in item)));
});

test('a search is narrowed as lists are', async () => {
  for (const [which, app] of Object.entries(APPS)) {
    const ask = asker(app);
    const { body: all } = await ask('/search', { q: 'rudder', limit: 100, group: 'none' });
    const expected = passing(
      all.results.map(({ url }: { url: string }) => url),
      ['tag=t1,t2', 'price=100..140'],
    );
    assert.ok(expected.length > 5);
    const query = { q: 'rudder', limit: 100, group: 'none', 'field.tag': 't1,t2', 'field.price': '100..140' };
    const { body } = await ask('/search', query);
    assert.deepEqual(
      body.results.map(({ url }: { url: string }) => url),
      expected,
      which,
    );
    assert.equal(body.total, expected.length);
  }
  const ask = asker(declared);
  const { status, body } = await ask('/search', { q: 'rudder', 'field.tag': 'same' });
  assert.deepEqual([status, body.errors[0].parameter], [400, 'field']);
  assert.equal((await ask('/search', { q: 'rudder', 'field.colour': 'red' })).status, 400);
  for (const [path, query] of [
    ['/search', { q: 'rudder' }],
    ['/pages', { site: 'chandler.example' }],
  ] as const) {
    const { status, body } = await ask(path, { ...query, lang: 'same' });
    assert.deepEqual([status, body.errors[0].parameter], [400, 'lang'], path);
  }
});

test('a search counts the values of fields of all that it finds, in whatever pieces it is read', async () => {
  for (const [which, app] of Object.entries(APPS)) {
    const ask = asker(app);
    const query = { q: 'rudder', 'field.price': '..149' };
    const urls: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await ask('/search', {
        ...query,
        group: 'none',
        limit: 100,
        ...(cursor && { cursor }),
      });
      urls.push(...body.results.map(({ url }: { url: string }) => url));
      cursor = body.next;
    }
    const counts = new Map<unknown, number>();
    for (const tag of urls.flatMap((url) => FIELDS.get(url)!['tag'] as readonly string[]))
      counts.set(tag, (counts.get(tag) ?? 0) + 1);
    assert.ok(urls.length > 20 && counts.size > 5, which);
    const { body } = await ask('/search', { ...query, limit: 1, facets: 'site,tag,rare,tag' });
    assert.deepEqual(
      body.facets.map(({ name }: { name: string }) => name),
      ['site', 'tag', 'rare'],
    );
    const [sites, tags, rare] = body.facets;
    const found = tags.values.map(({ value, pages }: { value: string; pages: number }) => [value, pages]);
    assert.deepEqual(new Map(found), counts, which);
    assert.deepEqual([tags.rest, tags.without, tags.counted], [0, 0, body.total]);
    assert.deepEqual([rare.values, rare.without], [[], body.total]);
    assert.equal(
      sites.values.reduce((sum: number, { pages }: { pages: number }) => sum + pages, 0),
      body.total,
    );
  }
  const { status, body } = await asker(declared)('/search', { q: 'rudder', facets: 'colour' });
  assert.deepEqual([status, body.errors[0].parameter], [400, 'facets']);
});

test('the values of fields on the first 100 pages of a list are counted', async () => {
  const url = SUBJECTS[1]!;
  const whole = passing(await wholeList(url), ['price=..140']).slice(0, 100);
  const counts = new Map<unknown, number>();
  for (const one of whole) {
    for (const tag of FIELDS.get(one)!['tag'] as readonly string[])
      counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  assert.ok(whole.length > 20 && counts.size > 5);
  for (const [which, app] of Object.entries(APPS)) {
    const { body } = await asker(app)('/related', {
      url,
      'field.price': '..140',
      facets: 'tag,rare',
      limit: 3,
    });
    assert.equal(body.related.length, 3);
    const [rare, tags] = body.facets;
    const found = tags.values.map(({ value, pages }: { value: string; pages: number }) => [value, pages]);
    assert.deepEqual(new Map(found), counts, which);
    assert.deepEqual(
      found,
      found.toSorted(([a, m]: [string, number], [b, n]: [string, number]) => n - m || (a < b ? -1 : 1)),
    );
    assert.deepEqual([tags.name, tags.rest, tags.without, tags.counted], ['tag', 0, 0, whole.length]);
    assert.deepEqual(rare, {
      name: 'rare',
      values: [],
      rest: 0,
      without: whole.length,
      counted: whole.length,
    });
    const { body: next } = await asker(app)('/related', {
      url,
      'field.price': '..140',
      cursor: body.next,
      facets: 'tag',
    });
    assert.deepEqual(next.facets, [tags]);
  }
  const posted = await declared.inject({
    method: 'POST',
    url: pathOf('/similar', { facets: 'tag', limit: 1 }),
    payload: { url },
  });
  const { body: same } = await asker(declared)('/related', { url, facets: 'tag' });
  assert.deepEqual(posted.json().facets, same.facets);
  const missing = { url: `${url}-none`, missing: '200', fallback: 'site' };
  const { body: none } = await asker(declared)('/related', { ...missing, facets: 'tag' });
  assert.deepEqual(none.facets, [{ name: 'tag', values: [], rest: 0, without: 0, counted: 0 }]);
  assert.equal((await asker(declared)('/related', { ...missing, facets: 'colour' })).status, 400);
  const { status, body } = await asker(declared)('/related', { url, facets: 'colour' });
  assert.deepEqual([status, body.errors[0].parameter], [400, 'facets']);
});

test('what cannot be asked is refused, and says what can', async () => {
  const ask = asker(declared);
  const url = SUBJECTS[0]!;
  const refused: [Query, string, RegExp][] = [
    [{ 'field.prise': '..3' }, 'field', /no page of the index has the field prise, and none was declared/],
    [{ fields: 'price,colour' }, 'fields', /has the field colour/],
    [
      { 'field.price': 'a..b' },
      'field',
      /^"a\.\.b" is no range of numbers or of dates; .*, such as category=tea/,
    ],
    [{ 'field.price': '20..10' }, 'field', /^"20\.\.10" is a range that ends before it begins/],
    [{ 'field.price': '3,..' }, 'field', /^"\.\." is no range/],
    [{ 'field.price': 'cheap' }, 'field', /^each value of price is a number, and "cheap" is none$/],
    [
      { 'field.price': '2026-01-01..' },
      'field',
      /^each value of price is a number, and what is asked for is a date$/,
    ],
    [{ 'field.day': '7' }, 'field', /^each value of day is a date, and "7" is none$/],
    [{ boost: '30d' }, 'boost', /^must be fresh: and an age, such as fresh:30d/],
    [{ exclude: 'https://shop.example/*/x' }, 'exclude', /a \* at its end alone/],
    [{ 'field.': 'a' }, 'field', /must be/],
    [{ field: 'price' }, 'field', /must be NAME=VALUE/],
    [{ fields: 'a b' }, 'fields', /must be names of fields/],
    [{ fieldprice: '1' }, 'fieldprice', /unknown parameter/],
  ];
  for (const [query, parameter, detail] of refused) {
    const { status, body } = await ask('/related', { url, ...query });
    assert.deepEqual([status, body.errors[0].parameter], [400, parameter], JSON.stringify(query));
    assert.match(body.errors[0].detail, detail);
  }
  const { body } = await ask('/related', { url, 'field.prise': '1' });
  assert.deepEqual(body.errors[0].allowed, ['day', 'note', 'price', 'rare', 'tag']);
  const { status } = await ask('/related', { url, 'field.rare': 'nothing' });
  assert.equal(status, 200);
});

test('in batches, fragments, exports and commands', async () => {
  const url = SUBJECTS[3]!;
  const expected = passing(await wholeList(url), ['tag=u2']).slice(0, 3);
  const body = { urls: [url], limit: 3, 'field.tag': 'u2' };
  const batch = await declared.inject({ method: 'POST', url: '/related/batch', payload: body });
  assert.deepEqual(urlsOf(batch.json().results[0]), expected);
  const html = await declared.inject(pathOf('/related.html', { url, limit: 3, 'field.tag': 'u2' }));
  assert.deepEqual(
    [...html.body.matchAll(/href="([^"]+)"/g)].map(([, href]) => href),
    expected,
  );
  const command = [
    'related',
    declaredPath,
    url,
    '--field',
    'tag=u2',
    '--limit',
    '3',
    '--fields',
    'tag,day',
    '--json',
  ];
  const { stdout, stderr } = await akin(command);
  assert.equal(stderr, '');
  assert.deepEqual(urlsOf(JSON.parse(stdout)), expected);
  assert.deepEqual(Object.keys(JSON.parse(stdout).related[0].fields), ['day', 'tag']);
  const pages = await akin([
    'export',
    plainPath,
    '--what',
    'pages',
    '--field',
    'price=110..111',
    '--format',
    'ndjson',
  ]);
  const rows = pages.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    new Map(rows.map((row) => [row.url, row.fields])),
    new Map([...FIELDS].filter(([, { price }]) => Number(price) >= 110 && Number(price) <= 111)),
  );
  assert.equal(rows.length, 3);
  assert.ok(url.startsWith(HARBOUR));
  const clusters = await plain.inject(pathOf('/export/clusters', { level: 0, 'field.price': '110..111' }));
  const inCluster = clusters.body.trim().split('\n');
  assert.deepEqual(
    inCluster.map((line) => JSON.parse(line).url),
    rows.map((row) => row.url),
  );
});
