/** Index and journal are files that others replace: what a server says of pages and of their state is of those that are there. */
import assert from 'node:assert/strict';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { buildIndex } from '../../../src/indexer/build-index.ts';
import { additionTo } from '../../../src/indexer/options/stored-options.ts';
import type { RunFold } from '../../../src/service/live/folds.ts';
import { DEFAULTS, input, noting } from '../../indexer/build.ts';
import { fixtureApp, fixtureIndex, pathOf } from '../fixture-app.ts';
import { GARDEN, temporaryFolder } from '../fixture-index.ts';

const first = await fixtureIndex();
const limits = { maxPending: 100, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9, run: async () => false };
const copied = () => {
  const path = join(temporaryFolder({ after }), 'copied.akin');
  copyFileSync(first, path);
  return path;
};
const NEW = 'https://new.example/rose';

test('a page that came and went while it waited was never lost', async () => {
  const app = await fixtureApp(copied(), { live: limits });
  const url = pathOf('/pages', { url: NEW });
  await app.inject({ method: 'PUT', url, payload: { title: 'Came', text: 'rose' } });
  await app.inject({ method: 'DELETE', url });
  await app.inject({ method: 'DELETE', url: pathOf('/pages', { url: `${GARDEN}1` }) });
  const lost = await app.inject('/lost');
  assert.equal(lost.statusCode, 200, lost.body);
  const urls = (lost.json().pages as { url: string }[]).map((page) => page.url);
  assert.ok(urls.includes(`${GARDEN}1`) && !urls.includes(NEW), String(urls));
  const { body } = await app.inject('/export/pages?fetched=include');
  assert.ok(body.includes(`${GARDEN}1"`) && !body.includes(NEW));
});

test('the nearest addresses are of the same host and port, those of pages that wait, too', async () => {
  const app = await fixtureApp(copied(), { live: limits });
  for (const url of [
    'https://new.example/rose',
    'http://new.example/roses/red',
    'https://new.example:8443/roses/red',
  ])
    await app.inject({ method: 'PUT', url: pathOf('/pages', { url }), payload: { text: 'rose' } });
  const answer = await app.inject(pathOf('/related', { url: 'https://new.example/roses' }));
  // Those of the other scheme are asked for, too.
  assert.deepEqual(answer.json().nearest, [NEW, 'http://new.example/roses/red']);
});

test('the tag of an answer names the journal whose pages it has', async () => {
  const indexPath = copied();
  const tagged = async (title: string) => {
    const app = await fixtureApp(indexPath, { live: limits });
    await app.inject({
      method: 'PUT',
      url: pathOf('/pages', { url: NEW }),
      payload: { title, text: 'rose' },
    });
    const { headers, body } = await app.inject(pathOf('/page', { url: NEW }));
    const { body: _, ...again } = await app.inject({
      url: pathOf('/page', { url: NEW }),
      headers: { 'if-none-match': String(headers['etag']) },
    });
    assert.equal(again.statusCode, 304);
    await app.close();
    return { etag: String(headers['etag']), body };
  };
  const one = await tagged('One');
  for (const end of ['', '-wal', '-shm', '.lock']) rmSync(`${indexPath}.pages${end}`, { force: true });
  const other = await tagged('Other');
  assert.notEqual(one.body, other.body);
  assert.notEqual(one.etag, other.etag);
});

