/** The library, loaded with an older Node. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import manifest from '../../package.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Node without zstd. */
const OLDER = `data:text/javascript,import zlib from 'node:zlib'; for (const name in zlib) if (/zstd/i.test(name)) delete zlib[name];`;

/** What an import of an entry comes to. */
function loaded(entry: string): string {
  const script = `import('akin-web${entry}').then(() => console.log('loaded'), (error) => console.log(error.message))`;
  const argv = ['--conditions=akin-source', '--import', OLDER, '--input-type=module', '--eval', script];
  const { stdout, stderr } = spawnSync(process.execPath, argv, { cwd: ROOT, encoding: 'utf8' });
  return stdout.trim() || stderr;
}

test('an older Node is refused by the one that is needed, and the client works with it', () => {
  const refusal = `akin-web needs Node ${manifest.engines.node.slice(2)} or newer; this is ${process.versions.node}`;
  for (const entry of ['', '/fastify', '/eleventy', '/astro', '/vitepress'])
    assert.equal(loaded(entry), refusal);
  for (const entry of ['/client', '/client/write']) assert.equal(loaded(entry), 'loaded');
});

test('nothing imports by name what an older Node cannot link', () => {
  const named = /import[^;]*\{[^}]*zstd[^}]*\} from 'node:zlib'/i;
  const files = globSync('src/**/*.ts', { cwd: ROOT });
  assert.ok(files.length > 500);
  assert.deepEqual(
    files.filter((path) => named.test(readFileSync(join(ROOT, path), 'utf8'))),
    [],
  );
});
