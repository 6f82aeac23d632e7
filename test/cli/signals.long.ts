/**
 * A build hears a signal whatever stage it is at: each of those that never wait, by both signals. So do a split, akin tune, akin inject
 * and an export of pairs, which leave no files behind.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Random } from '../../src/lib/random.ts';
import { newFolder } from '../new-folder.ts';
import { patchworkJsonl } from './patchwork.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
/** Some tens of milliseconds on a machine with nothing else to do. */
const MOST_MS = 5000;
/** For the work to be under way. */
const BEGUN_MS = 600;
const PAGES = 6000;
const urlOf = (i: number) => `https://host.example/${i}`;
const folder = newFolder('signals');
after(() => rmSync(folder, { recursive: true }));

/** Pages that share text and no word: `copies` and `write` have work, `neighbors` has none. */
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
      child.stdin.end(stage === 'neighbors' ? manyPages() : jsonl);
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

const whole = join(folder, 'whole.akin');
const labels = join(folder, 'labels.tsv');

/** Pages of words drawn from many: any two are so much alike that their pairs take seconds. */
function manyPages(): string {
  const random = new Random(5);
  // Letters alone make a word.
  const word = (i: number) => `w${i}`.replace(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)]!);
  const text = () => Array.from({ length: 80 }, () => word(random.below(random.below(600) + 1))).join(' ');
  const lines = Array.from({ length: PAGES }, (_, i) => JSON.stringify({ url: urlOf(i), text: text() }));
  writeFileSync(labels, `url\tlabel\n${lines.map((_, i) => `${urlOf(i)}\t${i % 9}\n`).join('')}`);
  return lines.join('\n');
}

test('an index for what follows', async () => {
  const argv = [MAIN, 'index', '-', '--format', 'jsonl', '--to', whole, '--no-copies'];
  const child = spawn(process.execPath, argv);
  child.stdin.end(manyPages());
  child.stderr.resume();
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

/** Ends a command some time after it began; what it said, and whether it left files in its folder for temporary ones. */
async function stopped(
  t: TestContext,
  argv: readonly string[],
  signal: NodeJS.Signals,
  begun: () => boolean,
) {
  const temporary = mkdtempSync(join(folder, 'temporary-'));
  const child = spawn(process.execPath, [MAIN, ...argv], { env: { ...process.env, TMPDIR: temporary } });
  t.after(() => child.kill('SIGKILL'));
  let text = '';
  child.stdout.resume();
  child.stderr.on('data', (chunk) => {
    text += String(chunk);
  });
  for (let tries = 0; tries < 2000 && !(begun() || existsIn(temporary)); tries++) await sleep(10);
  await sleep(BEGUN_MS);
  assert.equal(child.exitCode, null, `too early: ${text}`);
  const killedAtMs = performance.now();
  child.kill(signal);
  const [code] = await once(child, 'exit');
  const tookMs = performance.now() - killedAtMs;
  t.diagnostic(`${tookMs.toFixed(0)} ms`);
  assert.ok(tookMs < MOST_MS, `${tookMs} ms`);
  return { code, text, left: readdirSync(temporary).filter((name) => name.startsWith('akin-')) };
}

const existsIn = (path: string) => readdirSync(path).some((name) => name.startsWith('akin-'));

for (const [signal, exitCode] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  test(`${signal} while an index is split`, async (t) => {
    const shards = join(folder, `shards-${signal}`);
    const argv = ['split', whole, '--shards', '2', '--to', shards];
    const { code, text } = await stopped(t, argv, signal, () => existsSync(shards));
    assert.equal(code, exitCode, text);
    assert.match(text, /stopped; the shards are not complete/);
  });

  test(`${signal} while shares are tuned`, async (t) => {
    const { code, text, left } = await stopped(t, ['tune', whole, '--labels', labels], signal, () => false);
    assert.deepEqual([code, left], [exitCode, []], text);
    assert.match(text, /akin: stopped/);
  });

  test(`${signal} while lists are made for a folder`, async (t) => {
    const site = join(folder, `site-${signal}`);
    mkdirSync(site);
    for (const [i, line] of manyPages().split('\n').entries())
      writeFileSync(join(site, `p${i}.html`), `<p>${JSON.parse(line).text}</p><!-- akin-related -->`);
    const argv = ['inject', site, '--base', 'https://host.example/', '--cache', join(folder, 'cache')];
    const { code, text, left } = await stopped(t, argv, signal, () => false);
    assert.deepEqual([code, left], [exitCode, []], text);
    assert.match(text, /akin: stopped; each page is as it was, or has its list/);
  });

  test(`${signal} while pairs are joined for an export`, async (t) => {
    const target = join(folder, `pairs-${signal}.tsv`);
    const argv = ['export', whole, '--what', 'pairs', '--at', '0.1', '--recall', '1', '--to', target];
    const { code, text, left } = await stopped(t, argv, signal, () => false);
    assert.deepEqual([code, left], [exitCode, []], text);
    assert.match(text, /akin: stopped/);
    const parts = readdirSync(folder).filter((name) => name.startsWith(`pairs-${signal}`));
    assert.deepEqual(parts, []);
  });
}
