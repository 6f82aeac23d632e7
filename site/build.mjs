// Builds the documentation site into site/dist, and has akin write into each page which pages are related to it: the links are
// part of the pages, and the site needs no server that answers.
// package.json names rollup too: a version of which the package of every platform is there, so that `npm ci` can check.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SITE = `${ROOT}site/`;

const run = (command, ...argv) => execFileSync(command, argv, { cwd: SITE, stdio: 'inherit' });

// VitePress finds its parts from the folder of the pages only where that is inside its own.
rmSync(`${SITE}pages`, { recursive: true, force: true });
for (const path of ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'docs']) {
  cpSync(ROOT + path, `${SITE}pages/${path}`, { recursive: true });
}
// For links to pictures; those that stand in a page get a name of their own.
cpSync(`${ROOT}docs/pictures`, `${SITE}pages/public/docs/pictures`, { recursive: true });
run(process.execPath, 'node_modules/vitepress/bin/vitepress.js', 'build');
run(`${ROOT}bin/akin`, 'inject', 'dist', '--base', 'https://akin.example/', '--path-links', '--limit', '4', '--body', '.vp-doc');
