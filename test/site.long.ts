/** The documentation site, installed and built as `npm run site` does, then read as it lies on a static host. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openChromium } from './browser/chromium.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'site', 'dist');
const pages = () => globSync('**/*.html', { cwd: DIST }).filter((path) => path !== '404.html');
const textOf = (path: string) => readFileSync(join(DIST, path), 'utf8');

before(() => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'site'], { cwd: ROOT, encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}${stderr}`);
});

test('every text of docs/ is a page', () => {
  const texts = globSync('docs/**/*.md', { cwd: ROOT });
  assert.ok(texts.length > 20);
  const missing = texts
    .map((path) => path.replace('README.md', 'index.md').replace(/\.md$/, '.html'))
    .filter((path) => !existsSync(join(DIST, path)));
  assert.deepEqual(missing, []);
});

test('pages list the pages related to them, without a server', () => {
  const listed = (path: string) =>
    [
      ...(/<section class="akin-related".*?<\/section>/s.exec(textOf(path))?.[0] ?? '').matchAll(
        /href="([^"]+)"/g,
      ),
    ].map(([, link]) => link!);
  assert.ok(listed('docs/recipes/hugo.html').includes('/docs/recipes/blog.html'));
  const without = pages().filter((path) => listed(path).length === 0);
  assert.ok(without.length <= pages().length / 10, without.join(' '));
});

test('no link inside the site is broken', () => {
  const broken: string[] = [];
  for (const path of pages()) {
    for (const [, link] of textOf(path).matchAll(/<a [^>]*?href="([^"#?]+)/g)) {
      if (/^[a-z]+:/.test(link!)) continue;
      const target = join(DIST, posix.resolve('/', posix.dirname(path), link!));
      const file = existsSync(target) && statSync(target).isDirectory() ? join(target, 'index.html') : target;
      if (!existsSync(file) && !existsSync(`${file}.html`)) broken.push(`${path} -> ${link}`);
    }
  }
  assert.deepEqual([...new Set(broken)], []);
});

test('served with a service, its search box asks akin', { timeout: 300_000 }, async (t) => {
  const browser = await openChromium();
  if (typeof browser === 'string') return t.skip(browser);
  const server = spawn(process.execPath, [join(ROOT, 'site', 'serve.mjs')], { stdio: 'ignore' });
  t.after(() => browser.close());
  t.after(() => server.kill());
  for (const url of ['http://127.0.0.1:4174/readyz', 'http://127.0.0.1:4173/']) {
    while (!(await fetch(url).catch(() => null))?.ok) await sleep(200);
  }
  const page = await browser.newPage();
  await page.goto('http://127.0.0.1:4173/docs/');
  await page.getByRole('combobox').fill('lost pages');
  await page
    .locator('akin-search')
    .getByRole('link', { name: /lost pages/i })
    .first()
    .click();
  await page.waitForURL('http://127.0.0.1:4173/docs/recipes/lost-pages.html');
});

test('the lock file names no registry', () => {
  const lock = readFileSync(join(ROOT, 'site', 'package-lock.json'), 'utf8');
  const hosts = [...lock.matchAll(/"resolved": "(https?:\/\/[^/]+)/g)].map(([, host]) => host);
  assert.deepEqual(
    hosts.filter((host) => host !== 'https://registry.npmjs.org'),
    [],
  );
});
