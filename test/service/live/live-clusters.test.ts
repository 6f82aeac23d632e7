/** Clusters while pages wait: three groups of copies, of four, three and two pages, beside a page that the index knows as gone. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Body, fixtureApp, pathOf, type Query } from '../fixture-app.ts';
import { temporaryFolder } from '../fixture-index.ts';
import { recordIndexes } from '../record-indexes.ts';
import { prose } from '../sweeps-index.ts';

const urlOf = (name: string) => `https://copies.example/${name}`;
const GROUPS = { a: 4, b: 3, c: 2 };
const grouped = Object.entries(GROUPS).flatMap(([letter, count], seed) =>
  Array.from({ length: count }, (_, i) => ({ url: urlOf(`${letter}${i}`), text: prose(seed + 1, 80) })),
);
const gone = { url: urlOf('x'), text: prose(9, 80) };
const dated = (records: readonly object[], day: number) =>
  records.map((one) => ({ ...one, fetched_at: `2026-01-0${day}` }));

const indexes = recordIndexes(temporaryFolder({ after }));
const { target } = await indexes.build('copies', dated([...grouped, gone], 1));
await indexes.add(target, 'later', dated([{ url: gone.url, status: 410 }], 2));
const shards = await indexes.split(target);
const live = { maxPending: 100, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9, run: async () => false };

for (const [kind, indexPath] of [
  ['a whole index', target],
  ['shards', shards],
] as const)
  test(`${kind}: a cluster has neither a page that is changed nor one that is gone`, async () => {
    const app = await fixtureApp('', { live, indexPath });
    const get = async (path: string, query: Query = {}) =>
      (await app.inject(pathOf(path, query))).json() as Body;
    const listed = async (query: Query) => {
      const { total, clusters } = await get('/clusters', { limit: 100, ...query });
      assert.equal(total, clusters.length);
      return clusters.map(({ size }: Body) => size);
    };
    const write = async (records: readonly object[]) => {
      const payload = records.map((one) => JSON.stringify(one)).join('\n');
      const headers = { 'content-type': 'application/x-ndjson' };
      assert.equal((await app.inject({ method: 'POST', url: '/pages', payload, headers })).statusCode, 200);
    };
    const copies = async () =>
      (await app.inject('/export/copies')).body
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Body)
        .map(({ url, replaced_by: other, size }) => [url, other, size]);

    assert.deepEqual(await listed({ by: 'copy' }), [4, 3, 2]);
    const topics = await listed({ level: 0 });
    await write(dated([{ url: gone.url, status: 410 }], 3));
    assert.deepEqual(await listed({ level: 0 }), topics, 'it was in no list before');

    await write([
      { url: urlOf('a0'), text: prose(20, 80) },
      { url: urlOf('a2'), text: prose(21, 80) },
      { url: urlOf('a3'), status: 410 },
      { url: urlOf('c0'), status: 410 },
    ]);
    assert.deepEqual(await listed({ by: 'copy' }), [3, 1, 1], 'largest first');
    const [first] = (await get('/clusters', { by: 'copy', limit: 1 })).clusters;
    assert.deepEqual([first.size, first.center.url], [3, urlOf('b0')]);
    const { cluster, members } = await get('/cluster', { by: 'copy', url: urlOf('a1') });
    assert.deepEqual(
      [cluster.size, cluster.center.url, members.map(({ url }: Body) => url)],
      [1, urlOf('a1'), [urlOf('a1')]],
    );
    assert.equal((await get('/cluster', { by: 'copy', url: urlOf('a2') })).cluster, null);
    assert.deepEqual(await copies(), [
      [urlOf('b0'), null, 3],
      [urlOf('b1'), urlOf('b0'), 3],
      [urlOf('b2'), urlOf('b0'), 3],
    ]);

    await write([{ url: urlOf('b0'), text: prose(22, 80) }]);
    assert.deepEqual(
      await copies(),
      [
        [urlOf('b1'), null, 2],
        [urlOf('b2'), urlOf('b1'), 2],
      ],
      'the group stays without its center',
    );
  });
