import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { longTest } from '../long-test.ts';
import { input } from './build.ts';
import { startBuild } from './child.ts';
import { files, testFileLimit } from './disk.ts';

testFileLimit(32);

longTest('a file system without room is a full disk', async (t) => {
  const { folder, path } = files(t);
  const small = join(folder, 'small');
  mkdirSync(small);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300k', 'tmpfs', small], { stdio: 'ignore' });
  } catch {
    return t.skip('mounting a small file system is not allowed here');
  }
  try {
    const target = join(small, 'a.akin');
    assert.match(await startBuild({ inputs: [input(path)], target }).ended, /error AKIN_ERR_DISK/);
    execFileSync('mount', ['-o', 'remount,size=40m', small]);
    const said = await startBuild({ inputs: [input(path)], target }).ended;
    assert.match(said, /generation/);
    assert.ok(!existsSync(`${target}.work`));
  } finally {
    execFileSync('umount', [small]);
    rmSync(small, { recursive: true });
  }
});
