import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crawlWithoutRoom } from './disk.ts';
import { temporaryFolder } from './loopback.ts';

const KIB = Array.from({ length: 40 }, (_, i) => Math.ceil(1.25 ** i));

test('wherever the files of a crawl may not grow further, it is a full disk, and nothing is lost', (t) =>
  crawlWithoutRoom(t, join(temporaryFolder(t), 'crawl'), 120, [
    ...KIB.map((kib) => `ulimit -f ${kib}`),
    'true',
  ]));

test('wherever a crawl finds no room on its disk, it is a full disk, and nothing is lost', async (t) => {
  const small = join(temporaryFolder(t), 'small');
  mkdirSync(small);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', small], { stdio: 'ignore' });
  } catch {
    return t.skip('mounting a small file system is not allowed here');
  }
  try {
    const sizes = [8, 40, 80, 120, 160, 200, 240, 280, 320, 400, 500, 700, 1000, 100_000];
    const limits = sizes.map((kib) => `mount -o remount,size=${kib}k '${small}'`);
    await crawlWithoutRoom(t, join(small, 'crawl'), 120, limits);
  } finally {
    execFileSync('umount', [small]);
  }
});
