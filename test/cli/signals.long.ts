/** A build hears a signal whatever stage it is at: each of those that never wait, by both signals. So does a split. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { newFolder } from '../new-folder.ts';
import { patchworkJsonl } from './patchwork.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
/** Some tens of milliseconds on a machine with nothing else to do. */
const MOST_MS = 5000;
const folder = newFolder('signals');
after(() => rmSync(folder, { recursive: true }));

const jsonl = patchworkJsonl(2500);

for (const [stage, before, next] of [
  ['neighbors', 'bags', 'clusters'],
  ['copies', 'clusters', 'write'],
  ['write', 'copies', 'publish'],
] as const) {
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    test(`${signal} in ${stage}`, async (t) => {
      const target = join(folder, `${stage}-${signal}.akin`);
      const argv = [MAIN, 'index', '-', '--format', 'jsonl', '--to', target, '--max-df', '1'];
      const child = spawn(process.execPath, argv);
      t.after(() => child.kill('SIGKILL'));
      child.stdin.end(jsonl);
      let text = '';
      const begun = Promise.withResolvers<void>();
      child.stderr.on('data', (chunk) => {
        text += String(chunk);
        if (new RegExp(`^${before}: `, 'm').test(text)) begun.resolve();
      });
      await begun.promise;
      const killedAtMs = performance.now();
      child.kill(signal);
      const [code] = await once(child, 'exit');
      assert.equal(code, exitCode, text);
      assert.doesNotMatch(text, new RegExp(`^(${stage}|${next}): `, 'm'));
      assert.match(text, /stopped; completed stages are kept/);
      assert.ok(performance.now() - killedAtMs < MOST_MS, `${performance.now() - killedAtMs} ms`);
      assert.equal(existsSync(target), false);
    });
  }
}

test('SIGINT while an index is split', async (t) => {
  const whole = join(folder, 'whole.akin');
  const build = spawn(process.execPath, [
    MAIN,
    'index',
    '-',
    '--format',
    'jsonl',
    '--to',
    whole,
    '--no-copies',
  ]);
  build.stdin.end(jsonl);
  build.stderr.resume();
  assert.deepEqual(await once(build, 'exit'), [0, null]);
  const child = spawn(process.execPath, [
    MAIN,
    'split',
    whole,
    '--shards',
    '2',
    '--to',
    join(folder, 'shards'),
    '--verbose',
  ]);
  t.after(() => child.kill('SIGKILL'));
  let text = '';
  const begun = Promise.withResolvers<void>();
  child.stderr.on('data', (chunk) => {
    text += String(chunk);
    if (/^merge: /m.test(text)) begun.resolve();
  });
  await begun.promise;
  const killedAtMs = performance.now();
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  assert.equal(code, 130, text);
  assert.match(text, /stopped; the shards are not complete/);
  assert.doesNotMatch(text, /^shards: /m);
  assert.ok(performance.now() - killedAtMs < MOST_MS, `${performance.now() - killedAtMs} ms`);
});
