/**
 * A yardstick for whole builds, as machines differ and are shared: processor seconds of a process that reads JSON lines
 * and tokenizes their HTML once with htmlparser2, in one thread. Builds run in turn with it, and what they take is given as a multiple.
 */
import { fork } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Tokenizer } from 'htmlparser2';
import { Random } from '../src/lib/random.ts';
import { type BenchBuild, buildOne } from './build-one.ts';
import { archivedPages, cachedJsonl, type JsonlRecord } from './corpora/jsonl.ts';
import { ROOT } from './environment.ts';

/** What a process of its own is to do. */
export type Measured = { readonly yardstick: string } | { readonly build: BenchBuild };

/** Processor seconds of a process that does just that, its start included. */
export function processorSeconds(measured: Measured): Promise<number> {
  // As bin/akin starts a build.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'compiled') };
  const execArgv = [...process.execArgv, '--require', join(ROOT, 'bin', 'modules.js')];
  const child = fork(fileURLToPath(import.meta.url), { env, execArgv });
  return new Promise((resolve, reject) => {
    child.once('message', (seconds) => resolve(seconds as number));
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code !== 0) reject(new Error(`the measured process ended with exit code ${code}`));
    });
    child.send(measured, (error) => {
      if (error !== null) reject(error);
    });
  });
}

/** `count` pages of the crawl by chance, in its order. */
export function sampledCrawl(count: number): Promise<string> {
  return cachedJsonl(`uci-crawl-${count}`, async function* (): AsyncGenerator<JsonlRecord> {
    const pages: JsonlRecord[] = [];
    for await (const page of archivedPages('uci-crawl/html.tar.zst', 'uci-crawl/pages.tsv.zst'))
      pages.push(page);
    const random = new Random(count);
    let wanted = count;
    for (const [i, page] of pages.entries()) {
      if (random.below(pages.length - i) >= wanted) continue;
      wanted--;
      yield page;
    }
  });
}

/** Tags, texts and attributes that are met, so that no work can be left out. */
export async function tokenizeOnce(path: string): Promise<number> {
  let met = 0;
  const count = () => {
    met++;
  };
  const counted = {
    onattribdata: count,
    onattribentity: count,
    onattribend: count,
    onattribname: count,
    oncdata: count,
    onclosetag: count,
    oncomment: count,
    ondeclaration: count,
    onend: () => {},
    onopentagend: count,
    onopentagname: count,
    onprocessinginstruction: count,
    onselfclosingtag: count,
    ontext: count,
    ontextentity: count,
  };
  const tokenizer = new Tokenizer({}, counted);
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    tokenizer.reset();
    tokenizer.write((JSON.parse(line) as JsonlRecord).html ?? '');
    tokenizer.end();
  }
  return met;
}

if (process.send !== undefined && import.meta.main) {
  process.once('message', async (measured: Measured) => {
    if ('build' in measured) await buildOne(measured.build);
    else if ((await tokenizeOnce(measured.yardstick)) === 0) throw new Error('no token was met');
    const { user, system } = process.cpuUsage();
    process.send!((user + system) / 1e6);
    process.disconnect();
  });
}
