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

/** What imports of entries come to, one after the other. */
function loaded(entries: readonly string[]): string[] {
  const script = `for (const entry of ${JSON.stringify(entries)})
    console.log(await import('akin-web' + entry).then(() => 'loaded', (error) => error.message))`;
  const argv = ['--conditions=akin-source', '--import', OLDER, '--input-type=module', '--eval', script];
  const { stdout, stderr } = spawnSync(process.execPath, argv, { cwd: ROOT, encoding: 'utf8' });
  return (stdout || stderr).trim().split('\n');
}

test('an older Node is refused by the one that is needed, and the client works with it', () => {
  const refusal = `akin-web needs Node ${manifest.engines.node.slice(2)} or newer; this is ${process.versions.node}`;
  assert.deepEqual(
    loaded(['/client', '/client/write', '', '/fastify', '/eleventy', '/astro', '/vitepress']),
    ['loaded', 'loaded', ...Array(5).fill(refusal)],
  );
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
