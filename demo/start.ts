/** `npm start`: the bundled manuals, indexed once, served until Ctrl-C. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, buildOptions } from '../src/cli/commands/index.ts';
import { loadConfig } from '../src/cli/config.ts';
import { listen } from '../src/cli/listen.ts';
import { perform } from '../src/cli/run.ts';
import { type Terminal, tell } from '../src/cli/terminal.ts';
import { IndexReader } from '../src/store/reader.ts';
import { demoCorpus } from './corpus.ts';

const INDEX = fileURLToPath(new URL('../.akin/demo.akin', import.meta.url));

function isUpToDate(sweepName: string): boolean {
  if (!existsSync(INDEX)) return false;
  try {
    const reader = IndexReader.open(INDEX);
    const upToDate = reader.card().sweeps.some(({ name }) => name === sweepName);
    reader.close();
    return upToDate;
  } catch {
    // Of an older format, or broken: it is only a cache.
    return false;
  }
}

function welcome(address: string): string {
  const page = encodeURIComponent('https://glmatrix.net/docs/module-vec2.html');
  return `
akin serves the manuals of npm, Paper.js, p2.js, cannon.js and glMatrix.

  open  ${address}/docs

  what is related to glMatrix's 2D vector, on other sites?
  curl '${address}/related?url=${page}&same_site=exclude&explain=true'

  which pages does it stand among?
  curl '${address}/cluster?url=${page}'

  which pages are nearest to a sentence of yours?
  curl '${address}/similar' -H 'content-type: text/plain' -d 'the angle between two vectors'

Ctrl-C ends it.`;
}

async function start(terminal: Terminal): Promise<void> {
  const { config } = loadConfig({}, terminal.env);
  const { inputs, sweepName } = demoCorpus();
  if (!isUpToDate(sweepName)) {
    mkdirSync(dirname(INDEX), { recursive: true });
    tell(terminal, 'akin: indexing the manuals inside five npm packages (once) ...');
    await build({ ...buildOptions([], { to: INDEX }, config), inputs, sweepName }, terminal, false);
  }
  await listen(
    { indexPath: INDEX, host: config.host, port: config.port },
    { onListening: (address) => tell(terminal, welcome(address)), portHint: 'AKIN_PORT=3001 npm start' },
  );
}

const { env, stdin, stdout, stderr } = process;
const terminal: Terminal = { env, stdin, stdout, stderr };
process.exitCode = await perform(() => start(terminal), terminal);
