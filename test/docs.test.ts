/** What docs say is there, and what they promise of themselves. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TEXTS = globSync(['*.md', 'docs/**/*.md', '{src,test,demo}/**/*.md'], { cwd: ROOT }).filter(
  (path) => !path.includes('node_modules'),
);
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('README has at most 100 lines', () => {
  assert.ok(textOf('README.md').trimEnd().split('\n').length <= 100);
});

test('the order of reading names every chapter', () => {
  const book = textOf('docs/README.md');
  const chapters = globSync(['*.md', 'formats/*.md'], { cwd: join(ROOT, 'docs') });
  assert.ok(chapters.length > 15);
  assert.deepEqual(
    chapters.filter((path) => path !== 'README.md' && !book.includes(`](${path})`)),
    [],
  );
});

test('which routes to expose is said of each', () => {
  const said = textOf('docs/recipes/routes.md');
  const paths = [...textOf('openapi.yaml').matchAll(/^ {2}(\/[^:]*):$/gm)].map(([, path]) => path!);
  assert.ok(paths.length > 30);
  const isSaid = (path: string) =>
    said.includes(path.replace(/\/\{.*/, '')) || said.includes(`${dirname(path)}/*`);
  assert.deepEqual(
    paths.filter((path) => !isSaid(path)),
    [],
  );
});

test('the README of a room names each of its folders', () => {
  const folders = globSync('src/*/*/', { cwd: ROOT }).map((path) => path.split(sep));
  assert.ok(folders.length > 60);
  assert.deepEqual(
    folders
      .filter(([, room, folder]) => !textOf(`src/${room}/README.md`).includes(`${folder}/`))
      .map((path) => path.join('/')),
    [],
  );
});

test('links from text to text lead to a file, and to a heading of it', () => {
  const broken: string[] = [];
  for (const path of TEXTS) {
    const prose = textOf(path).replace(/^ *```[\s\S]*?^ *```/gm, '');
    for (const [, target] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target!)) continue;
      const [file, heading] = target!.split('#');
      const full = file === '' ? path : join(dirname(path), file!);
      if (!existsSync(join(ROOT, full))) broken.push(`${path} -> ${target}`);
      else if (heading !== undefined && !anchorsOf(full).includes(heading))
        broken.push(`${path} -> ${target}`);
    }
  }
  assert.deepEqual(broken, []);
});

test('files of the project that docs and comments name are there', () => {
  const folders = '{bench,docs,migrations,packages,scripts,src,test}';
  const files = globSync([`${folders}/**/*.{ts,js,mjs,md,py,sql}`, '*.md'], { cwd: ROOT }).filter(
    (path) => !path.includes('node_modules') && !path.includes('/dist/') && path !== 'CHANGELOG.md',
  );
  const names = new Set(files.map((path) => basename(path)));
  const missing: string[] = [];
  for (const path of files) {
    if (path.startsWith('docs/recipes/')) continue;
    const text = textOf(path);
    const prose = path.endsWith('.md')
      ? text
      : (text.match(/\/\*[\s\S]*?\*\/|^ *\/\/.*$/gm) ?? []).join('\n');
    for (const [, file] of prose.matchAll(
      /(?<![\w./:@-])((?:src|test|bench|docs|packages|migrations)\/[\w./-]+\.\w+)/g,
    ))
      if (!existsSync(join(ROOT, file!))) missing.push(`${path}: ${file}`);
    for (const [, file] of prose.matchAll(/`([\w-]+\.(?:ts|py))`/g))
      if (!names.has(file!)) missing.push(`${path}: ${file}`);
  }
  assert.deepEqual(missing, []);
});

test('routes that docs name are there', () => {
  // What is for browsers, for people, and between shards is not described.
  const others = ['/docs', '/openapi.json', '/embed.js', '/embed.json', '/akin-search.json', '/shard/reads'];
  const paths = [...textOf('openapi.yaml').matchAll(/^ {2}(\/[^:]*):$/gm)].map(([, path]) => path!);
  const known = new Set([...others, ...paths]);
  assert.ok(paths.length > 30);
  const missing = TEXTS.flatMap((path) =>
    [...textOf(path).matchAll(/\b(?:GET|POST|PUT|DELETE|QUERY) ((?:\/[a-z][a-z/.{}_-]*(?:, )?)+)/g)]
      .flatMap(([, routes]) => routes!.split(', '))
      .map((route) => route.replace(/[./]+$/, ''))
      .filter((route) => route !== '')
      .filter((route) => !known.has(route) && !paths.some((one) => one.startsWith(`${route}/`)))
      .map((route) => `${path}: ${route}`),
  );
  assert.deepEqual(missing, []);
});

/** Headings of a text as links have them: lower case, hyphens for spaces, punctuation out. */
function anchorsOf(path: string): string[] {
  return [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('texts and names keep to one word for a concept', () => {
  const old = /\b(told|heard|settle[sd]?|settling|whom|nobody|dear(er|est)?|by and by)\b/i;
  const folders = '{bench,docs,migrations,packages,scripts,src,test}';
  const found = globSync([`${folders}/**/*.{ts,js,css,md,py,sql}`, '{README,ARCHITECTURE,CONTRIBUTING}.md'], {
    cwd: ROOT,
  })
    .filter((path) => !/english-function-words|docs\.test|node_modules/.test(path))
    .flatMap((path) => {
      // Names in words: isTold, NOT_TOLD.
      const words = textOf(path)
        .replaceAll('allSettled', '')
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .replaceAll('_', ' ');
      const line = words.split('\n').findIndex((text) => old.test(text));
      return line < 0 ? [] : [`${path}:${line + 1}`];
    });
  assert.deepEqual(found, []);
});
