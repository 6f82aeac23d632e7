import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULTS, input, temporaryFolder } from './build.ts';
import { startBuild } from './child.ts';
import { files, testFileLimit } from './disk.ts';
import { toWarc, villagePages } from './pages.ts';

testFileLimit(32);

test('a file system without room is a full disk', async (t) => {
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

test('a worker that runs out of memory ends the build with a word about it', async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'pages.warc');
  const huge = `<p>${Array.from({ length: 1_500_000 }, (_, i) => `word${i.toString(36).replace(/\d/g, 'q')}x`).join(' ')}`;
  writeFileSync(path, toWarc([...villagePages(3), { url: 'https://huge.example/', html: huge }]));
  const target = join(folder, 'a.akin');
  const options = { ...DEFAULTS, inputs: [input(path)], target, maxPageBytes: 100 << 20 };
  const said = await startBuild(options, '', ['--max-old-space-size=40']).ended;
  assert.match(said, /error AKIN_ERR_OPTION a worker ran out of memory/);
  assert.ok(!existsSync(target));
});
