/** Whoever reads the chapters finds every option that `--help` shows. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildProgram } from '../../src/cli/program.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What every command has, and says itself. */
const EVERYWHERE = new Set(['--help', '--help-all', '--json']);

test('a chapter names every option of every command', async () => {
  const texts = globSync(['README.md', 'docs/*.md', 'docs/{formats,recipes}/*.md'], { cwd: ROOT })
    .filter((path) => !path.endsWith('evaluation.md'))
    .map((path) => readFileSync(join(ROOT, path), 'utf8'))
    .join('\n');
  const named = new Set(texts.match(/--[a-z][a-z-]*[a-z]/g));
  const { commands } = await buildProgram(process, '0', []);
  const options = commands.flatMap((command) => command.options.filter(({ hidden }) => !hidden));
  assert.ok(options.length > 300);
  const unknown = options
    .map(({ long }) => long!)
    .filter((flag) => !named.has(flag) && !EVERYWHERE.has(flag));
  assert.deepEqual([...new Set(unknown)], []);
});
