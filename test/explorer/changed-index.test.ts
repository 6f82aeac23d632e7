/** Pages for people of an index that has changed, or may change with the next write. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addExplorer } from '../../src/explorer/explorer.ts';
import { fixtureApp, fixtureIndex, pathOf } from '../service/fixture-app.ts';
import { GARDEN } from '../service/fixture-index.ts';

const index = await fixtureIndex();
const app = await fixtureApp(index, { extend: addExplorer });

test('a link to a later part of a list that is another one now leads to its first', async () => {
  const cursor = `${'0'.repeat(16)}${'1'.repeat(14)}a`;
  const of: [path: string, query: Record<string, string>][] = [
    ['/explore/page', { url: `${GARDEN}0`, sites: 'exclude' }],
    ['/explore/topics', { label: 'rose & thorn' }],
    ['/explore/sites', { site: 'garden.example' }],
    ['/explore/search', { q: 'rose' }],
    ['/explore/copies', {}],
    ['/explore/changes', { news: 'new' }],
    ['/explore/moved', {}],
    ['/explore/moved', { url: `${GARDEN}0` }],
    ['/demo', { q: 'rose', akin: 'off' }],
  ];
  for (const [path, query] of of) {
    const { statusCode, headers } = await app.inject(pathOf(path, { ...query, cursor }));
    assert.deepEqual([statusCode, headers['location']], [303, pathOf(path, query)], path);
  }
});

test('a page that the next write may change is asked for again each time', async () => {
  const live = { maxPending: 10, maxPendingBytes: 2 ** 20, share: 2, waitMs: 1e9, run: async () => false };
  const written = await fixtureApp(index, { live, extend: addExplorer });
  const controlOf = async (path: string) => (await written.inject(path)).headers['cache-control'];
  for (const path of [
    pathOf('/explore/compare', { a: `${GARDEN}0`, b: `${GARDEN}1` }),
    pathOf('/explore/text', { text: 'when to prune a rose' }),
  ])
    assert.equal(await controlOf(path), 'public, no-cache', path);
  const url = pathOf('/explore/page', { url: `${GARDEN}0` });
  const before = await written.inject(url);
  assert.equal(before.headers['cache-control'], 'public, no-cache');
  const again = { url, headers: { 'if-none-match': String(before.headers['etag']) } };
  assert.equal((await written.inject(again)).statusCode, 304);
  const page = { method: 'PUT' as const, url: pathOf('/pages', { url: `${GARDEN}0` }) };
  await written.inject({
    ...page,
    payload: { title: 'Quite another', text: 'rose petal thorn cane pruning' },
  });
  const after = await written.inject(again);
  assert.equal(after.statusCode, 200);
  assert.match(after.body, /Quite another/);
  assert.equal((await app.inject(url)).headers['cache-control'], 'public, max-age=60');
});

test('the first page leads to no page that has been deleted since, and asks little for that', async () => {
  const live = { maxPending: 10, maxPendingBytes: 2 ** 20, share: 2, waitMs: 1e9, run: async () => false };
  const asked: string[] = [];
  const written = await fixtureApp(await fixtureIndex(), {
    live,
    extend: (service) => {
      addExplorer(service);
      service.addHook('onRequest', async ({ url }) => void asked.push(url));
    },
  });
  const home = async () => {
    asked.length = 0;
    return (await written.inject('/')).body;
  };
  const [link, query] = /\/explore\/map\?([^"]+)/.exec(await home())!;
  const url = new URLSearchParams(query).get('url')!;
  const { statusCode } = await written.inject({ method: 'DELETE', url: pathOf('/pages', { url }) });
  assert.equal(statusCode, 200);
  assert.ok(!(await home()).includes(link));
  // The page itself, the card, whether it is ready, topics, what is across sites, and copies.
  assert.ok(asked.length <= 6, asked.join('\n'));
  assert.deepEqual(asked.filter((one) => one.startsWith('/clusters?level=')).length, 1);
});