test('an index that is built anew in the place of one with folds is served with all that waits', async () => {
  const indexPath = copied();
  const run: RunFold = async (paths, sweepName) => {
    const { memoryBytes } = DEFAULTS;
    const how = { memoryBytes, workerCount: 1, isWhole: false };
    const inputs = paths.map((path) => input(path));
    await buildIndex(additionTo({ target: indexPath, sweepName, ...how, inputs }), noting().listener);
    return true;
  };
  const writer = await fixtureApp(indexPath, { live: { ...limits, run } });
  const put = async (app: typeof writer, name: string) => {
    const url = pathOf('/pages', { url: `${NEW}-${name}` });
    const answer = await app.inject({ method: 'PUT', url, payload: { title: name, text: 'rose' } });
    assert.ok(answer.statusCode < 300, answer.body);
    return Number(answer.headers['akin-sequence']);
  };
  await put(writer, 'folded');
  const fold = await writer.inject({ method: 'POST', url: '/pages/fold', headers: { prefer: 'wait=60' } });
  assert.equal(fold.json().state, 'done');
  const last = await put(writer, 'waits');
  await writer.close();
  copyFileSync(first, indexPath);
  const follower = await fixtureApp(indexPath, { follow: true });
  const again = await fixtureApp(indexPath, { live: limits });
  for (const [app, name] of [
    [again, 'writer'],
    [follower, 'follower'],
  ] as const) {
    const asked = pathOf('/page', { url: `${NEW}-waits`, min_sequence: last });
    for (let tries = 0; (await app.inject(asked)).statusCode === 503 && tries < 500; tries++)
      await new Promise((resolve) => setTimeout(resolve, 5));
    const { statusCode, headers } = await app.inject(asked);
    assert.deepEqual([statusCode, headers['akin-sequence']], [200, String(last)], name);
  }
  // And what comes from then on.
  const next = await put(again, 'next');
  const asked = pathOf('/page', { url: `${NEW}-next`, min_sequence: next });
  for (let tries = 0; (await follower.inject(asked)).statusCode === 503 && tries < 500; tries++)
    await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal((await follower.inject(asked)).statusCode, 200);
});

test('of a page that is handed over again counts what the index and the last record say, not what waited before', async () => {
  const folder = temporaryFolder({ after });
  const [source, path] = [join(folder, 'linked.akin'), join(folder, 'linked.jsonl')];
  const url = (i: number) => `https://linked.example/${i}`;
  const words = ['rose', 'soil', 'bud', 'leaf', 'thorn', 'bloom', 'root'];
  const text = (i: number) => words.filter((_, word) => (i >> (word % 4)) % 2 === word % 2).join(' ');
  const html = (i: number) =>
    `<p>${text(i)}, and ${text(i + 5)} <a href="/${(i + 1) % 12}">${words[i % 3]} lesson</a></p>`;
  const tagged = (i: number, tag: string) => ({
    url: url(i),
    html: html(i),
    features: { tags: { [tag]: 1 } },
  });
  const records = Array.from({ length: 12 }, (_, i) => tagged(i, `tag${i % 3}`));
  writeFileSync(path, records.map((record) => JSON.stringify(record)).join('\n'));
  const parts = { ...DEFAULTS.parts, tags: 0.3 };
  const options = { ...DEFAULTS, parts, minPageCount: 1, maxPageShare: 1 };
  await buildIndex({ ...options, target: source, inputs: [input(path)] }, noting().listener);
  const last = { html: html(7) };
  const answersBehind = async (earlier: readonly (object | null)[]) => {
    const indexPath = join(temporaryFolder({ after }), 'copied.akin');
    copyFileSync(source, indexPath);
    const app = await fixtureApp(indexPath, { live: limits });
    for (const payload of [...earlier, last]) {
      const to = { url: pathOf('/pages', { url: url(3) }) };
      const { statusCode } = await app.inject(
        payload === null ? { method: 'DELETE', ...to } : { method: 'PUT', ...to, payload },
      );
      assert.ok(statusCode < 300);
    }
    const asked = records.map((record) => pathOf('/related', { url: record.url, explain: true, limit: 12 }));
    return await Promise.all(asked.map(async (one) => (await app.inject(one)).json().related));
  };
  const alone = await answersBehind([]);
  const parted = alone[3].flatMap(({ why }: { why: { terms: { part: string }[] } }) => why.terms);
  const partNames = new Set(parted.map(({ part }: { part: string }) => part));
  assert.ok(partNames.has('anchor') && !partNames.has('tags'), [...partNames].join());
  for (const earlier of [[null], [tagged(3, 'tag1')], [tagged(3, 'tag1'), null], [{ html: html(5) }, null]])
    assert.deepEqual(await answersBehind(earlier), alone);
});
