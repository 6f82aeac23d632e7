/** What refusals say of what came, and that any reader of JSON can read them: from the requests alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, pathOf } from './fixture-app.ts';
import { GARDEN } from './fixture-index.ts';
import { lines, NDJSON, writable } from './routes/writable.ts';

const { ask } = await writable({}, { feedback: { maxBytes: 2 ** 20, perMinute: 1000 } });
const page = `${GARDEN}1`;
const JSON_TYPE = { 'content-type': 'application/json' };
const post = (url: string, body: object | string) => ask('POST', url, body, JSON_TYPE);
const faultOf = (body: Body, parameter: string) =>
  body.errors.find((one: { parameter: string }) => one.parameter === parameter);

test('a URL that is too long is refused as one that is, wherever it stands', async () => {
  for (const long of [
    `https://garden.example/${'a'.repeat(3000)}`,
    `https://garden.example/${'ü'.repeat(400)}`,
  ]) {
    const said: [place: string, answer: Promise<{ status: number; body: Body }>][] = [
      ...['/related', '/related.html', '/page', '/cluster', '/moved', '/moved.html', '/history'].map(
        (path): (typeof said)[number] => [path, ask('GET', pathOf(path, { url: long }))],
      ),
      ['exclude', ask('GET', pathOf('/related', { url: page, exclude: long }))],
      ['near', ask('GET', pathOf('/cluster', { url: page, by: 'copy', near: long }))],
      ['similar url', post('/similar', { url: long })],
      ['base_url', post('/similar', { text: 'roses', base_url: long })],
      ['like', post('/similar', { like: [{ url: long }] })],
      ['compare', post('/compare', { a: { url: long }, b: { url: page } })],
      ['cover', post('/cover', { url: long })],
      ['group near', post('/group', { results: [page], near: long })],
      ['rule', ask('PUT', '/rules', { rules: [{ url: long, block: [page] }] })],
      ['pin', ask('PUT', '/rules', { rules: [{ pin: [long] }] })],
      ['block', ask('PUT', '/rules', { rules: [{ block: [long] }] })],
      ['feedback', post('/feedback', { url: page, related_url: long, judgement: 'better' })],
      ['put', ask('PUT', pathOf('/pages', { url: long }), { text: 'roses' })],
      ['delete', ask('DELETE', pathOf('/pages', { url: long }))],
      ['line', ask('POST', '/pages', lines([{ url: long, text: 'roses' }]), NDJSON)],
    ];
    for (const [place, answer] of said) {
      const { status, body } = await answer;
      assert.equal(status, 400, place);
      assert.match(
        body.errors[0].detail,
        /must be a URL of at most 2048 characters, its escapes counted/,
        place,
      );
    }
    const { status, body } = await post('/related/batch', { urls: [long, page] });
    assert.equal(status, 200);
    assert.match(body.results[0].error.detail, /at most 2048 characters/);
    assert.equal(body.results[1].url, page);
  }
  const { body } = await ask('GET', pathOf('/related', { url: 'garden.example/1' }));
  assert.equal(body.detail, 'url: must be an absolute http or https URL');
});

/** Whether all texts of an answer, names included, are of whole characters. */
const isWhole = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.isWellFormed()
    : typeof value !== 'object' || value === null || Object.entries(value).flat().every(isWhole);

