/** Builds on disks of every size below the one that is enough: reported as a full disk, never as a fault of akin. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './build.ts';
import { testFileLimit } from './disk.ts';
import { toWarc, villagePages } from './pages.ts';

for (const limitKiB of [4, 128]) testFileLimit(limitKiB);

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const STEPS = 24;

interface Ended {
  readonly status: number | null;
  readonly stderr: string;
}

function input(t: TestContext) {
  const folder = temporaryFolder(t);
  const path = join(folder, 'pages.warc');
  writeFileSync(path, toWarc(villagePages(60)));
  return { folder, path };
}

/** `limit` is a shell command that goes before. */
function indexTo(target: string, path: string, workers: number, limit = 'true'): Ended {
  const args = [MAIN, 'index', path, '--to', target, '--workers', String(workers)];
  return spawnSync('bash', ['-c', `${limit}; exec "$0" "$@"`, process.execPath, ...args], {
    encoding: 'utf8',
  });
}

function assertFull({ status, stderr }: Ended, name: string): void {
  assert.equal(status, 6, `${name}: ${stderr}`);
  assert.match(stderr, /akin: cannot write .*\nhint: free some space and run the same command again/, name);
  assert.doesNotMatch(stderr, /\n\s+at |fault of akin|Uint8Array|<Buffer/, `${name}: no stack, no bytes`);
}

test('a file that may not grow further is a full disk, wherever the build is', (t) => {
  const { folder, path } = input(t);
  for (const workers of [1, 2]) {
    const target = join(folder, `${workers}.akin`);
    let ended: Ended | undefined;
    // Steps of a quarter: the files of a build differ by a factor of a thousand.
    for (let kib = 1; kib < 2 ** 16; kib = Math.ceil(kib * 1.25)) {
      ended = indexTo(target, path, workers, `ulimit -f ${kib}`);
      if (ended.status === 0) break;
      assertFull(ended, `${workers} workers, files of ${kib} KiB`);
    }
    assert.equal(ended?.status, 0, 'at the end there is room');
  }
});

test('a disk of any size too small is a full disk, wherever the build is', (t) => {
  const { folder, path } = input(t);
  const small = join(folder, 'small');
  mkdirSync(small);
  const mount = (...options: string[]) => execFileSync('mount', [...options, small], { stdio: 'ignore' });
  const roomy = join(folder, 'roomy.akin');
  assert.equal(indexTo(roomy, path, 1).status, 0);
  try {
    mount('-t', 'tmpfs', '-o', 'size=100k', 'tmpfs');
  } catch {
    return t.skip('mounting a small file system is not allowed here');
  }
  try {
    let ended: Ended | undefined;
    for (let step = 1; step <= STEPS; step++) {
      mount('-o', `remount,size=${step * 100}k`);
      ended = indexTo(join(small, 'a.akin'), path, 1 + (step % 2));
      if (ended.status === 0) break;
      assertFull(ended, `a disk of ${step * 100} KiB`);
    }
    assert.equal(ended?.status, 0, 'the build goes on behind what was done, until there is room');
  } finally {
    execFileSync('umount', [small]);
  }
});
