/** Pages as records: an index that is built of them is the one that they come from. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Random } from '../../src/lib/random.ts';
import { fixtureApp } from './fixture-app.ts';
import { temporaryFolder } from './fixture-index.ts';
import { recordIndexes } from './record-indexes.ts';
import { prose } from './sweeps-index.ts';

const folder = temporaryFolder({ after });
const indexes = recordIndexes(folder);
const HOW = { maxPageShare: 1, fields: { price: 'number', tags: 'any' } } as const;

function records() {
  const random = new Random(5);
  return Array.from({ length: 40 }, (_, i) => ({
    url: `https://shop.example/${String(i).padStart(2, '0')}`,
    title: `Product ${i} "of" tea`,
    ...(i % 3 > 0 && { lang: i % 3 === 1 ? 'de' : 'en' }),
    fetched_at: `2026-01-02T03:04:${String(i + 10)}.000Z`,
    text: i === 7 ? '' : `${prose(i % 30, 60)}\nA second paragraph, "${i}".`,
    links: [(i + 1) % 40, (i + 7) % 40]
      .sort((a, b) => a - b)
      .map((to) => `https://shop.example/${String(to).padStart(2, '0')}`),
    ...(i % 2 === 0 && {
      description: `About ${i}`,
      published_at: '2026-01-01',
      image: 'https://shop.example/a.png',
    }),
    ...(i % 4 > 0 && { fields: { price: i / 4, tags: ['a', `b${i % 5}`] } }),
    ...(i % 5 > 0 && { features: { visitors: { [`u${i % 6}`]: 1, [`u${i % 7}`]: 2.5 } } }),
    ...(i % 6 > 0 && { vectors: { small: Array.from({ length: 8 }, () => random.below(2000) / 1000 - 1) } }),
  }));
}

async function exported(name: string) {
  const app = await fixtureApp(join(folder, `${name}.akin`));
  const { statusCode, body } = await app.inject('/export/records');
  const rows: object[] = body
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  return { statusCode, body, rows, generation: (await app.inject('/index')).json().generation as string };
}

test('an index that is built of the records of another one is the same, row by row', async () => {
  await indexes.build('first', records(), HOW);
  const first = await exported('first');
  assert.equal(first.rows.length, 40);
  await indexes.build('again', first.rows, HOW);
  const again = await exported('again');
  assert.equal(again.generation, first.generation);
  assert.equal(again.body, first.body);
});

test('pages that wait have the links that they were handed over with', async () => {
  const all = records();
  // Half are there, with other links and texts, and the rest wait.
  const old = all.slice(0, 20).map((one) => ({ ...one, text: 'Tea.', links: [all[39]!.url] }));
  const early = { fetched_at: '2026-01-01T00:00:00Z' };
  await indexes.build(
    'old',
    [...old, all[39]!].map((one) => ({ ...one, ...early })),
    HOW,
  );
  const live = { maxPending: 99, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9, run: async () => false };
  const app = await fixtureApp(join(folder, 'old.akin'), { live });
  const payload = all.map((one) => `${JSON.stringify(one)}\n`).join('');
  const headers = { 'content-type': 'application/x-ndjson' };
  const written = await app.inject({ method: 'POST', url: '/pages', payload, headers });
  assert.equal(written.statusCode, 200, written.body);
  const { body } = await app.inject('/export/records');
  const rows = body
    .split('\n')
    .slice(0, -1)
    .map((line): (typeof all)[number] => JSON.parse(line));
  assert.deepEqual(
    rows.map(({ url, links }) => [url, links]).sort(),
    all.map(({ url, links }) => [url, links]).sort(),
  );
  const html =
    '<a href="/02">two</a> <a href="/01">one</a> <a rel="nofollow" href="/03">no</a> <a href="/00">I</a>';
  const url = all[0]!.url;
  await app.inject({ method: 'PUT', url: `/pages?url=${encodeURIComponent(url)}`, payload: { html } });
  const [first] = (await app.inject('/export/records')).body.split('\n');
  assert.deepEqual(JSON.parse(first!).links, [all[1]!.url, all[2]!.url]);
});

test('pages that are gone have no record, and an index without texts has none at all', async () => {
  await indexes.build('changed', records(), HOW);
  const { url } = records()[0]!;
  await indexes.add(join(folder, 'changed.akin'), 'later', [{ url, status: 410 }]);
  const { rows } = await exported('changed');
  assert.equal(rows.length, 39);
  assert.ok(rows.every((row) => (row as { url: string }).url !== url));
  await indexes.build('bare', records(), { ...HOW, keepText: false });
  const { statusCode, body } = await exported('bare');
  assert.deepEqual([statusCode, JSON.parse(body).code], [400, 'relation-not-in-index']);
});
