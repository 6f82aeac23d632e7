/** The tests of the service over HTTP, run over the plugin for Fastify under a prefix. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
/** Files that ask the service itself: its members, its own base path, or sockets with paths at its root. */
const OF_THE_SERVICE =
  /(?:base-path|hostile|generation-holder|asking|lost-shards|shards\/shards|added-filter|fields|plain-related|pages|rules)\.test\.ts$/;
/** Single tests of that kind, and one that compares the bytes of an answer, which are those of the links too. */
const TESTS_OF_THE_SERVICE = [
  'under a base path every address begins with it',
  'a page that has not changed is not sent again, and the API still answers JSON',
  'a lagging event loop refuses with 503',
  'an export ends with its connection',
  'others have their turn while the page that stays is chosen',
  'the short way to an answer gives what the long one does',
  'an answer says which writes it knows',
];

test('the plugin answers under its prefix as the service does', async () => {
  const files = ['service', 'explorer'].flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && !OF_THE_SERVICE.test(join(room, name)))
      .map((name) => join(ROOT, room, name)),
  );
  const asking = files.filter((file) => readFileSync(file, 'utf8').includes('fixtureApp('));
  assert.ok(asking.length >= 30);
  const how = ['--conditions=akin-source', '--import', join(ROOT, 'compile-cache.ts'), '--test'];
  const which = TESTS_OF_THE_SERVICE.map((name) => `--test-skip-pattern=${name}`);
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
