/** How long a query may be, and what of it counts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asker, fixtureApp, fixtureIndex } from './fixture-app.ts';

const ask = asker(await fixtureApp(await fixtureIndex()));
const search = (q: string) => ask('/search', { q });

test('the characters of a parameter are counted as its schema counts them', async () => {
  const rose = '\u{1f339}';
  for (const [query, status] of [
    [{ q: `${rose.repeat(494)} roses` }, 200],
    [{ q: `${rose.repeat(495)} roses` }, 400],
    [{ q: 'roses', lang: rose }, 400],
    [{ q: 'roses', lang: rose.repeat(2) }, 200],
    [{ q: 'roses', lang: rose.repeat(36) }, 400],
    [{ q: 'roses', lang: 'e' }, 400],
  ] as const) {
    assert.equal((await ask(`/search?${new URLSearchParams(query)}`)).status, status, JSON.stringify(query));
  }
});

test('an answer says which words and hosts of a long query do not count', async () => {
  const sixteen = Array.from({ length: 16 }, () => 'roses').join(' ');
  const { body } = await search(`${sixteen} nowhere -roses "on no page" ++ `);
  assert.deepEqual(body.left_out, ['nowhere', '-roses', '"on no page"']);
  assert.equal(body.total, (await search('roses ')).body.total);
  assert.ok(body.total > 0);
  const { body: all } = await search(sixteen);
  assert.equal('left_out' in all, false);
  const hosts = Array.from({ length: 17 }, (_, i) => `-site:h${i}.example`).join(' ');
  assert.deepEqual((await search(`${hosts} roses`)).body.left_out, ['-site:h16.example']);
});
