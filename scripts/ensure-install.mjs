// Plain JavaScript for any Node from 14 up: it runs before the pinned runtime is there.
// Installs the locked dependencies when node_modules is missing or older than the lock file.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, statSync } from 'node:fs';
import { delimiter, dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const lock = join(root, 'package-lock.json');
const installed = join(modules, '.package-lock.json');
const runtime = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

// `npm ci` empties node_modules, so neither the Node nor the npm that runs it may live in there.
const isOutside = (path) => path !== undefined && !`${resolve(path)}${sep}`.startsWith(modules + sep);

function npm(...args) {
  const { npm_execpath: entry, npm_node_execpath: node } = process.env;
  const PATH = (process.env.PATH || '').split(delimiter).filter(isOutside).join(delimiter);
  const [command, ...prefix] =
    isOutside(entry) && entry.endsWith('.js') ? [isOutside(node) ? node : 'node', entry] : ['npm'];
  const done = spawnSync(command, [...prefix, ...args], {
    cwd: root,
    env: { ...process.env, PATH },
    stdio: ['ignore', 2, 2],
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (done.status !== 0) {
    if (done.error) console.error(`akin: cannot run ${command}: ${done.error.message}`);
    console.error(`akin: "npm ${args.join(' ')}" failed; the lines above say why. Mend that and call again.`);
    process.exit(1);
  }
}

// A linked node_modules belongs to another checkout, and `npm ci` would empty it through the link.
const isLinked = existsSync(modules) && lstatSync(modules).isSymbolicLink();

const isStale =
  !existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs || !existsSync(runtime);

// Install scripts stay off but for the one package that needs its own: the pinned runtime.
if (isStale && !isLinked) {
  console.error('akin: installing the locked dependencies (once) ...');
  npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
  npm('rebuild', 'node', '--loglevel=error');
}
