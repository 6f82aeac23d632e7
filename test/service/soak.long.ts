/**
 * Clients on kept connections ask for ten minutes while one generation of the index after another takes the place of the
 * last by a rename: no request fails, each generation is served, and memory and open files stay level.
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
/** Until then caches fill and code is compiled. */
const SETTLE_MS = DURATION_MS / 4;
const GENERATIONS = 6;
const SWAP_MS = 3000;
const SAMPLE_MS = 2000;
const CLIENTS = 8;
const PAUSE_MS = 10;
const MOST_SLOPE_MB_A_MINUTE = 3;
const MOST_GROWTH_MB = 40;

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

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

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
  const isOver = () => performance.now() - startedMs > DURATION_MS;
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
  const watch = async () => {
    for (; !isOver(); await sleep(SAMPLE_MS)) {
      const { text } = await ask('/metrics');
      const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)![1]);
      const minutes = (performance.now() - startedMs) / 60_000;
      const megabytes = figure('process_resident_memory_bytes') / 1e6;
      samples.push({ minutes, megabytes, files: figure('process_open_fds') });
    }
  };
  await Promise.all([...Array.from({ length: CLIENTS }, (_, i) => client(i)), swap(), watch()]);

  const settled = samples.filter(({ minutes }) => minutes * 60_000 > SETTLE_MS);
  const part = Math.ceil(settled.length / 5);
  const [first, last] = [settled.slice(0, part), settled.slice(-part)];
  const sizes = [first, last].map((some) => median(some.map(({ megabytes }) => megabytes)));
  const files = [first, last].map((some) => median(some.map(({ files }) => files)));
  const slope = slopeOf(settled);
  const minute = (at: number) =>
    Math.round(samples.find(({ minutes }) => minutes >= at)?.megabytes ?? Number.NaN);
  t.diagnostic(
    `${requestCount} requests, ${failed.length} failed, ${swapCount} swaps, ${seen.size} generations`,
  );
  t.diagnostic(`MB at each minute: ${Array.from({ length: DURATION_MS / 60_000 }, (_, at) => minute(at))}`);
  t.diagnostic(
    `settled ${sizes[0]} MB, at the end ${sizes[1]} MB, ${slope.toFixed(2)} MB a minute; files ${files}`,
  );
  assert.deepEqual(failed.slice(0, 10), []);
  assert.equal(seen.size, GENERATIONS, 'every generation was served');
  assert.ok(slope < MOST_SLOPE_MB_A_MINUTE, `memory grows by ${slope} MB a minute`);
  assert.ok(sizes[1]! < sizes[0]! + MOST_GROWTH_MB, `${sizes[0]} MB settled, ${sizes[1]} MB at the end`);
  assert.ok(files[1]! <= files[0]! + 8, `${files[0]} open files settled, ${files[1]} at the end`);
  server.process.kill('SIGTERM');
  const { code, errors } = await server.ended;
  assert.equal(code, 0);
  assert.doesNotMatch(errors, /"level":50/, 'no fault of the service');
});
