/** Where the box of the pages for people leads with what is typed, without script. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addExplorer } from '../../src/explorer/explorer.ts';
import { fixtureApp, pathOf } from '../service/fixture-app.ts';
import { GARDEN, MOVED } from '../service/fixture-index.ts';
import { hostileIndex, hostileUrl } from './hostile-index.ts';

const app = await fixtureApp(await hostileIndex({ after }), { extend: addExplorer });

test('the box tells URLs from words', async () => {
  const goes = async (q: string) => (await app.inject(pathOf('/explore/go', { q }))).headers['location'];
  assert.equal(await goes(`${GARDEN}0`), pathOf('/explore/page', { url: `${GARDEN}0` }));
  assert.equal(await goes('garden.example/roses/0'), pathOf('/explore/page', { url: `${GARDEN}0` }));
  assert.equal(
    await goes(MOVED),
    pathOf('/explore/page', { url: `${GARDEN}0` }),
    'an alias leads to its page',
  );
  assert.equal(
    await goes('nowhere.example/x'),
    pathOf('/explore/page', { url: 'https://nowhere.example/x' }),
  );
  assert.equal(await goes('rose thorn'), pathOf('/explore/search', { q: 'rose thorn' }));
  assert.equal(await goes('e.g. this'), pathOf('/explore/search', { q: 'e.g. this' }));
  assert.equal(await goes('nowhere.example'), pathOf('/explore/page', { url: 'https://nowhere.example' }));
  assert.equal(await goes('сады.рф/розы'), pathOf('/explore/page', { url: 'https://сады.рф/розы' }));
  // Of the title of a page.
  assert.equal(await goes('rose.garden'), pathOf('/explore/search', { q: 'rose.garden' }));
  const long = 'bread dough and yeast '.repeat(30).trim();
  assert.equal(await goes(long), pathOf('/explore/text', { text: long }));
  assert.equal(await goes(hostileUrl('long')), pathOf('/explore/page', { url: hostileUrl('long') }));
  assert.equal(await goes(''), '/');
});
