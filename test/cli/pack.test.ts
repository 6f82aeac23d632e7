/** What npm would pack from a clone; pack.long.ts installs the package and runs it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const argv = ['pack', '--dry-run', '--json', '--ignore-scripts'];
const { stdout, stderr } = spawnSync('npm', argv, { cwd: ROOT, encoding: 'utf8' });
const packed: string[] = JSON.parse(stdout || assert.fail(stderr))[0].files.map(
  ({ path }: { path: string }) => path,
);
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('the package holds what runs and what is read, and nothing else', () => {
  const allowed =
    /^((bin|dist|docs|migrations)\/.+|package\.json|openapi\.yaml|(README|ARCHITECTURE|CHANGELOG)\.md|LICENSE)$/;
  assert.deepEqual(
    packed.filter((path) => !allowed.test(path)),
    [],
  );
  for (const path of ['bin/akin', 'migrations/0001-index.sql', 'openapi.yaml', 'README.md']) {
    assert.ok(packed.includes(path), path);
  }
});

test('what the texts in the package link to is in the package', () => {
  const broken: string[] = [];
  for (const path of packed.filter((path) => path.endsWith('.md'))) {
    const text = read(path).replace(/^```[\s\S]*?^```/gm, '');
    for (const [, link] of text.matchAll(/\]\((?!https?:)([^)#\s]+)/g)) {
      const target = posix.join(posix.dirname(path), link!);
      if (!packed.some((file) => file === target || file.startsWith(`${target.replace(/\/$/, '')}/`)))
        broken.push(`${path} -> ${link}`);
    }
  }
  assert.deepEqual(broken, []);
});

test('package.json says where the project lives', () => {
  const { repository, homepage, bugs, keywords } = JSON.parse(read('package.json'));
  assert.match(repository.url, /^git\+https:\/\//);
  assert.ok(keywords.length >= 5);
  const home = repository.url.slice('git+'.length, -'.git'.length);
  assert.ok(homepage.startsWith(home) && bugs.url.startsWith(home), `${homepage} ${bugs.url}`);
});