test('half a character in a body is no fault of the service, and comes back as U+FFFD', async () => {
  const half = '\\ud83d';
  const bodies: [url: string, body: string][] = [
    ['/related/batch', `{"urls":["${half}", "${page}"]}`],
    ['/related/batch', `{"urls":["https://garden.example/${half}"], "group": true}`],
    ['/group', `{"results":["${half}", {"url":"${half}","text":"${half}"}]}`],
    ['/similar', `{"${half}":"${half}"}`],
    ['/similar', `{"title":"${half}","text":"roses ${half}"}`],
    ['/similar', `{"url":"${half}"}`],
    ['/similar', `{"features":{"tags":{"${half}":1}}}`],
    ['/similar', `{"text":"roses","fields":{"${half}":1}}`],
    ['/compare?include_text=true', `{"a":{"text":"${half}"},"b":{"text":"a","title":"${half}"}}`],
    ['/cover', `{"text":"${half}"}`],
    ['/feedback', `{"url":"${half}","related_url":"${half}","judgement":"better"}`],
  ];
  for (const [url, payload] of bodies) {
    const { status, body } = await post(url, payload);
    assert.ok(status < 500, `${url} ${payload}: ${status}`);
    assert.ok(isWhole(body), `${url} ${payload}`);
  }
  for (const body of [`{"text":"roses","fetched_at":"${half}"}`, `{"text":"roses","${half}":"${half}"}`])
    assert.ok(isWhole((await ask('PUT', pathOf('/pages', { url: page }), body, JSON_TYPE)).body), body);
  const { body } = await ask('POST', '/pages', `{"url":"${half}","text":"roses"}\n`, NDJSON);
  assert.ok(isWhole(body));
  const kept = await post('/similar', { title: String.raw`a \ud83d \\ud83d "😀"`, text: 'roses' });
  assert.equal(kept.body.title, String.raw`a \ud83d \\ud83d "😀"`);
});

test('what came is cut between characters', async () => {
  for (const text of ['😀'.repeat(150), `x${'😀'.repeat(150)}`]) {
    for (const query of [
      { url: page, limit: text },
      { url: page, by: text },
      { url: page, [text.repeat(4)]: 1 },
    ]) {
      const { status, body } = await ask('GET', pathOf('/related', query));
      assert.equal(status, 400);
      assert.ok(isWhole(body), text);
    }
  }
});

test('a refusal says what came', async () => {
  const like = [{ url: page }];
  const unlike = [{ text: 'roses' }];
  for (const [url, body, parameter, received] of [
    ['/similar', { unlike }, 'unlike', unlike],
    ['/similar', { like, text: 'roses' }, 'text', 'roses'],
    ['/similar', { html: '<p>roses', text: 'roses' }, 'text', 'roses'],
    ['/similar?by=copy', { like }, 'like', like],
    ['/similar', { vectors: { mini: [1, 2] } }, 'vectors', ['mini']],
    ['/similar', { vectors: { mini: [0, 0] } }, 'vectors', ['mini']],
    ['/similar', { text: 'roses', vectors: { mini: [1, 'x'] } }, 'vectors', ['mini']],
    ['/feedback', { url: page, related_url: page, judgement: 'better' }, 'related_url', page],
  ] as const) {
    const answer = await post(url, body);
    assert.equal(answer.status, 400, url);
    assert.deepEqual(faultOf(answer.body, parameter)?.received, received, JSON.stringify(body));
  }
  const example = await post('/similar', { like: [{ title: 'roses' }] });
  assert.equal(example.body.detail, 'like[0]: the body must hold html, text or url');
});

test('a cursor with other parameters is answered with those that it outlives', async () => {
  for (const [path, asked, other, outlived] of [
    ['/related', { url: page }, { min_similarity: 0.01 }, ['limit', 'explain', 'cards', 'fields', 'facets']],
    ['/search', { q: 'rose' }, { q: 'roses' }, ['limit']],
    ['/sites', {}, { name: 'e' }, ['limit']],
  ] as const) {
    const { next } = (await ask('GET', pathOf(path, { ...asked, limit: 1 }))).body;
    const { status, body } = await ask('GET', pathOf(path, { ...asked, ...other, limit: 1, cursor: next }));
    assert.equal(status, 400, path);
    const [, said] = /only (.*) may change/.exec(body.detail) ?? [];
    for (const name of outlived) assert.ok(said?.split(', ').includes(name), `${path} ${name}`);
    const known = new Set((await ask('GET', pathOf(path, { nope: 1 }))).body.errors[0].allowed);
    for (const name of said!.split(', ')) assert.ok(known.has(name), `${path} has no ${name}`);
  }
});
