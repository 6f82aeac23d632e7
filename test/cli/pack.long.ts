import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { GARDEN_JSONL } from './garden.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'akin-pack-'));
after(() => rmSync(folder, { recursive: true }));

const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
const npm = (cwd: string, ...argv: string[]) =>
  execFileSync('npm', argv, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PATH },
  });

test('the packed package installs elsewhere and works there', () => {
  const filename = npm(ROOT, 'pack', '--silent', '--pack-destination', folder).trim().split('\n').at(-1)!;
  const listed = execFileSync('tar', ['-tzf', join(folder, filename)], { encoding: 'utf8' });
  const allowed =
    /^package\/((bin|dist|migrations)\/.+|package\.json|openapi\.yaml|README\.md|LICENSE|CHANGELOG\.md)$/;
  const paths = listed.trim().split('\n');
  assert.deepEqual(
    paths.filter((path) => !allowed.test(path)),
    [],
  );
  assert.ok(paths.includes('package/migrations/0001-index.sql'));

  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  npm(folder, 'install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', join(folder, filename));
  assert.ok(!existsSync(join(folder, 'node_modules', 'typescript')), 'no tool of the workshop comes along');

  const command = join(folder, 'node_modules', '.bin', 'akin');
  const akin = (...argv: string[]) => {
    const done = spawnSync(command, argv, { cwd: folder, encoding: 'utf8', env: { ...process.env, PATH } });
    assert.equal(done.status, 0, done.stderr);
    return done.stdout;
  };
  assert.match(akin('--version'), /^akin \d+\.\d+\.\d+\n$/);
  writeFileSync(join(folder, 'garden.jsonl'), GARDEN_JSONL);
  akin('index', 'garden.jsonl', '--to', 'garden.akin', '--max-df', '1', '--min-df', '1', '--workers', '2');
  const answer = JSON.parse(akin('related', 'garden.akin', 'https://garden.example/roses', '--json'));
  assert.equal(answer.related[0].url, 'https://orchard.example/prune');
  assert.equal(akin('check', 'garden.akin'), 'garden.akin is whole\n');
});
