import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { serve } from '../../../src/service/serve.ts';
import { asker, fixtureApp, fixtureIndex, pathOf } from '../fixture-app.ts';
import { buildFixture, fixturePages, GARDEN, temporaryFolder } from '../fixture-index.ts';

test('a new index is taken up while requests are answered, none of which fails', async (t) => {
  const folder = temporaryFolder(t);
  const indexPath = join(folder, 'test.akin');
  await buildFixture(indexPath);
  await buildFixture(join(folder, 'next.akin'), fixturePages(1));
  const app = await fixtureApp(indexPath);
  const ask = asker(app);
  const before = (await ask('/index')).body.generation;
  const first = await ask('/related', { url: `${GARDEN}1`, limit: 2 });

  const generations: string[] = [];
  let done = false;
  const asking = (async () => {
    while (!done) {
      const { status, body } = await ask('/related', { url: `${GARDEN}1`, limit: 2 });
      assert.equal(status, 200);
      generations.push(body.generation);
      await nextTurn();
    }
  })();
  renameSync(join(folder, 'next.akin'), indexPath);
  await app.holder.check();
  const after = (await ask('/index')).body.generation;
  await ask('/related', { url: `${GARDEN}1` });
  done = true;
  await asking;

  assert.notEqual(after, before);
  assert.ok(generations.includes(before));
  assert.deepEqual(
    generations,
    [...generations].sort((a, b) => Number(b === before) - Number(a === before)),
  );
  assert.equal((await ask('/readyz')).body.swap_count, 1);
  const old = await ask('/related', { url: `${GARDEN}1`, limit: 2, cursor: first.body.next });
  assert.deepEqual([old.status, old.body.code], [410, 'generation-changed']);
  const condition = { 'if-none-match': String(first.headers['etag']) };
  const stale = await app.inject({
    url: pathOf('/related', { url: `${GARDEN}1`, limit: 2 }),
    headers: condition,
  });
  assert.equal(stale.statusCode, 200);
});

test('a generation that is still in use is closed by its last user', async (t) => {
  const folder = temporaryFolder(t);
  const indexPath = join(folder, 'test.akin');
  await buildFixture(indexPath);
  await buildFixture(join(folder, 'next.akin'), fixturePages(1));
  const app = await fixtureApp(indexPath);
  const old = app.holder.current();
  old.lease();
  renameSync(join(folder, 'next.akin'), indexPath);
  await app.holder.check();
  assert.notEqual(app.holder.current(), old);
  assert.equal(old.file!.reader.page(0).id, 0);
  old.release();
  assert.throws(() => old.file!.reader.page(0));
});

test('a file that cannot be served leaves the old index in service, and shows', async (t) => {
  const folder = temporaryFolder(t);
  const indexPath = join(folder, 'test.akin');
  await buildFixture(indexPath);
  copyFileSync(indexPath, join(folder, 'good.akin'));
  const app = await fixtureApp(indexPath);
  const ask = asker(app);
  writeFileSync(join(folder, 'bad'), 'not an index');
  renameSync(join(folder, 'bad'), indexPath);
  await app.holder.check();
  assert.equal((await ask('/related', { url: `${GARDEN}1` })).status, 200);
  const { body } = await ask('/readyz');
  assert.equal(body.fault.code, 'AKIN_ERR_NOT_AN_INDEX');
  assert.match((await ask('/metrics')).text, /akin_index_fault 1/);

  renameSync(join(folder, 'good.akin'), indexPath);
  await app.holder.check();
  assert.equal((await ask('/readyz')).body.fault, null);
});

test('an index that is not there is refused at the start', async (t) => {
  const indexPath = join(temporaryFolder(t), 'none.akin');
  await assert.rejects(serve({ indexPath, host: '127.0.0.1', port: 0 }), { code: 'AKIN_ERR_INPUT_MISSING' });
});

test('stopping lets a request under way finish and then frees the port', async (t) => {
  const indexPath = join(temporaryFolder(t), 'test.akin');
  await buildFixture(indexPath);
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrived = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const serving = await serve({
    indexPath,
    host: '127.0.0.1',
    port: 0,
    logLevel: 'silent',
    drainMs: 300,
    extend: (scope) => {
      scope.get('/slow', async () => {
        arrived();
        await gate;
        return { status: 'done' };
      });
    },
  });
  assert.equal((await fetch(`${serving.address}/readyz`)).status, 200);
  const slow = fetch(`${serving.address}/slow`);
  await arrival;
  const closing = serving.close();
  const draining = await fetch(`${serving.address}/readyz`);
  assert.deepEqual([draining.status, ((await draining.json()) as { code: string }).code], [503, 'not-ready']);
  release();
  assert.deepEqual(await (await slow).json(), { status: 'done' });
  await closing;
  await assert.rejects(fetch(`${serving.address}/livez`));
  await serving.close();
});

test('while the file that is served was damaged or cut short in place, the service is not ready', async () => {
  const indexPath = await fixtureIndex();
  const sound = readFileSync(indexPath);
  const app = await fixtureApp(indexPath);
  const ask = asker(app);
  assert.equal((await ask('/readyz')).status, 200);
  for (const from of [0, 8192]) {
    writeFileSync(indexPath, Buffer.concat([sound.subarray(0, from), Buffer.alloc(sound.length - from)]), {
      flag: 'r+',
    });
    await isUnready(ask);
  }
  for (const sizeBytes of [8192, 0]) {
    truncateSync(indexPath, sizeBytes);
    await isUnready(ask);
  }
  writeFileSync(indexPath, sound);
  await app.holder.check();
  assert.equal((await ask('/page', { url: `${GARDEN}1` })).status, 200);
  assert.equal((await ask('/readyz')).status, 200);
});

test('a file that is taken away, or whose folder is, is served as it was, and looked for', async (t) => {
  const top = temporaryFolder(t);
  const [folder, elsewhere] = [join(top, 'here'), join(top, 'elsewhere')];
  mkdirSync(folder);
  const indexPath = join(folder, 'test.akin');
  await buildFixture(indexPath);
  const app = await fixtureApp(indexPath);
  const ask = asker(app);
  const look = async () => {
    await app.holder.check();
    const { body } = await ask('/readyz');
    const { status } = await ask('/related', { url: `${GARDEN}1`, by: 'copy' });
    return [status, (await ask('/page', { url: `${GARDEN}1` })).status, body.fault, body.swap_count];
  };
  renameSync(folder, elsewhere);
  assert.deepEqual(await look(), [200, 200, null, 0]);
  renameSync(elsewhere, folder);
  assert.deepEqual(await look(), [200, 200, null, 0]);
  renameSync(indexPath, join(top, 'kept.akin'));
  assert.deepEqual(await look(), [200, 200, null, 0]);
  copyFileSync(join(top, 'kept.akin'), indexPath);
  assert.deepEqual(await look(), [200, 200, null, 1]);
});

async function isUnready(ask: ReturnType<typeof asker>): Promise<void> {
  for (const path of ['/page', '/readyz']) {
    const { status, body } = await ask(path, path === '/page' ? { url: `${GARDEN}1` } : {});
    assert.deepEqual([status, body.code], [503, 'not-ready']);
  }
  assert.equal((await ask('/livez')).status, 200);
}
