/**
 * Clients on kept connections ask, judge lists, and leave answers half read and questions unanswered for ten minutes, while one
 * generation of the index after another takes the place of the last by a rename, between them a file that is none, and the file of
 * feedback is moved away: no request fails, each generation is served, no judgement is lost, and after each fifth of the time, when
 * all rest for a moment, memory and open files are where they were after the one before, at the latest after twenty minutes.
 */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch, type RequestInit } from 'undici';
import { startServer } from './child-server.ts';
import { pathOf } from './fixture-app.ts';
import { BAKERY, buildFixture, fixturePages, GARDEN, temporaryFolder } from './fixture-index.ts';

const DURATION_MS = 10 * 60_000;
/** The first one fills caches and compiles code. */
const ROUNDS = 5;
/** Where memory is not level by then it has more time to become so: heaps and arenas find their size late, and what leaks is never level. */
const MOST_ROUNDS = 10;
/** For what served retired generations to end: under load several overlap. */
const REST_MS = 10_000;
const LOOKS = 5;
const GENERATIONS = 6;
const SWAP_MS = 1500;
const CLIENTS = 8;
const LEAVING_CLIENTS = 12;
const PAUSE_MS = 10;
const LEAVING_PAUSE_MS = 100;
/** Longer than a long question takes, so that some of them are answered. */
const MOST_STAY_MS = 60;
const MOST_SLOPE_MB_A_MINUTE = 5;
const MOST_GROWTH_MB = 40;
const MOST_MORE_FILES = 4;

interface Sample {
  readonly minutes: number;
  readonly megabytes: number;
  readonly files: number;
}

const JSON_HEADERS = { 'content-type': 'application/json' };
const post = (payload: object) => ({ method: 'POST', headers: JSON_HEADERS, body: JSON.stringify(payload) });
/** A thread reads it for some ten milliseconds. */
const LONG_DOCUMENT = post({
  text: Array.from({ length: 12_000 }, (_, i) => `w${(i * i) % 9973}`).join(' '),
});

/** The `i`th request: of every kind in turn, about one page after the other. */
function requestOf(i: number): [path: string, init: RequestInit] {
  const url = i % 2 === 0 ? `${GARDEN}${i % 20}` : `${BAKERY}${i % 12}`;
  const kinds: [path: string, init: RequestInit][] = [
    [pathOf('/related', { url }), {}],
    [pathOf('/related', { url, explain: true, max_per_site: 2 }), {}],
    [pathOf('/related', { url, by: 'copy' }), {}],
    [pathOf('/related.html', { url, same_site: 'exclude' }), {}],
    [pathOf('/cluster', { url }), {}],
    ['/clusters', {}],
    [pathOf('/page', { url }), {}],
    ['/index', {}],
    [pathOf('/history', { url }), {}],
    ['/related/batch', post({ urls: [url, `${GARDEN}1`] })],
    ['/similar', post({ text: `rose petal thorn dough yeast ${i}` })],
    ['/similar?by=copy', post({ html: fixturePages()[i % 20]!.html })],
    ['/compare', post({ a: { url }, b: { text: 'bread dough yeast flour knead' } })],
    ['/search?q=rose+bread', {}],
    ['/sites', {}],
    ['/feedback', post({ url, related_url: `${GARDEN}3`, judgement: 'better' })],
  ];
  return kinds[i % kinds.length]!;
}

/** MB a minute, by least squares. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const atMean = mean(samples.map(({ minutes }) => minutes));
  const sizeMean = mean(samples.map(({ megabytes }) => megabytes));
  const products = samples.map(({ minutes, megabytes }) => (minutes - atMean) * (megabytes - sizeMean));
  return mean(products) / mean(samples.map(({ minutes }) => (minutes - atMean) ** 2));
}

/** Of the last rounds, as many as are measured at least but the first. */
function growthOf(samples: readonly Sample[]) {
  const steady = samples.slice(1 - ROUNDS);
  const [first, last] = [steady[0]!, steady.at(-1)!];
  return { first, last, slope: slopeOf(steady), growth: last.megabytes - first.megabytes };
}

function isLevel(samples: readonly Sample[]): boolean {
  const { slope, growth } = growthOf(samples);
  return slope < MOST_SLOPE_MB_A_MINUTE && growth < MOST_GROWTH_MB;
}

