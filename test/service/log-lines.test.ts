import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { longTest } from '../long-test.ts';
import { newFolder } from '../new-folder.ts';

const LOG_LINES = new URL('../../src/service/log-lines.ts', import.meta.url).href;
const LINES = 100_000;
const FLAGS = ['--conditions=akin-source', '--input-type=module', '--eval'];

test('lines that a reader leaves no room for are left out and counted, and the rest comes', async () => {
  const program = `
    import { LogLines } from ${JSON.stringify(LOG_LINES)};
    const log = new LogLines(2);
    const write = (from, to) => {
      for (let i = from; i < to; i++) log.write(i + ' '.repeat(90) + '\\n');
    };
    write(0, ${LINES});
    process.stdin.once('data', () => write(${LINES}, ${LINES + 10}));
    console.log('written');
  `;
  const child = spawn(process.execPath, [...FLAGS, program]);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  let log = '';
  for await (const chunk of child.stderr) {
    log += String(chunk);
    if (log.length > 2 ** 21 && !child.stdin.writableEnded) child.stdin.end('go on');
  }
  const lines = log.trimEnd().split('\n');
  const place = lines.findIndex((line) => line.startsWith('{'));
  const { level, leftOut } = JSON.parse(lines[place] ?? '{}') as { level: number; leftOut: number };
  assert.equal(level, 40);
  const numbers = lines.filter((_, i) => i !== place).map((line) => Number.parseInt(line, 10));
  const first = Array.from({ length: LINES - leftOut }, (_, i) => i);
  const last = Array.from({ length: 10 }, (_, i) => LINES + i);
  assert.deepEqual(numbers, [...first, ...last]);
  assert.equal(place, first.length);
  assert.ok(leftOut > LINES / 4, `${leftOut}`);
});

test('a log goes on where its disk was full', { skip: !existsSync('/dev/full') }, () => {
  const folder = newFolder('log');
  const path = join(folder, 'log');
  // The next file that is opened has the number of the one that was closed.
  const program = `
    import { closeSync, openSync } from 'node:fs';
    import { LogLines } from ${JSON.stringify(LOG_LINES)};
    const fd = openSync('/dev/full', 'w');
    const log = new LogLines(fd);
    log.write('one\\n');
    setTimeout(() => {
      closeSync(fd);
      if (openSync(${JSON.stringify(path)}, 'w') !== fd) throw new Error('another number');
      log.write('two\\n');
      setTimeout(() => {}, 1000);
    }, 100);
  `;
  const { status, stderr } = spawnSync(process.execPath, [...FLAGS, program], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\n');
  rmSync(folder, { recursive: true });
});

longTest(
  'the last lines before an exit come where the reader is slow, and the process ends where it reads no more',
  async () => {
    // A pipe that node has opened takes what there is room for, and no more.
    const program = `
    import { LogLines } from ${JSON.stringify(LOG_LINES)};
    process.stderr.on('error', () => {});
    const log = new LogLines(2);
    for (let i = 0; i < 10_000; i++) log.write(i + ' '.repeat(90) + '\\n');
    for (let turn = 0; turn < 20; turn++) await new Promise((done) => setTimeout(done, 10));
    console.log('full');
    log.write('why it ends\\n');
    process.exit(5);
  `;
    for (const isRead of [true, false]) {
      const child = spawn(process.execPath, [...FLAGS, program]);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      await new Promise((resolve) => child.stdout.once('data', resolve));
      let log = '';
      if (isRead) for await (const chunk of child.stderr) log += String(chunk);
      assert.equal(await ended, 5);
      child.stderr.destroy();
      if (!isRead) continue;
      const lines = log.trimEnd().split('\n');
      assert.deepEqual(
        lines.map((line) => line.trimEnd()),
        [...Array.from({ length: 10_000 }, (_, i) => String(i)), 'why it ends'],
      );
    }
  },
);
