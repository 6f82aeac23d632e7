/** An index that is written over in place while it is served: the server goes on with what it holds, or refuses. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { IndexReader } from '../../src/store/read/reader.ts';
import { buildPages, temporaryFolder } from '../indexer/build.ts';
import { villagePages } from '../indexer/pages.ts';
import { longTest } from '../long-test.ts';
import { startServer } from '../service/child-server.ts';

const OVERWRITES: Record<string, (path: string, other: string) => void> = {
  'cut to nothing': (path) => truncateSync(path, 0),
  'cut in half': (path) => truncateSync(path, statSync(path).size >> 1),
  'noise of the same size': (path) => {
    const noise = Buffer.alloc(statSync(path).size, 0xa5);
    writeFileSync(path, noise, { flag: 'r+' });
  },
  'another index copied into it': (path, other) => writeFileSync(path, readFileSync(other)),
};

longTest(
  'a served file that is written over in place ends no server and gives no mixed answer',
  async (t) => {
    const folder = temporaryFolder(t);
    // Lists that are held whole: what is asked of them needs no look at the file.
    const built = await buildPages(t, villagePages(12), { neighborLimit: 32 });
    const other = await buildPages(t, villagePages(9, 77));
    const path = join(folder, 'served.akin');
    copyFileSync(built.target, path);
    const urls = [0, 1, 2].map((i) => `https://village${i}.example/p1.html`);
    const held = urls.map((url) => `/related?url=${encodeURIComponent(url)}`);
    const stored = urls.flatMap((url) =>
      ['/page?', '/cluster?', '/history?'].map((route) => `${route}url=${encodeURIComponent(url)}`),
    );
    const server = await startServer(t, path, { logLevel: 'error', pollMs: 100 });
    const ask = async (route: string) => {
      const answer = await fetch(`http://127.0.0.1:${server.port}${route}`);
      return { status: answer.status, text: await answer.text() };
    };
    const generation = async () => JSON.parse((await ask('/index')).text).generation as string | undefined;
    const until = async (expected: string) => {
      for (const endMs = Date.now() + 20_000; (await generation()) !== expected; await delay(50)) {
        assert.ok(Date.now() < endMs, `generation ${expected} is not served: ${server.said()}`);
      }
    };

    const before = await Promise.all([...held, ...stored].map(ask));
    assert.ok(before.every(({ status }) => status === 200));
    for (const [name, overwrite] of Object.entries(OVERWRITES)) {
      overwrite(path, other.target);
      for (const [i, route] of [...held, ...stored].entries()) {
        const { status, text } = await ask(route);
        const isOld = status === 200 && text === before[i]!.text;
        const isNew = text.includes(other.report.generation) && name.startsWith('another index');
        assert.ok(
          isOld || isNew || (i >= held.length && status === 503),
          `${name}: ${route}: ${status} ${text}`,
        );
      }
      assert.equal(server.process.signalCode ?? server.process.exitCode, null, name);
      if (name.startsWith('another index')) await until(other.report.generation);
      copyFileSync(built.target, `${path}.next`);
      renameSync(`${path}.next`, path);
      await until(built.report.generation);
    }
    execFileSync('mkfifo', [`${path}.next`]);
    renameSync(`${path}.next`, path);
    for (const endMs = Date.now() + 20_000; ; await delay(50)) {
      if (/served\.akin is a folder, a pipe or a device/.test(server.said())) break;
      assert.ok(Date.now() < endMs, server.said());
    }
    assert.equal((await ask(held[0]!)).text, before[0]!.text, 'a pipe in its place is not waited for');
    assert.match(server.said(), /served\.akin was written to while it was open/);
    server.process.kill('SIGTERM');
    assert.deepEqual(await once(server.process, 'exit'), [0, null]);
  },
);

test('what is read of a file that is written over is refused with what to do', async (t) => {
  const { target } = await buildPages(t, villagePages(3));
  const path = join(temporaryFolder(t), 'open.akin');
  copyFileSync(target, path);
  const reader = IndexReader.open(path);
  t.after(() => reader.close());
  const rows = reader.pages();
  rows.next();
  truncateSync(path, 8192);
  const refused = {
    name: 'CorruptError',
    code: 'AKIN_ERR_INDEX_CORRUPT',
    message: `${path} was written to while it was open`,
    hint: 'put a new index in its place by a rename: cp NEW FILE.next && mv FILE.next FILE',
  };
  assert.throws(() => [...rows], refused);
  assert.throws(() => reader.page(0), refused);
  assert.throws(() => reader.card(), refused);
});

test('an index that is replaced or removed by its name is read to the end', async (t) => {
  const { target, reader } = await buildPages(t, villagePages(3));
  const path = join(temporaryFolder(t), 'open.akin');
  copyFileSync(target, path);
  const open = IndexReader.open(path);
  t.after(() => open.close());
  rmSync(path);
  writeFileSync(path, 'another file');
  assert.deepEqual([...open.pages()], [...reader.pages()]);
});

test('a pipe, a folder or a device in place of an index is refused at once', (t) => {
  const folder = temporaryFolder(t);
  const pipe = join(folder, 'pipe.akin');
  execFileSync('mkfifo', [pipe]);
  for (const path of [pipe, folder, '/dev/null', '/dev/zero']) {
    assert.throws(() => IndexReader.open(path), {
      name: 'InputError',
      code: 'AKIN_ERR_NOT_AN_INDEX',
      message: `${path} is a folder, a pipe or a device, not an akin index`,
      hint: 'give a file; of an index in shards, one of the files in its folder',
    });
  }
});
