/**
 * Measured   PUT /pages one after the other, p50 and p99, each on the disk and in all answers when it returns; POST /pages, pages a
 *            second; GET /related for distinct URLs at random with 10,000 pages pending, as a share of the same without; private
 *            memory that they take; how long a server takes to start with them.
 * Corpus     a seeded synthetic index of 50,000 pages, 32 neighbors each (`serving-index.ts`); the pages that are written have
 *            two thirds of their words from one of its pages, a third from another.
 * Notes      The two servers are asked in turn, medians of seven rounds; the first is not counted. Most lists have a page that waits.
 */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../src/lib/random.ts';
import { announce, type BenchResult, type Cell, round } from './bench.ts';
import { withFolder } from './corpora/data.ts';
import { getRequest, type LoadReport, load } from './load-client.ts';
import { startServer } from './serve-child.ts';
import { servingUrl, writeServingIndex } from './serving-index.ts';

const PAGES = 50_000;
const PENDING = 10_000;
const SINGLES = 400;
const WARMING = 50;
const LINES = 500;
const ROUNDS = 7;
const ROUND_MS = 1000;
const MIB = 2 ** 20;

export async function run(): Promise<BenchResult> {
  const figures = await withFolder(measured);
  return {
    corpus: { pages: PAGES, pending: PENDING },
    tables: [
      {
        caption: 'pages handed over, and lists with them',
        columns: Object.keys(figures),
        rows: [Object.values(figures)],
      },
    ],
    targets: [
      {
        figure: 'GET /related with pages pending, share',
        atLeast: 0.7,
        reached: Number(figures['related, share']),
      },
      {
        figure: '20 ms against the p99 of PUT',
        atLeast: 1,
        reached: round(20 / Number(figures['put p99 ms'])),
        ifMissed:
          'the thread that makes pages ready stops for a collection of garbage each fifty pages or so',
      },
      {
        figure: 'pages a second in batches',
        atLeast: 200,
        reached: Number(figures['pages a second in batches']),
      },
    ],
  };
}

async function measured(folder: string): Promise<Record<string, Cell>> {
  const [plainPath, livePath] = [join(folder, 'plain.akin'), join(folder, 'live.akin')];
  const texts = await writeServingIndex({ path: plainPath, pageCount: PAGES, seed: 1, textCount: PENDING });
  copyFileSync(plainPath, livePath);
  announce({ pages: PAGES });
  const plain = await startServer(plainPath);
  let live = await startServer(livePath, 2 * PENDING);
  const url = (i: number) => `https://www.new-${i % 50}.example/pages/${i}.html`;
  const record = (i: number) => ({ title: `A new page ${i}`, text: texts[i]! });
  const putMs: number[] = [];
  for (let i = 0; i < SINGLES; i++) {
    const startedMs = performance.now();
    const answer = await fetch(`http://127.0.0.1:${live.port}/pages?url=${encodeURIComponent(url(i))}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(record(i)),
    });
    assert.equal(((await answer.json()) as { state: string }).state, 'added');
    putMs.push(performance.now() - startedMs);
  }
  const counted = putMs.slice(WARMING).sort((a, b) => a - b);
  const startedMs = performance.now();
  for (let from = SINGLES; from < PENDING; from += LINES) {
    const some = Array.from({ length: Math.min(LINES, PENDING - from) }, (_, i) => from + i);
    const answer = await fetch(`http://127.0.0.1:${live.port}/pages`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: some.map((i) => JSON.stringify({ url: url(i), ...record(i) })).join('\n'),
    });
    assert.equal(((await answer.json()) as { added: number }).added, some.length);
  }
  const batchSeconds = (performance.now() - startedMs) / 1000;
  const random = new Random(2);
  const gets = Array.from({ length: 5_000 }, () =>
    getRequest(`/related?url=${encodeURIComponent(servingUrl(random.below(PAGES), PAGES))}`),
  );
  const [without, pending]: LoadReport[][] = [[], []];
  for (let turn = 0; turn <= ROUNDS; turn++) {
    without.push(await ask(plain.port, gets));
    pending.push(await ask(live.port, gets));
  }
  const memory = (await live.memoryBytes()) - (await plain.memoryBytes());
  live.stop();
  live = await startServer(livePath, 2 * PENDING);
  live.stop();
  plain.stop();
  const rate = (reports: LoadReport[]) => {
    const rates = reports.slice(1).map(({ requestCount, durationMs }) => (1000 * requestCount) / durationMs);
    return rates.sort((a, b) => a - b)[Math.floor(rates.length / 2)]!;
  };
  return {
    'put p50 ms': round(counted[Math.floor(counted.length / 2)]!, 1),
    'put p99 ms': round(counted[Math.floor(0.99 * counted.length)]!, 1),
    'pages a second in batches': round((PENDING - SINGLES) / batchSeconds, 0),
    'related a second': round(rate(pending), 0),
    'related without pending': round(rate(without), 0),
    'related, share': round(rate(pending) / rate(without)),
    'more private MiB': round(memory / MIB, 0),
    'start s': round(live.openSeconds, 1),
  };
}

async function ask(port: number, requests: readonly string[]): Promise<LoadReport> {
  const report = await load({ port, requests, connections: 32, durationMs: ROUND_MS });
  assert.equal(report.failureCount, 0, 'every answer is 200');
  return report;
}
