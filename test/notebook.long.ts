/** The notebook for Python, cell by cell, with pandas from PyPI. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { newFolder } from './new-folder.ts';
import { fixtureApp, fixtureIndex } from './service/fixture-app.ts';

const folder = newFolder('notebook');
after(() => rmSync(folder, { recursive: true, force: true }));

/** A Python with pandas; null where there is none. */
function pythonWithPandas(): string | null {
  const made = spawnSync('python3', ['-m', 'venv', join(folder, 'venv')]);
  if (made.status !== 0) return null;
  const python = join(folder, 'venv', 'bin', 'python');
  const pip = spawnSync(python, ['-m', 'pip', 'install', '--quiet', 'pandas==2.3.3']);
  return pip.status === 0 ? python : null;
}

const python = pythonWithPandas();

test('every cell of the notebook runs, and what it asserts holds', {
  skip: python === null && 'no Python with pandas can be had here',
}, async () => {
  const path = new URL('../docs/python.ipynb', import.meta.url);
  const { cells } = JSON.parse(readFileSync(path, 'utf8'));
  const code = cells.filter((cell: { cell_type: string }) => cell.cell_type === 'code');
  assert.ok(code.length > 8);
  for (const cell of code) assert.deepEqual([cell.outputs, cell.execution_count], [[], null]);
  const script = join(folder, 'notebook.py');
  writeFileSync(script, code.map(({ source }: { source: string[] }) => source.join('')).join('\n\n'));
  const index = await fixtureIndex();
  const app = await fixtureApp(index);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
  const child = spawn(python!, [script], {
    env: {
      ...process.env,
      AKIN: `'${process.execPath}' '${main}'`,
      AKIN_INDEX: index,
      AKIN_URL: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
  const exitCode = await new Promise((resolve) => child.once('close', resolve));
  assert.equal(exitCode, 0, said);
  assert.match(said, /\d+ pages, \d+ without copies/);
});
