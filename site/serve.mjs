// Shows the documentation site as one that has a service beside it: its search box asks akin. Pages are at PAGES; Ctrl-C ends it.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SITE = `${ROOT}site/`;
const AKIN = `${ROOT}bin/akin`;
const PAGES = 'http://127.0.0.1:4173/';
const SERVICE = 'http://127.0.0.1:4174/';
const INDEX = '.vitepress/cache/site.akin';

const how = { cwd: SITE, stdio: 'inherit', env: { ...process.env, AKIN_SITE_SERVICE: SERVICE } };
execFileSync(process.execPath, ['build.mjs'], how);
mkdirSync(`${SITE}.vitepress/cache`, { recursive: true });
execFileSync(AKIN, ['index', 'dist', '--base', PAGES, '--body', '.vp-doc', '--to', INDEX], how);

const children = [
  spawn(AKIN, ['serve', INDEX, '--port', new URL(SERVICE).port], how),
  spawn(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'preview', '--port', new URL(PAGES).port], how),
];
const end = () => children.forEach((child) => child.kill());
for (const child of children) {
  child.on('exit', (code) => {
    process.exitCode ||= code ?? 0;
    end();
  });
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);
