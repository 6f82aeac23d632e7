/** `akin put` and `akin delete` hand pages over to a running server. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ChildCommands } from '../../src/cli/up/child-commands.ts';
import { livePages } from '../../src/cli/up/live-pages.ts';
import { buildIndex } from '../../src/indexer/build-index.ts';
import { additionTo } from '../../src/indexer/options/stored-options.ts';
import { connectWriter } from '../../src/library/client-write.ts';
import { KeyRing, newKey, readKeys } from '../../src/service/keys/key-ring.ts';
import type { RunFold } from '../../src/service/live/folds.ts';
import { DEFAULTS, input, noting } from '../indexer/build.ts';
import { longTest } from '../long-test.ts';
import { newFolder } from '../new-folder.ts';
import { fixtureApp, fixtureIndex, pathOf } from '../service/fixture-app.ts';
import { GARDEN } from '../service/fixture-index.ts';
import { recordIndexes } from '../service/record-indexes.ts';
import { BUILD, changingSite, run, type State } from './changing-site.ts';
import { akin } from './terminal.ts';

const live = { maxPending: 1000, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9, run: async () => false };
const { key, line } = newKey({ name: 'cms', scope: 'write' });

async function serverOf(options: object = { live, keys: new KeyRing(readKeys(line, 'keys')) }) {
  const app = await fixtureApp(await fixtureIndex(), options);
  await app.listen({ port: 0 });
  after(() => app.close());
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

test('pages of a file are put, counted and seen; those that are gone are deleted', async () => {
  const server = await serverOf();
  const path = join(newFolder('put'), 'pages.jsonl');
  const records = [
    { url: 'https://put.example/a', title: 'Roses', text: 'rose thorn petal', fields: { kind: ['x'] } },
    { url: `${GARDEN}1`, html: '<title>Other</title><p>a hedge' },
    { url: 'nothing', text: 'x' },
  ];
  writeFileSync(path, records.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const env = { AKIN_WRITE_KEY: key };
  const put = await akin(['put', path, '--server', server], { env });
  assert.deepEqual([put.code, put.stdout], [3, '1 added, 1 changed\n'], put.stderr);
  assert.match(put.stderr, /nothing: url must be an absolute/);
  assert.match(put.stderr, /1 of 3 pages were not kept/);
  const headers = { authorization: `Bearer ${key}` };
  const page = await fetch(`${server}/page?url=${encodeURIComponent('https://put.example/a')}`, { headers });
  assert.equal(((await page.json()) as { title: string }).title, 'Roses');
  const gone = await akin(['delete', 'https://put.example/a', '--server', server, '--json'], { env });
  assert.deepEqual([gone.code, JSON.parse(gone.stdout).deleted], [0, 1], gone.stderr);
  const again = await akin(['delete', 'https://put.example/a', '--server', server], { env });
  assert.deepEqual([again.code, again.stdout], [4, 'no page was deleted\n']);
  assert.match(again.stderr, /there is no such page\n.*1 of 1 pages were not deleted/);
  const bad = await akin(['delete', `${GARDEN}2`, 'nothing', '--server', server], { env });
  assert.deepEqual([bad.code, bad.stdout], [3, ''], bad.stderr);
  assert.match(bad.stderr, /"nothing" is not an http/);
});

test('a format is for standard input, and a server that wants less a minute is waited for', async () => {
  const path = join(newFolder('put'), 'pages.jsonl');
  writeFileSync(path, '{"url":"https://put.example/a","text":"rose"}\n');
  const idle = await akin(['put', path, '--format', 'warc']);
  assert.deepEqual([idle.code, idle.stdout], [2, '']);
  assert.match(idle.stderr, /--format is for standard input/);
  let count = 0;
  const counts = { received: 1, added: 1, changed: 0, unchanged: 0, older: 0, deleted: 0, failed: 0 };
  const server = createServer((request, response) => {
    request.resume();
    const isSoon = count++ === 0;
    response.writeHead(isSoon ? 429 : 200, { 'content-type': 'application/json', 'retry-after': '0.01' });
    response.end(JSON.stringify(isSoon ? {} : { ...counts, errors: [], stopped: null, sequence: 1 }));
  }).listen(0);
  after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const put = await akin(['put', path, '--server', `http://127.0.0.1:${port}`]);
  assert.deepEqual([put.code, put.stdout, count], [0, '1 added\n', 2], put.stderr);
});

test('who may not write, or reaches no server that takes pages, reads what to do', async () => {
  const server = await serverOf();
  const none = await akin(['delete', 'https://put.example/a', '--server', server]);
  assert.match(none.stderr, /takes no pages: .*AKIN_WRITE_KEY/s);
  const plain = await serverOf({});
  const off = await akin(['delete', 'https://put.example/a', '--server', plain]);
  assert.match(off.stderr, /akin serve FILE --writable/);
  const away = await akin(['delete', 'https://put.example/a', '--server', 'http://127.0.0.1:9']);
  assert.match(away.stderr, /cannot be reached/);
  const login = createServer(({ url }, response) => {
    if (url === '/to/pages') response.writeHead(302, { location: '/login' });
    response.end('<p>Log in');
  });
  await new Promise<void>((resolve) => login.listen(0, '127.0.0.1', resolve));
  after(() => login.close());
  const other = `http://127.0.0.1:${(login.address() as AddressInfo).port}`;
  for (const [path, why] of [
    ['', 'HTTP 200'],
    ['/to', `it leads to ${other}/login`],
  ]) {
    const page = await akin(['delete', 'https://put.example/a', '--server', `${other}${path}`]);
    assert.equal(page.code, 2, page.stderr);
    assert.ok(page.stderr.startsWith(`akin: ${other}${path} takes no pages: ${why}\n`), page.stderr);
  }
  const bare = await akin(['delete', 'https://put.example/a', '--server', 'localhost:3000']);
  assert.deepEqual([bare.code, bare.stderr.includes('which is no URL')], [3, true], bare.stderr);
  const bad = await akin(['delete', 'https://put.example/a', '--server', 'nowhere']);
  assert.match(bad.stderr, /is no URL/);
});

test('what would not be handed over whole is refused, named and counted', async () => {
  const server = await serverOf({ live });
  const path = join(newFolder('put'), 'bad.jsonl');
  const url = 'https://put.example/bad';
  const bad = [
    { url, text: 'x', field: { price: 1 } },
    { url, text: 'x', fields: { 'no name': 1 } },
    { url, text: 'x', features: 7 },
    { url: 7, text: 'x' },
    { url: 'nothing', text: 'x' },
  ];
  const good = { url: 'https://put.example/good', text: 'rose' };
  writeFileSync(path, [...bad, good].map((one) => `${JSON.stringify(one)}\n`).join(''));
  const { code, stdout, stderr } = await akin(['put', path, '--server', server]);
  assert.deepEqual([code, stdout], [3, '1 added\n'], stderr);
  for (const said of [
    /bad: field: no member of a record/,
    /bad: fields: the name "no name"/,
    /bad: features: /,
  ])
    assert.match(stderr, said);
  assert.match(stderr, /5 of 6 pages were not kept/);
});

test('what a fold says comes line by line, and why it fails', async () => {
  const children = new ChildCommands(process.env);
  const rules = {
    host: 'localhost',
    writable: true,
    maxPendingPages: 9,
    maxPendingBytes: 9,
    foldShare: 1,
    foldAfterMs: 9,
  };
  const { run } = livePages('/nowhere/web.akin', rules, children);
  const said: string[] = [];
  await assert.rejects(
    run(['a.jsonl'], 'live-1', new AbortController().signal, (line) => said.push(line)),
    /^Error: cannot read the index \/nowhere\/web\.akin; hint: check the path/,
  );
  assert.match(said.join(), /^akin: cannot read the index/);
});

longTest('where too many pages wait, the rest is put after a fold, and all are counted', async () => {
  const folder = newFolder('put');
  const target = join(folder, 'full.akin');
  const page = (i: number) => ({
    url: `https://full.example/${i}`,
    title: `Page ${i}`,
    text: `rose number ${i}`,
  });
  await recordIndexes(folder).build('full', [page(0)], { minPageCount: 1, maxPageShare: 1 });
  const run: RunFold = async (paths, sweepName) => {
    const { memoryBytes } = DEFAULTS;
    const how = { memoryBytes, workerCount: 1, isWhole: false };
    const inputs = paths.map((path) => input(path));
    await buildIndex(additionTo({ target, sweepName, ...how, inputs }), noting().listener);
    return true;
  };
  const app = await fixtureApp(target, { live: { ...live, maxPending: 20, share: 1000, run } });
  const server = await app.listen({ port: 0 });
  const path = join(folder, 'many.jsonl');
  const lines = Array.from({ length: 30 }, (_, i) => JSON.stringify(i === 22 ? { url: 'nothing' } : page(i)));
  writeFileSync(path, lines.join('\n'));
  const put = await akin(['put', path, '--server', server, '--json']);
  const { received, added, unchanged, failed } = JSON.parse(put.stdout);
  assert.deepEqual([received, added, unchanged, failed, put.code], [30, 28, 1, 1, 3], put.stderr);
  assert.match(put.stderr, /1 of 30 pages were not kept/);
  const has = async (i: number) =>
    (await app.inject(pathOf('/page', { url: page(i).url }))).statusCode === 200;
  assert.deepEqual([await has(1), await has(21), await has(29)], [true, true, true]);
  await app.inject({ method: 'POST', url: '/pages/fold', headers: { prefer: 'wait=60' } });
  // A client of a program reads where to go on.
  const more = Array.from({ length: 45 }, (_, i) => page(100 + i));
  const { stopped, ...counts } = await connectWriter(server).putPages(more);
  assert.deepEqual([stopped?.code, stopped?.line], ['too-many-pending', counts.received + 1]);
  assert.ok(counts.added === counts.received && counts.failed === 0 && counts.added > 0);
});

test('of the sweeps of a crawl what is there now is put, and what is gone or leads elsewhere since is deleted', async (t) => {
  const server = await serverOf({ live });
  const { crawl, sweep, urlOf } = await changingSite(t, 'none.akin');
  const texts: readonly State[] = Array.from({ length: 6 }, (_, i) => ({ text: `rose thorn petal w${i}x` }));
  await sweep(texts);
  const path = join(crawl, '..', 'none.akin');
  await run('index', crawl, '--to', path, ...BUILD);
  await sweep([texts[0]!, 'gone', { to: 3 }, ...texts.slice(3, 5), 'gone']);
  await sweep([texts[0]!, 'gone', { to: 3 }, ...texts.slice(3, 5), { text: 'rose again' }]);
  const first = await akin(['put', crawl, '--server', server, '--json']);
  assert.equal(first.code, 0, first.stderr);
  // Said once more, nothing changes.
  const again = await akin(['put', crawl, '--server', server, '--json']);
  assert.equal(again.code, 0, again.stderr);
  const { added, changed, deleted } = JSON.parse(again.stdout);
  assert.deepEqual([added, changed, deleted], [0, 0, 0]);
  const answers = texts.map((_, i) => fetch(`${server}/page?url=${encodeURIComponent(urlOf(i))}`));
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  assert.deepEqual(statuses, [200, 404, 404, 200, 200, 200]);
});