test('ten minutes of index swaps fail no request, and memory stays level', async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'served.akin');
  const variants = Array.from({ length: GENERATIONS }, (_, i) => join(folder, `${i}.akin`));
  for (const [i, variant] of variants.entries()) await buildFixture(variant, fixturePages(i));
  const publish = (i: number) => {
    copyFileSync(variants[i % GENERATIONS]!, `${path}.new`);
    renameSync(`${path}.new`, path);
  };
  publish(0);
  // A busy machine would have any request refused; refusing has a test of its own.
  const server = await startServer(t, path, {
    pollMs: 200,
    maxEventLoopDelayMs: 0,
    feedback: { maxBytes: 2 ** 26, perMinute: 1_000_000 },
  });
  const base = `http://127.0.0.1:${server.port}`;
  let dispatcher = new Agent();
  const ask = async (where: string, init: RequestInit = {}) => {
    const answer = await fetch(base + where, { ...init, dispatcher });
    return { status: answer.status, text: await answer.text() };
  };
  const startedMs = performance.now();
  let roundEndMs = 0;
  const isOver = () => performance.now() > roundEndMs;
  const failed: string[] = [];
  const seen = new Set<string>();
  let requestCount = 0;
  let swapCount = 0;
  let judgementCount = 0;
  let leftCount = 0;

  const client = async (first: number) => {
    for (let i = first; !isOver(); i += CLIENTS) {
      const [where, init] = requestOf(i);
      requestCount++;
      try {
        const { status, text } = await ask(where, init);
        if (where === '/feedback' && status === 200) judgementCount++;
        if (status !== 200) failed.push(`${status} ${where}: ${text.slice(0, 200)}`);
        const generation = /"generation":"(\w+)"/.exec(text)?.[1];
        if (generation !== undefined) seen.add(generation);
      } catch (error) {
        failed.push(`${where}: ${String((error as Error).cause ?? error)}`);
      }
      await sleep(PAUSE_MS);
    }
  };
  const swap = async () => {
    for (; !isOver(); await sleep(SWAP_MS)) {
      publish(++swapCount);
      if (swapCount % 4 > 0) continue;
      // A file that cannot be served, and then one that can; and whoever reads feedback takes its file.
      await sleep(SWAP_MS / 2);
      writeFileSync(`${path}.new`, 'no index');
      renameSync(`${path}.new`, path);
      const log = `${path}.feedback.jsonl`;
      if (existsSync(log)) renameSync(log, join(folder, `taken-${swapCount}.jsonl`));
    }
  };
  const leaveExports = async () => {
    for (; !isOver(); await sleep(200)) {
      const leaving = new AbortController();
      const answer = await fetch(`${base}/export/pages`, { signal: leaving.signal, dispatcher });
      await answer.body!.getReader().read();
      leaving.abort();
      leftCount++;
    }
  };
  /** Before the question is read, while it waits for a thread, while the thread works, or as its answer is on the way. */
  const leaveQuestions = async (first: number) => {
    for (let i = first; !isOver(); i += LEAVING_CLIENTS) {
      const signal = AbortSignal.timeout(1 + ((i * 7) % MOST_STAY_MS));
      const asked =
        i % 2 === 0 ? ask('/similar', { ...LONG_DOCUMENT, signal }) : ask('/search?q=rose', { signal });
      await asked.then(
        ({ status, text }) => {
          if (status !== 200) failed.push(`${status} of a client that may leave: ${text.slice(0, 200)}`);
        },
        (error) => {
          if (signal.aborted) leftCount++;
          else failed.push(String((error as Error).cause ?? error));
        },
      );
      await sleep(LEAVING_PAUSE_MS);
    }
  };
  const samples: Sample[] = [];
  for (let round = 1; round <= ROUNDS || (round <= MOST_ROUNDS && !isLevel(samples)); round++) {
    roundEndMs = performance.now() + DURATION_MS / ROUNDS - REST_MS;
    await Promise.all([
      ...Array.from({ length: CLIENTS }, (_, i) => client(i)),
      ...Array.from({ length: LEAVING_CLIENTS }, (_, i) => leaveQuestions(i)),
      swap(),
      leaveExports(),
    ]);
    // Connections that clients keep are open files of the server, too.
    await dispatcher.close();
    dispatcher = new Agent();
    let [megabytes, files] = [Infinity, Infinity];
    // At rest, and not while the last of those who served a retired generation are still ending.
    for (let look = 0; look < LOOKS; look++) {
      await sleep(REST_MS / LOOKS);
      const { text } = await ask('/metrics');
      const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)![1]);
      megabytes = Math.min(megabytes, figure('process_resident_memory_bytes') / 1e6);
      files = Math.min(files, figure('process_open_fds'));
    }
    const minutes = (performance.now() - startedMs) / 60_000;
    samples.push({ minutes, megabytes, files });
    t.diagnostic(
      `${minutes.toFixed(1)} min: ${megabytes.toFixed(0)} MB, ${samples.at(-1)!.files} open files`,
    );
  }

  const { first, last, slope, growth } = growthOf(samples);
  t.diagnostic(
    `${requestCount} requests, ${failed.length} failed, ${leftCount} left, ${swapCount} swaps, ` +
      `${seen.size} generations, ${judgementCount} judgements`,
  );
  t.diagnostic(`${slope.toFixed(2)} MB a minute`);
  assert.deepEqual(failed.slice(0, 10), []);
  assert.equal(seen.size, GENERATIONS, 'every generation was served');
  assert.ok(slope < MOST_SLOPE_MB_A_MINUTE, `memory grows by ${slope} MB a minute`);
  assert.ok(growth < MOST_GROWTH_MB, `memory has grown by ${growth} MB in the last four rounds`);
  assert.ok(
    last.files <= first.files + MOST_MORE_FILES,
    `${first.files} open files, ${last.files} at the end`,
  );
  const logs = readdirSync(folder).filter((name) => name.endsWith('.jsonl') && /^(taken|served)/.test(name));
  const lines = logs.flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
  assert.equal(lines.filter((line) => line !== '').length, judgementCount, 'no judgement is lost');
  server.process.kill('SIGTERM');
  const { code, errors } = await server.ended;
  assert.equal(code, 0);
  const faults = errors.split('\n').filter((line) => line.includes('"level":50'));
  assert.ok(
    faults.length > 0 && faults.every((line) => line.includes('the new index file cannot be served')),
  );
});
