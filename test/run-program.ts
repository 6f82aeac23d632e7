import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from './new-folder.ts';

/** What a program prints, run as a process of its own that ends well. */
export function printedBy(program: string): string {
  const folder = newFolder('program');
  const file = join(folder, 'program.mjs');
  writeFileSync(file, program);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--conditions=akin-source', file], {
    env,
    encoding: 'utf8',
    timeout: 20_000,
  });
  rmSync(folder, { recursive: true });
  assert.equal(status, 0, stderr);
  return stdout;
}
