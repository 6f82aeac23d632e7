/** Lists in one language. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asker, fixtureApp, fixtureIndex } from './fixture-app.ts';
import { GARDEN, HERBARIUM } from './fixture-index.ts';

const ask = asker(await fixtureApp(await fixtureIndex()));
const urlsOf = (body: { related: readonly { url: string }[] }) => body.related.map(({ url }) => url);

test('a language is asked for by its primary subtag', async () => {
  const [plain, region] = await Promise.all(
    ['en', 'en-US'].map((lang) => ask('/related', { url: `${GARDEN}3`, lang, limit: 100 })),
  );
  assert.ok(urlsOf(plain!.body).length > 0);
  assert.deepEqual(urlsOf(region!.body), urlsOf(plain!.body));
});

test('the language of the page itself is asked for as same', async () => {
  const urls = async (url: string, lang: string) =>
    urlsOf((await ask('/related', { url, lang, limit: 100 })).body);
  for (const [url, lang] of [
    [`${GARDEN}3`, 'en'],
    [HERBARIUM, 'de'],
  ] as const) {
    assert.deepEqual(await urls(url, 'same'), await urls(url, lang), url);
  }
  assert.ok((await urls(HERBARIUM, 'en')).length > 0 && (await urls(`${GARDEN}3`, 'same')).length > 0);
});
