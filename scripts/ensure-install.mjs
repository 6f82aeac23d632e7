// Plain JavaScript for any Node from 18 up: it runs before the pinned runtime is there.
// Installs the locked dependencies when node_modules is missing or older than the lock file.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const lock = join(root, 'package-lock.json');
const installed = join(root, 'node_modules', '.package-lock.json');
const runtime = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

function npm(...args) {
  const entry = process.env.npm_execpath;
  const [command, prefix] = entry?.endsWith('.js') ? [process.execPath, [entry]] : ['npm', []];
  const done = spawnSync(command, [...prefix, ...args], { cwd: root, stdio: ['ignore', 2, 2] });
  if (done.status !== 0) {
    console.error(`akin: "npm ${args.join(' ')}" failed; the lines above say why. Mend that and call again.`);
    process.exit(1);
  }
}

// Install scripts stay off but for the one package that needs its own: the pinned runtime.
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs || !existsSync(runtime)) {
  console.error('akin: installing the locked dependencies (once) ...');
  npm('ci', '--ignore-scripts', '--no-audit', '--no-fund');
  npm('rebuild', 'node', '--no-audit', '--no-fund');
}
