/** Pages that wait for an index in shards: the same writes are sent to a whole index, and all that both say is compared. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { targetOf } from '../../../src/cli/up/live-pages.ts';
import { splitIndex } from '../../../src/indexer/shards/split-index.ts';
import { LINES_TYPE } from '../../../src/service/http/body.ts';
import { openIndex } from '../../../src/service/reads/shards/open-shards.ts';
import { IndexReader } from '../../../src/store/read/reader.ts';
import { noting } from '../../indexer/build.ts';
import { longTest } from '../../long-test.ts';
import { type Body, fixtureApp, fixtureIndex, pathOf } from '../fixture-app.ts';
import { BAKERY, fixturePages, GARDEN, temporaryFolder } from '../fixture-index.ts';
import { assertSame, questionsAbout } from '../shards/same-answers.ts';

const wholePath = await fixtureIndex();
const folder = join(temporaryFolder({ after }), 'shards');
const { shards } = await splitIndex(
  { source: wholePath, shardCount: 8, folder, memoryBytes: 64 << 20, workerCount: 1 },
  noting().listener,
);
const paths = shards.map(({ path }) => path);
const live = { maxPending: 1000, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9, run: async () => false };
const options = { live, exactSearchUs: Number.MAX_SAFE_INTEGER };
const whole = await fixtureApp(wholePath, options);
const parts = await fixtureApp('', { ...options, indexPath: paths });
const reader = IndexReader.open(wholePath);
after(() => reader.close());

const [garden, bread] = [`${GARDEN}0`, `${BAKERY}0`].map(
  (url) => fixturePages().find((page) => page.url === url)!.html,
) as [string, string];
/** A site that shard 0 knows nothing of. */
const first = IndexReader.open(paths[0]!);
const { url: small } = [...reader.pages()].find(({ site }) => first.sites().find(site) < 0)!;
first.close();
const NEW = [
  'https://new.example/rose',
  'https://new.example/bread',
  `${GARDEN}90`,
  `${BAKERY}90`,
  `${small}-new`,
];

/** Of a day each, as answers name it. */
let day = 0;

async function write(url: string, record: object): Promise<void> {
  const fetched_at = new Date(Date.UTC(2026, 1, ++day)).toISOString();
  const payload = JSON.stringify({ url, fetched_at, ...record });
  const asked = { method: 'POST', url: '/pages', payload, headers: { 'content-type': LINES_TYPE } } as const;
  const [expected, found] = await Promise.all([whole, parts].map((app) => app.inject(asked)));
  assert.deepEqual([found!.statusCode, found!.json()], [expected!.statusCode, expected!.json()], url);
}

const remove = (url: string) => write(url, { status: 410 });

/** Of pages of the index, and of those that wait: `urls`. */
async function compare(urls: readonly string[]): Promise<void> {
  let count = 0;
  for (const url of [...urls, small, `${BAKERY}5`, `${GARDEN}0`]) {
    for (const query of [
      {},
      { limit: 30, explain: true, cards: true },
      { same_site: 'exclude', limit: 20 },
      { same_site: 'only', rank: 'similarity' },
      { by: 'copy' },
      { by: 'coupling' },
      { site: 'new.example' },
      { max_per_site: 1, exclude_copies: true },
    ]) {
      count += await assertSame(whole, parts, { method: 'GET', url: pathOf('/related', { url, ...query }) });
    }
    for (const path of ['/page', '/moved', '/history', '/cluster', '/related.html'])
      count += await assertSame(whole, parts, { method: 'GET', url: pathOf(path, { url }) });
  }
  const paths = [
    '/changes?sweep=live',
    '/changes',
    '/sites?limit=100',
    '/search?q=rose+aphid&limit=50',
    '/search?q=zucchetto&limit=50',
    '/suggest?q=zuc',
    '/pages?site=new.example',
    '/clusters?limit=50',
  ];
  for (const url of paths) count += await assertSame(whole, parts, { method: 'GET', url });
  assert.ok(count > 80);
}

test('new pages', async () => {
  await write(NEW[0]!, { html: garden.replace('</p>', ' trellis trellis aphid</p>') });
  await write(NEW[1]!, { html: bread });
  await write(NEW[2]!, { html: garden.replace('</p>', ' zucchetto</p>'), fields: { color: 'red' } });
  await write(NEW[3]!, { html: `${bread} rose thorn` });
  await write(NEW[4]!, { html: garden });
  await compare(NEW.slice(0, 3));
});

longTest('pages that change and go', async () => {
  await write(`${BAKERY}5`, { html: garden });
  for (const i of [1, 2, 3, 4]) await remove(`${GARDEN}${i}`);
  await remove(`${BAKERY}0`);
  await remove(NEW[3]!);
  await remove('https://new.example/none');
  await write(`${GARDEN}2`, { html: bread });
  for (const i of [5, 6, 7, 8, 9]) await remove(`${GARDEN}${i}`);
  await compare([...NEW.slice(3), `${GARDEN}1`]);
  for (const [i, question] of [...questionsAbout(reader, 1, 4)].entries())
    if (i % 3 === 0) await assertSame(whole, parts, question);
  const page = (await parts.inject(pathOf('/page', { url: NEW[0]! }))).json() as Body;
  assert.deepEqual([page.site, page.sweeps[0].sweep], ['new.example', 'live']);
});

longTest('what waits stands beside the first shard, in whichever order the files are given', async () => {
  const given = paths.toReversed();
  const follower = await fixtureApp('', { indexPath: given, follow: true });
  const sequence = parts.holder.sequence!;
  const path = pathOf('/related', { url: NEW[0]!, min_sequence: sequence });
  const expected = (await parts.inject(path)).json();
  assert.deepEqual((await follower.inject(path)).json(), expected);
  await parts.close();
  const again = await fixtureApp('', { ...options, indexPath: given });
  const answer = await again.inject(path);
  assert.deepEqual([answer.headers['akin-sequence'], answer.json()], [String(sequence), expected]);
  assert.ok(sequence > 10 && expected.related.length > 0);
});

longTest(
  'pages are taken by a process that has all shards, which a fold can change in one step',
  async () => {
    await assert.rejects(fixtureApp(paths[0]!, options), { message: /this is one shard of several/ });
    const servers = await Promise.all(paths.map((path) => fixtureApp(path)));
    const urls = await Promise.all(servers.map((app) => app.listen({ port: 0, host: '127.0.0.1' })));
    const peers = { urls, timeLimitMs: 20_000 };
    await assert.rejects(fixtureApp('', { ...options, indexPath: [], peers }), {
      message: /the shards are served by other processes/,
    });
    assert.equal(await targetOf(paths.toReversed()), folder);
    await assert.rejects(targetOf(paths.slice(1)), { message: /the shards are not those of / });
  },
);

test('rules stand beside the first shard, too', async () => {
  const rules = '{"rules":[{"block":["new.example"]}]}';
  writeFileSync(`${paths[0]}.rules.json`, rules);
  const index = await openIndex(paths.toReversed());
  assert.equal(index.facts.rules.rules.length, 1);
  index.close();
  rmSync(`${paths[0]}.rules.json`);
});
