/** `npm start`: the bundled manuals, indexed once, served until Ctrl-C. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOptions } from '../src/cli/build/build-options.ts';
import { build } from '../src/cli/build/run-build.ts';
import { listen } from '../src/cli/commands/serve.ts';
import { perform } from '../src/cli/run.ts';
import { loadConfig } from '../src/cli/settings/config.ts';
import { type Terminal, tell } from '../src/cli/terminal/terminal.ts';
import { additionTo } from '../src/indexer/options/stored-options.ts';
import { IndexReader } from '../src/store/read/reader.ts';
import { demoCorpus, demoKey } from './corpus.ts';

const INDEX = fileURLToPath(new URL('../.akin/demo.akin', import.meta.url));
/** What the index was made of. */
const KEY = fileURLToPath(new URL('../.akin/demo.key', import.meta.url));
const EARLIER = fileURLToPath(new URL('../.akin/earlier.jsonl', import.meta.url));

const GL_MATRIX = 'https://glmatrix.net/docs/';

function isUpToDate(key: string): boolean {
  if (!existsSync(INDEX) || !existsSync(KEY) || readFileSync(KEY, 'utf8') !== key) return false;
  try {
    IndexReader.open(INDEX).close();
    return true;
  } catch {
    // Of an older format, or damaged: it is only a cache.
    return false;
  }
}

function welcome(address: string): string {
  const page = (path: string, query: Record<string, string>) =>
    `${address}${path}?${new URLSearchParams(query)}`;
  const point = 'http://paperjs.org/reference/classes/Point.html';
  const box = (library: string) => `https://schteppe.github.io/${library}/docs/classes/AABB.html`;
  return `
akin serves the manuals of npm, Paper.js, p2.js, cannon.js and glMatrix.

  open  ${address}/

  what do other manuals have on a Paper.js point?
  ${page('/explore/page', { url: point, sites: 'exclude' })}

  what do the bounding boxes of two physics engines have in common?
  ${page('/explore/compare', { a: box('p2.js'), b: box('cannon.js') })}

  where did a page of an earlier release go, and how did another change?
  ${page('/explore/moved', { url: `${GL_MATRIX}gl-matrix_vec3.js.html` })}
  ${page('/explore/page', { url: `${GL_MATRIX}module-vec3.html` })}

  which pages are nearest to a sentence?
  ${page('/explore/text', { text: 'interpolate between two vectors, and take their cross product' })}

The same over HTTP: ${address}/docs
  curl '${page('/related', { url: point, same_site: 'exclude', explain: 'true' })}'

Ctrl-C stops it.`;
}

async function start(terminal: Terminal): Promise<void> {
  const { config } = loadConfig({}, terminal.env);
  const corpus = demoCorpus();
  const { earlier, inputs } = corpus;
  mkdirSync(dirname(INDEX), { recursive: true });
  writeFileSync(EARLIER, earlier);
  const options = buildOptions([EARLIER], { to: INDEX }, config);
  const key = demoKey(corpus, options);
  if (!isUpToDate(key)) {
    tell(terminal, 'akin: indexing the manuals inside five npm packages (once) ...');
    // Two sweeps, so that there are pages with a history and pages that have moved.
    await build({ ...options, sweepName: corpus.earlierYear }, terminal, false);
    await build(additionTo({ ...options, inputs, sweepName: 'now', isWhole: true }), terminal, false);
    writeFileSync(KEY, key);
  }
  // Requests are not logged here unless AKIN_LOG_LEVEL says so.
  const logLevel = terminal.env['AKIN_LOG_LEVEL'] ? config.logLevel : 'warn';
  await listen(
    INDEX,
    { ...config, logLevel },
    {
      onListening: ({ address }) => tell(terminal, welcome(address)),
      portHint: 'AKIN_PORT=3001 npm start',
      terminal,
    },
  );
}

const { env, stdin, stdout, stderr } = process;
const terminal: Terminal = { env, stdin, stdout, stderr };
process.exitCode = await perform(() => start(terminal), terminal);
