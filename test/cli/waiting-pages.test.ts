/** What is made of an index file alone says which pages wait beside it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newFolder } from '../new-folder.ts';
import { fixtureApp, fixtureIndex } from '../service/fixture-app.ts';
import { GARDEN } from '../service/fixture-index.ts';
import { akin } from './terminal.ts';

const MAIN = new URL('../../src/cli/main.ts', import.meta.url).pathname;
const live = { maxPending: 1000, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9, run: async () => false };

test('an export, an answer, a copy and a server of an index say what waits beside it, and only then', async (t) => {
  const folder = newFolder('waiting');
  const index = join(folder, 'web.akin');
  copyFileSync(await fixtureIndex(), index);
  const to = (name: string) => join(folder, name);
  const calls = [
    ['export', index, '--what', 'records', '--to', to('all.jsonl')],
    ['related', index, `${GARDEN}0`, '--json'],
    ['moved', index, '--all', '--format', 'csv'],
    ['show', index],
    ['split', index, '--shards', '2', '--to', to('shards')],
    ['index', index, '--to', to('copy.akin')],
  ];
  const saidOf = async (argv: string[]) => {
    const { code, stderr } = await akin(argv);
    assert.equal(code, 0, stderr);
    return stderr.split('\n').filter((line) => line.includes('web.akin.pages'));
  };
  for (const argv of calls) assert.deepEqual(await saidOf(argv), [], argv[0]);
  const app = await fixtureApp(index, { live });
  for (const n of [1, 2]) {
    const url = `/pages?url=https://new.example/${n}`;
    const payload = { title: 'Roses', text: `rose thorn petal ${n}` };
    assert.equal((await app.inject({ method: 'PUT', url, payload })).statusCode, 201);
  }
  const text = `akin: what waits in ${index}.pages (2 pages) is not`;
  for (const argv of calls)
    assert.deepEqual(
      await saidOf(argv),
      [`${text} in this: POST /pages/fold takes it into the index`],
      argv[0],
    );
  // What is added to the index itself leaves what waits where it is.
  const more = to('more.jsonl');
  writeFileSync(more, '{"url":"https://more.example/","text":"rose thorn petal"}\n');
  assert.deepEqual(await saidOf(['add', more, '--to', index]), []);
  await app.close();
  const child = spawn(process.execPath, ['--conditions=akin-source', MAIN, 'serve', index, '--port', '0']);
  t.after(() => child.kill('SIGKILL'));
  let stdout = '';
  for await (const chunk of child.stdout) if (/ at http/.test((stdout += String(chunk)))) break;
  assert.equal(stdout.split('\n')[0], `${text} shown: --writable or --follow shows it`);
});
