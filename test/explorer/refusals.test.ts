/** What the service refuses, as the pages for people say it: which page is meant, until when, and not for longer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addExplorer } from '../../src/explorer/explorer.ts';
import { fixtureApp, fixtureIndex, pathOf } from '../service/fixture-app.ts';
import { GARDEN, HERBARIUM } from '../service/fixture-index.ts';
import { parsed } from './parsed-page.ts';

const index = await fixtureIndex();
const app = await fixtureApp(index, { extend: addExplorer });
const KNOWN = `${GARDEN}0`;

/** A visitor whose next question is one too many. */
const limited = () =>
  fixtureApp(index, { extend: addExplorer, rateLimits: { getPerMinute: 1, postPerMinute: 1 } });

test('of two pages the one is named that is not in the index, with the pages near to it', async () => {
  const unknown = `${GARDEN.replace('roses', 'rosas')}0`;
  for (const query of [
    { a: KNOWN, b: unknown },
    { a: unknown, b: KNOWN },
  ]) {
    const { statusCode, headers, body } = await app.inject(pathOf('/explore/compare', query));
    const { text, elements } = parsed(statusCode, headers, body);
    assert.equal(statusCode, 404);
    const outside = elements.find(({ attributes }) => attributes['class'] === 'outside');
    assert.equal(outside?.attributes['href'], unknown);
    assert.match(text, /The nearest addresses that it has garden\.example\/roses\//);
  }
  const alone = await app.inject(pathOf('/explore/page', { url: 'https://nowhere.example/' }));
  assert.match(alone.body, /https:\/\/nowhere\.example\/ is not in the index/);
});

test('who asks too often learns when to ask again, on every page, and no cache keeps that', async () => {
  for (const path of [
    '/',
    '/explore/topics',
    pathOf('/explore/page', { url: KNOWN }),
    pathOf('/demo', { q: 'rose' }),
    '/demo',
  ]) {
    const { statusCode, headers } = await (await limited()).inject(path);
    const { 'retry-after': retry, 'cache-control': control } = headers;
    assert.deepEqual([statusCode, retry, control], [429, '60', 'no-store'], path);
  }
});

test('who asks for JSON is refused in JSON', async () => {
  for (const path of [
    pathOf('/explore/map.json', { url: 'https://unknown.example/' }),
    pathOf('/explore/compare.json', { a: KNOWN, b: 'https://unknown.example/' }),
  ]) {
    const { statusCode, headers, body } = await app.inject(path);
    assert.equal(statusCode, 404);
    assert.match(String(headers['content-type']), /^application\/problem\+json/);
    const { code, instance } = JSON.parse(body);
    assert.deepEqual([code, instance], ['page-not-indexed', path]);
  }
  const { headers } = await (await limited()).inject(pathOf('/explore/map.json', { url: HERBARIUM }));
  assert.equal(headers['retry-after'], '60');
});

test('a text goes into an address that every proxy takes, however many bytes its letters have', async () => {
  const post = (text: string) =>
    app.inject({
      method: 'POST',
      url: '/explore/text',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      payload: `--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n${text}\r\n--x--\r\n`,
    });
  const latin = await post('when to prune a rose '.repeat(60));
  assert.equal(latin.statusCode, 303);
  const wide = await post('薔薇の剪定の時期'.repeat(180));
  assert.deepEqual([wide.statusCode, wide.headers['location']], [200, undefined]);
});
