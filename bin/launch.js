// Plain old JavaScript for any Node from 14 up: it runs before anything is known about the machine.
// From a clone it starts src/ on the pinned Node (installing the locked dependencies first); in an
// installed package it starts dist/ on the Node it was called with.
// (CommonJS, see package.json beside it: an old Node takes no ES module without a file extension.)
'use strict';
const { spawn, spawnSync } = require('node:child_process');
const { existsSync, readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');

const home = join(__dirname, '..');

/** Starts `main` of the package in the folder `root`: a path in its src/ and its dist/, without an extension. */
module.exports = function launch(root, main) {
  const source = join(root, 'src', `${main}.ts`);
  if (existsSync(source)) fromClone(source);
  else fromPackage(join(root, 'dist', `${main}.js`));
};

function fromClone(source) {
  const install = spawnSync(process.execPath, [join(home, 'scripts', 'ensure-install.mjs')], {
    stdio: ['ignore', 2, 2],
  });
  if (install.status !== 0) process.exit(1);
  const runtime = join(home, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  // Types are stripped and sources compiled once, not at each start.
  const compiled = join(home, 'node_modules', '.cache', 'compiled');
  const modules = join(__dirname, 'modules.js');
  const args = ['--conditions=akin-source', '--require', modules, source, ...process.argv.slice(2)];
  const child = spawn(runtime, args, {
    stdio: 'inherit',
    env: Object.assign({ NODE_COMPILE_CACHE: compiled }, process.env),
    shell: process.platform === 'win32',
  });
  // A terminal sends Ctrl-C to both processes; a supervisor sends its signals to this one alone.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`akin: cannot start ${runtime}: ${error.message}`);
    console.error('hint: rm -r node_modules, then call again');
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function fromPackage(built) {
  const { engines } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const needed = engines.node.replace('>=', '');
  if (isOlder(process.versions.node, needed)) {
    console.error(`akin: needs Node ${needed} or newer; this is ${process.versions.node}`);
    console.error(
      'hint: install a newer Node from https://nodejs.org, or run: npx -p node@24 -p akin-web akin',
    );
    process.exit(2);
  }
  // Sources are compiled once, not at each start, nor in each thread and each process that this one starts.
  const { enableCompileCache, getCompileCacheDir } = require('node:module');
  enableCompileCache();
  const compiled = getCompileCacheDir();
  if (compiled !== undefined) process.env.NODE_COMPILE_CACHE = dirname(compiled);
  require('./modules.js');
  import(pathToFileURL(built).href);
}

function isOlder(version, needed) {
  const parts = version.split('.').map(Number);
  const least = needed.split('.').map(Number);
  const place = least.findIndex((part, i) => part !== parts[i]);
  return place !== -1 && parts[place] < least[place];
}
