import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newFolder } from './new-folder.ts';
import { filesOf } from './run-files.ts';

test('every file of tests is run by one process', () => {
  const run = globSync('test/processes/*.ts').flatMap((path) =>
    filesOf(
      Array.from(readFileSync(path, 'utf8').matchAll(/'([^']+\.test\.ts)'/g), ([, pattern]) => pattern!),
    ),
  );
  assert.deepEqual(run.sort(), globSync('{test,packages/*/test}/**/*.test.ts').sort());
});

test('a file that breaks fails by its name, and those behind it run', () => {
  const folder = newFolder('processes');
  after(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const head = "import { test, after } from 'node:test'; await null;";
  write('a.mjs', `${head} test('waits', () => new Promise(() => setTimeout(() => {}, 300)));`);
  write('b.mjs', "throw new Error('cannot be loaded');");
  write(
    'c.mjs',
    `${head} test('throws later', async () => { setTimeout(() => { throw new Error('late') }); await new Promise((done) => setTimeout(done, 50)) });`,
  );
  write('d.mjs', `${head} after(() => console.log('ended')); test('passes', () => {});`);
  const entry = join(folder, 'all.ts');
  write(
    'all.ts',
    `import { runFiles } from '${join(import.meta.dirname, 'run-files.ts')}'; runFiles('*.mjs');`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const argv = ['--test', '--test-timeout=200', '--test-reporter=spec', entry];
  const { status, stdout } = spawnSync(process.execPath, argv, { cwd: folder, env, encoding: 'utf8' });
  assert.equal(status, 1);
  for (const line of [
    /✖ a\.mjs/,
    /✖ b\.mjs/,
    /cannot be loaded/,
    /✖ throws later/,
    /✔ passes/,
    /ended/,
    /✔ d\.mjs/,
  ]) {
    assert.match(stdout, line);
  }
});
