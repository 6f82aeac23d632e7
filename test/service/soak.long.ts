/**
 * Clients on kept connections ask for ten minutes while one generation of the index after another takes the place of the
 * last by a rename: no request fails, each generation is served, and after each fifth of the time, when all rest for a
 * moment, memory and open files are where they were after the one before.
 */
import assert from 'node:assert/strict';
import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from './child-server.ts';
import { pathOf } from './fixture-app.ts';
import { BAKERY, buildFixture, fixturePages, GARDEN, temporaryFolder } from './fixture-index.ts';

const DURATION_MS = 10 * 60_000;
/** The first one fills caches and compiles code. */
const ROUNDS = 5;
/** For what served retired generations to end: under load several overlap. */
const REST_MS = 10_000;
const GENERATIONS = 6;
const SWAP_MS = 3000;
const CLIENTS = 8;
const PAUSE_MS = 10;
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
  const server = await startServer(t, path, { pollMs: 200, maxEventLoopDelayMs: 0 });
  const base = `http://127.0.0.1:${server.port}`;
  const ask = async (where: string, init: RequestInit = {}) => {
    const answer = await fetch(base + where, init);
    return { status: answer.status, text: await answer.text() };
  };
  const startedMs = performance.now();
  let roundEndMs = 0;
  const isOver = () => performance.now() > roundEndMs;
  const failed: string[] = [];
  const seen = new Set<string>();
  let requestCount = 0;
  let swapCount = 0;

  const client = async (first: number) => {
    for (let i = first; !isOver(); i += CLIENTS) {
      const [where, init] = requestOf(i);
      requestCount++;
      try {
        const { status, text } = await ask(where, init);
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
    for (; !isOver(); await sleep(SWAP_MS)) publish(++swapCount);
  };
  const samples: Sample[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    roundEndMs = performance.now() + DURATION_MS / ROUNDS - REST_MS;
    await Promise.all([...Array.from({ length: CLIENTS }, (_, i) => client(i)), swap()]);
    await sleep(REST_MS);
    const { text } = await ask('/metrics');
    const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)![1]);
    const minutes = (performance.now() - startedMs) / 60_000;
    const megabytes = figure('process_resident_memory_bytes') / 1e6;
    samples.push({ minutes, megabytes, files: figure('process_open_fds') });
    t.diagnostic(
      `${minutes.toFixed(1)} min: ${megabytes.toFixed(0)} MB, ${samples.at(-1)!.files} open files`,
    );
  }

  const steady = samples.slice(1);
  const [first, last] = [steady[0]!, steady.at(-1)!];
  const slope = slopeOf(steady);
  t.diagnostic(
    `${requestCount} requests, ${failed.length} failed, ${swapCount} swaps, ${seen.size} generations`,
  );
  t.diagnostic(`${slope.toFixed(2)} MB a minute`);
  assert.deepEqual(failed.slice(0, 10), []);
  assert.equal(seen.size, GENERATIONS, 'every generation was served');
  assert.ok(slope < MOST_SLOPE_MB_A_MINUTE, `memory grows by ${slope} MB a minute`);
  const growth = last.megabytes - first.megabytes;
  assert.ok(growth < MOST_GROWTH_MB, `memory has grown by ${growth} MB since the second round`);
  assert.ok(
    last.files <= first.files + MOST_MORE_FILES,
    `${first.files} open files, ${last.files} at the end`,
  );
  server.process.kill('SIGTERM');
  const { code, errors } = await server.ended;
  assert.equal(code, 0);
  assert.doesNotMatch(errors, /"level":50/, 'no fault of the service');
});
