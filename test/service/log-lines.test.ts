import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';

const LOG_LINES = new URL('../../src/service/log-lines.ts', import.meta.url).href;
const LINES = 100_000;

test('a reader that stands still is told how many lines were left out, and gets the rest', async () => {
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
  const argv = ['--conditions=akin-source', '--input-type=module', '--eval', program];
  const child = spawn(process.execPath, argv);
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
