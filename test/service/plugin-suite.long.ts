/** The tests of the service over HTTP, run over the plugin for Fastify under a prefix. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
/** Tests that are of the service alone, by the beginning of their names. */
const NOT_OF_A_PLUGIN = {
  'its base path is the prefix, and no option': [
    'everything is under the base path',
    'the pages for people and the components are under it too',
    'problems name the address that was asked',
    'a prefix that a trusted proxy took off',
    'a forwarded prefix that is no path',
    'under a base path every address begins with it',
    'a target in absolute form is that of its path',
  ],
  "the connections are those of the site's own server, which keeps its time and reads its lines": [
    'a client that sends on after its 408',
    'a body that never ends is answered 408',
    'headers that do not come are answered 408',
    'a client that never reads its answers',
    'what is not quite HTTP is refused',
    'a request line that fills a packet',
    'an export goes on where no row comes for longer than a connection may be silent',
  ],
  'it takes no pages': [
    'what a server acknowledged holds behind a fold',
    'the tag of an answer names the journal whose pages it has',
  ],
  "the site's own server writes its log": [
    'of several Authorization headers none counts',
    'what is measured and written down has no key',
  ],
  'it compares bytes of a socket, which have the prefix, with an answer without it': [
    'unusual requests have the answers of the framework',
  ],
};

test('the plugin answers under its prefix as the service does', async () => {
  const files = ['service', 'explorer'].flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(ROOT, room, name)),
  );
  const asking = files.filter((file) => readFileSync(file, 'utf8').includes('fixtureApp('));
  assert.ok(asking.length >= 30);
  const how = ['--conditions=akin-source', '--import', join(ROOT, 'compile-cache.ts'), '--test'];
  const which = Object.values(NOT_OF_A_PLUGIN).flatMap((names) =>
    names.map((name) => `--test-skip-pattern=^${name}`),
  );
  const child = spawn(
    process.execPath,
    [...how, ...which, '--test-concurrency=2', '--test-reporter=tap', ...asking],
    {
      env: { ...process.env, AKIN_TEST_PREFIX: '/related-service', NODE_TEST_CONTEXT: undefined },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let report = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    report += chunk;
  });
  const [code] = await once(child, 'close');
  assert.deepEqual(report.match(/^ *not ok .*$/gm) ?? [], []);
  assert.equal(code, 0);
  const passed = Number(/^# pass (\d+)/m.exec(report)?.[1]);
  assert.ok(passed > 150, `${passed} tests`);
  console.log(`${passed} tests of ${asking.length} files`);
});
