/**
 * Of copies of a text the one that is best for a reader: by language, by site, by host, by path; and in a list without copies
 * the one that its filters ask for.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { asker, type Body, fixtureApp } from './fixture-app.ts';
import { buildFixture, type FixturePage, temporaryFolder } from './fixture-index.ts';
import { prose } from './sweeps-index.ts';

const text = prose(1, 200);
const copy = (url: string, lang: string): FixturePage => ({
  url,
  html: `<html lang="${lang}"><title>Manual</title><p>${text}</p></html>`,
});
const COM = 'https://docs.example.com/manual';
const NET = 'https://mirror.example.net/a/manual';
const FR = 'https://mirror.example.net/b/manual';
const DE = 'https://www.beispiel.de/manual';
const DE_IN_ENGLISH = 'https://en.anderes.de/x/manual';
const START = 'https://www.beispiel.de/';
const pages = [
  copy(COM, 'en'),
  copy(NET, 'en'),
  // Languages of no stemmer: both speak in the same words.
  copy(FR, 'br'),
  copy(DE, 'nds-DE'),
  copy(DE_IN_ENGLISH, 'en'),
  { url: 'https://else.example/', html: `<title>Else</title><p>${prose(2, 100)}</p>` },
  // It shares words with the text.
  { url: START, html: `<html lang="nds"><title>Start</title><p>${prose(3, 40)} ${text.slice(0, 300)}</p>` },
];
const path = join(temporaryFolder({ after }), 'manuals.akin');
await buildFixture(path, pages, { maxPageShare: 1 });
const app = await fixtureApp(path);
const ask = asker(app);

test('a cluster of copies names the one that is best for a reader', async () => {
  const best = async (query: object) =>
    (await ask('/cluster', { url: COM, by: 'copy', ...query })).body.best?.url;
  assert.equal(await best({}), undefined);
  assert.equal(await best({ near: 'https://example.com/start' }), COM, 'the same site');
  assert.equal(await best({ near: 'https://example.net/' }), NET, 'of one site the first');
  assert.equal(
    await best({ near: 'https://mirror.example.net/b/' }),
    'https://mirror.example.net/b/manual',
    'of one host the nearest path',
  );
  assert.equal(await best({ near: 'https://something.de/' }), DE_IN_ENGLISH, 'the same end of the host');
  assert.equal(await best({ near_lang: 'nds-NL' }), DE);
  assert.equal(await best({ near_lang: 'en', near: 'https://something.de/' }), DE_IN_ENGLISH);
  assert.equal(
    await best({ near_lang: 'en', near: 'https://www.beispiel.de/' }),
    DE_IN_ENGLISH,
    'language first',
  );
  assert.equal(
    await best({ near_lang: 'fi', near: 'https://example.com/' }),
    COM,
    'no page in that language',
  );
  const alone = await ask('/cluster', { url: 'https://else.example/', by: 'copy', near: COM });
  assert.deepEqual([alone.status, alone.body.best], [200, null]);
  const topic = await ask('/cluster', { url: COM, near: COM });
  assert.deepEqual([topic.status, topic.body.code], [400, 'invalid-parameters']);
});

test('groups of results name theirs, among the pages that the index has', async () => {
  const post = async (payload: object) =>
    (await app.inject({ method: 'POST', url: '/group', payload })).json();
  const results = [COM, { url: 'https://unknown.de/', text }, NET, DE];
  const best = async (more: object) =>
    (await post({ results, threshold: 0.8, ...more })).groups.map((group: Body) => group.best?.rank);
  assert.deepEqual(await best({}), [undefined]);
  assert.deepEqual(await best({ near: 'https://a.de/' }), [3]);
  assert.deepEqual(await best({ near_lang: 'en', near: 'https://example.net/' }), [2]);
  const { code } = await post({ results, near: 'ftp://a.example/' });
  assert.equal(code, 'invalid-parameters');
});

test('of copies as good the first URL is best, whether it waits or not', async () => {
  const live = { maxPending: 10, maxPendingBytes: 2 ** 20, share: 2, waitMs: 1e9, run: async () => false };
  const liveApp = await fixtureApp(path, { live });
  const url = 'https://aaa.example/manual';
  const { html } = copy(url, 'en');
  const put = { method: 'PUT', url: `/pages?url=${encodeURIComponent(url)}`, payload: { html } } as const;
  assert.equal((await liveApp.inject(put)).statusCode, 201);
  const payload = { results: [COM, url, NET], near_lang: 'en' };
  const { groups } = (await liveApp.inject({ method: 'POST', url: '/group', payload })).json();
  assert.deepEqual(
    groups.map((group: Body) => group.best),
    [{ rank: 1, url, title: 'Manual' }],
  );
});

test('the filters of a list are asked before copies are left out: of a group the first page that passes stays', async () => {
  const manuals = async (query: object) => {
    const { status, body } = await ask('/related', { url: START, exclude_copies: true, ...query });
    assert.equal(status, 200);
    return body.related.map((page: Body) => page.url).filter((url: string) => url.endsWith('/manual'));
  };
  assert.deepEqual(await manuals({ exclude_copies: false }), [FR, DE], 'words as they are written');
  assert.deepEqual(await manuals({}), [FR]);
  assert.deepEqual(await manuals({ lang: 'br' }), [FR]);
  assert.deepEqual(await manuals({ lang: 'nds' }), [DE]);
  assert.deepEqual(await manuals({ same_site: 'only' }), [DE]);
  assert.deepEqual(await manuals({ same_site: 'exclude' }), [FR]);
  assert.deepEqual(await manuals({ site: 'beispiel.de' }), [DE]);
  assert.deepEqual(await manuals({ exclude: FR }), [DE]);
});
