/** The committed bytes of the kernels are those of their sources; slow twins prove in `npm test` what the bytes do. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

for (const [name, room] of [
  ['text', 'text'],
  ['html', 'page/html'],
  ['page', 'sketch'],
  ['vector', 'join/vectors'],
  ['search', 'store/write/search'],
  ['overlap', 'join/exact'],
  ['neighbors', 'join/exact'],
]) {
  test(`compiling the ${name} kernel again gives the committed bytes`, () => {
    const argv = ['scripts/build-kernels.mjs', '--print', name!];
    const built = execFileSync(process.execPath, argv, { cwd: ROOT, encoding: 'utf8' });
    assert.equal(built, readFileSync(`${ROOT}/src/${room}/${name}-kernel-bytes.ts`, 'utf8'));
  });
}
