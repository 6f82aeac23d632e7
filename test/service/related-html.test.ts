/** GET /related.html: the list as a fragment. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WORDS } from '../../src/embed/languages.js';
import { fragmentWords } from '../../src/service/answers/pages/fragment-words.ts';
import { asker, fixtureApp, fixtureIndex, pathOf } from './fixture-app.ts';
import { GARDEN, HERBARIUM, TINY } from './fixture-index.ts';

const app = await fixtureApp(await fixtureIndex());
const ask = asker(app);

test('the fragment escapes what pages say of themselves, and stands without script', async () => {
  const { text, headers } = await ask('/related.html', { url: `${GARDEN}3`, limit: 4 });
  assert.match(String(headers['content-type']), /^text\/html/);
  assert.equal(text.match(/<li class="akin-item">/g)?.length, 4);
  assert.match(text, /<h2 class="akin-heading" dir="auto">Related pages<\/h2>/);
  assert.ok(text.startsWith('<section class="akin-related">'));
  assert.ok(text.includes('&lt;b&gt;') && !text.includes('<b>') && !text.includes('<script'));
  assert.equal(headers['x-frame-options'], undefined);
  const empty = await ask('/related.html', { url: TINY });
  assert.equal(empty.text, '<section class="akin-related" data-reason="too_little_text"></section>\n');
});

test('a fragment has the heading that is asked for, and each is cached by itself', async () => {
  const url = `${GARDEN}3`;
  const named = await ask('/related.html', { url, heading: 'Weiter <b>lesen' });
  assert.match(named.text, /<h2 class="akin-heading" dir="auto">Weiter &lt;b&gt;lesen<\/h2>/);
  const bare = await ask('/related.html', { url, heading: '' });
  assert.ok(bare.text.startsWith('<section class="akin-related">\n<ul') && !bare.text.includes('<h2'));
  const tags = [named, bare, await ask('/related.html', { url })].map(({ headers }) => headers['etag']);
  assert.equal(new Set(tags).size, 3);
});

test('a heading is in the language of the page, where none is asked for', async () => {
  const heading = async (more = {}) => {
    const { text } = await ask('/related.html', { url: HERBARIUM, ...more });
    return /class="akin-heading" dir="auto">([^<]*)</.exec(text)?.[1];
  };
  assert.equal(await heading(), 'Verwandte Seiten');
  assert.equal(await heading({ heading: 'Related pages' }), 'Related pages');
});

test('fragments say what the components say, in each language of theirs', async () => {
  const { wordsFor } = await import(new URL('../../src/embed/words.js', import.meta.url).href);
  const languages = Object.keys(WORDS);
  assert.ok(languages.length > 10 && languages.includes('nl'));
  for (const lang of [...languages, 'de-AT', 'fr_FR', 'tlh']) {
    const element = { closest: () => ({ getAttribute: () => lang }) };
    assert.equal(fragmentWords(lang), wordsFor(element), lang);
  }
});

test('a page that is not in the index has an empty fragment, or the 404 that is asked for', async () => {
  const url = 'https://nowhere.example/';
  const { status, text } = await ask('/related.html', { url });
  assert.equal(status, 200);
  assert.equal(text, '<section class="akin-related" data-reason="not_indexed"></section>\n');
  assert.equal((await ask('/related.html', { url, missing: '404' })).body.code, 'page-not-indexed');
  assert.equal((await ask('/related.html', { url, missing: '204' })).body.code, 'invalid-parameters');
  assert.equal((await ask('/related.html', { url: 'nowhere' })).body.code, 'invalid-parameters');
});

test('a fragment that cannot be is refused in HTML where HTML is asked for', async () => {
  const path = pathOf('/related.html', { url: 'https://nowhere.example/<b>', missing: 404 });
  const asked = async (accept: string, url = path) => {
    const { statusCode, headers, body } = await app.inject({ url, headers: { accept } });
    return { statusCode, mediaType: String(headers['content-type']).split(';')[0], body };
  };
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const page = await asked(browser);
  assert.deepEqual([page.statusCode, page.mediaType], [404, 'text/html']);
  assert.match(page.body, /<h1>The page is not in the index \(404\)<\/h1>/);
  assert.ok(page.body.includes('https://nowhere.example/%3Cb%3E') && !page.body.includes('<b>'));
  const wrong = await asked(browser, '/related.html?url=none');
  assert.deepEqual([wrong.statusCode, wrong.mediaType], [400, 'text/html']);
  const nothing = await asked(browser, '/<b>');
  assert.deepEqual([nothing.statusCode, nothing.mediaType], [404, 'text/html']);
  assert.doesNotMatch(nothing.body, /<b>/);
  for (const accept of ['*/*', '', 'application/json, text/html;q=0.5', 'text/html;q=0'])
    assert.equal((await asked(accept)).mediaType, 'application/problem+json', accept);
  // Whoever reads JSON gets JSON.
  const api = await asked(browser, pathOf('/related', { url: 'https://nowhere.example/' }));
  assert.equal(api.mediaType, 'application/problem+json');
});
