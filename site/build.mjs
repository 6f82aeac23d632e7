// Builds the documentation site into site/dist: once for akin to read, and once more with what akin says is related.
// So the links are part of the pages, and the site needs no server that answers.
// package.json names rollup too: a version of which the package of every platform is there, so that `npm ci` can check.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, globSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SITE = `${ROOT}site/`;
const AKIN = `${ROOT}bin/akin`;
const BASE = 'https://akin.example/';
const LISTED = 4;

const run = (command, ...argv) => execFileSync(command, argv, { cwd: SITE, stdio: 'inherit' });
const build = () => run(process.execPath, 'node_modules/vitepress/bin/vitepress.js', 'build');

// VitePress finds its parts from the folder of the pages only where that is inside its own.
rmSync(`${SITE}pages`, { recursive: true, force: true });
for (const path of ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'docs']) {
  cpSync(ROOT + path, `${SITE}pages/${path}`, { recursive: true });
}
// For links to pictures; those that stand in a page get a name of their own.
cpSync(`${ROOT}docs/pictures`, `${SITE}pages/public/docs/pictures`, { recursive: true });
rmSync(`${SITE}related.json`, { force: true });
build();
// Each time from nothing: an index of documentation takes seconds.
rmSync(`${SITE}site.akin`, { force: true });
run(AKIN, 'index', `${BASE}=dist`, '--to', 'site.akin');
writeFileSync(`${SITE}related.json`, JSON.stringify(await relatedPages()));
build();

/** By path of a page: paths and titles of the pages related to it. */
async function relatedPages() {
  const server = spawn(AKIN, ['serve', 'site.akin', '--port', '0'], { cwd: SITE, stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    const address = await addressOf(server);
    const files = globSync('**/*.html', { cwd: `${SITE}dist` }).filter((file) => file !== '404.html');
    const urls = files.map((file) => BASE + file.replace(/(^|\/)index\.html$/, '$1'));
    const response = await fetch(`${address}/related/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ urls, limit: LISTED, fetched: 'only', exclude: [`${BASE}404.html`] }),
    });
    if (!response.ok) throw new Error(`akin answers ${response.status}: ${await response.text()}`);
    const { results } = await response.json();
    const pathOf = (url) => url.slice(BASE.length).replace(/\.html$/, '');
    const list = ({ related }) => related.map(({ url, title }) => ({ path: url.slice(BASE.length - 1), title }));
    return Object.fromEntries(results.map((result, i) => [pathOf(urls[i]), list(result)]));
  } finally {
    server.kill('SIGTERM');
  }
}

async function addressOf(server) {
  for await (const line of createInterface({ input: server.stderr })) {
    const [address] = /http:\/\/[\d.]+:\d+/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('akin serve ended');
}
