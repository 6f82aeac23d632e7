/**
 * Measured   GET /related for distinct URLs at random, as a share of a Fastify route on the same server that
 *            returns the same bytes from memory; p99 of both; POST /similar p50 and p99; memory of the server, and
 *            the longest time that loading the index held up the event loop.
 * Corpus     seeded synthetic indexes of 50,000 and 1,000,000 pages, 32 neighbours each (`serving-index.ts`).
 * Notes      The load comes from two processes, so that the server is the limit; rounds alternate, medians. Every
 *            answer must be 200. Private memory is what the server itself holds; the pages of the index file that
 *            it maps are the system's to keep or to drop. Of a server before its first POST /similar, the bench
 *            itself included.
 */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Random } from '../src/lib/random.ts';
import { buildApp } from '../src/service/app.ts';
import { announce, type BenchResult, type Cell, round } from './bench.ts';
import { withFolder } from './corpora/data.ts';
import { getRequest, type LoadReport, load } from './load-client.ts';
import { servingUrl, writeServingIndex } from './serving-index.ts';

const PAGE_COUNTS = [50_000, 1_000_000];
const ROUNDS = 7;
const ROUND_MS = 1500;
const CONNECTIONS = 32;
/** One could not keep the server busy. */
const CLIENTS = 2;
const MIB = 2 ** 20;

export async function run(): Promise<BenchResult> {
  const rows: Cell[][] = [];
  for (const pageCount of PAGE_COUNTS) rows.push(await benchServer(pageCount));
  const largest = rows.at(-1)!;
  return {
    corpus: { pages: PAGE_COUNTS.join(', '), 'load of the machine at the end': round(loadavg()[0]!, 1) },
    tables: [
      {
        caption: `${CONNECTIONS} connections`,
        columns: [
          'pages',
          'index MiB',
          'related a second',
          'same bytes a second',
          'share',
          'related p99 ms',
          'same bytes p99 ms',
          'similar p50 ms',
          'similar p99 ms',
          'private MiB',
          'private MiB after similar',
          'load s',
          'longest pause ms',
        ],
        rows,
      },
    ],
    targets: [{ figure: 'GET /related, share of the same bytes', atLeast: 0.8, reached: Number(largest[4]) }],
  };
}

function benchServer(pageCount: number): Promise<Cell[]> {
  return withFolder(async (folder) => {
    const indexPath = join(folder, 'bench.akin');
    const texts = await writeServingIndex({ path: indexPath, pageCount, seed: 1, textCount: 1000 });
    const indexBytes = statSync(indexPath).size;
    announce({ pages: pageCount, indexBytes });
    const random = new Random(2);
    const paths = Array.from(
      { length: 20_000 },
      () => `/related?url=${encodeURIComponent(servingUrl(random.below(pageCount), pageCount))}`,
    );
    let sample = '';
    const pauses = monitorEventLoopDelay({ resolution: 1 });
    pauses.enable();
    const startedMs = performance.now();
    const app = await buildApp({
      indexPath,
      extend: (scope) => {
        scope.get('/same-bytes', (_request, reply) =>
          reply.header('content-type', 'application/json; charset=utf-8').send(sample),
        );
      },
    });
    const loadSeconds = (performance.now() - startedMs) / 1000;
    pauses.disable();
    const first = await app.inject(paths[0]!);
    assert.equal(first.json().related.length, 10, 'an answer lists ten pages');
    sample = first.body;
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const gets = paths.map(getRequest);
    const same = [getRequest('/same-bytes')];
    await ask(port, gets);
    await ask(port, same);
    const related: LoadReport[] = [];
    const fixed: LoadReport[] = [];
    for (let turn = 0; turn < ROUNDS; turn++) {
      fixed.push(await ask(port, same));
      related.push(await ask(port, gets));
    }
    const privateBytes = privateMemoryBytes();
    const similar = await ask(port, texts.map(postRequest), 4);
    const afterBytes = privateMemoryBytes();
    await app.close();
    return [
      pageCount,
      Math.round(indexBytes / MIB),
      Math.round(median(related.map(perSecond))),
      Math.round(median(fixed.map(perSecond))),
      round(median(related.map((report, i) => perSecond(report) / perSecond(fixed[i]!)))),
      round(median(related.map((report) => report.p99Ms)), 2),
      round(median(fixed.map((report) => report.p99Ms)), 2),
      round(similar.p50Ms, 2),
      round(similar.p99Ms, 2),
      Math.round(privateBytes / MIB),
      Math.round(afterBytes / MIB),
      round(loadSeconds, 1),
      round(pauses.max / 1e6, 1),
    ];
  });
}

async function ask(
  port: number,
  requests: readonly string[],
  connections = CONNECTIONS,
): Promise<LoadReport> {
  const half = { port, connections: connections / CLIENTS, durationMs: ROUND_MS };
  const middle = requests.length >> 1;
  const orders = [requests, [...requests.slice(middle), ...requests.slice(0, middle)]];
  const reports = await Promise.all(orders.map((order) => load({ ...half, requests: order })));
  for (const { failureCount } of reports) assert.equal(failureCount, 0, 'every answer is 200');
  return together(reports);
}

function postRequest(text: string): string {
  const head = 'POST /similar HTTP/1.1\r\nHost: bench\r\nContent-Type: text/plain; charset=utf-8';
  return `${head}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

function together(reports: readonly LoadReport[]): LoadReport {
  return {
    requestCount: reports.reduce((sum, { requestCount }) => sum + requestCount, 0),
    failureCount: 0,
    durationMs: Math.max(...reports.map(({ durationMs }) => durationMs)),
    p50Ms: Math.max(...reports.map(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...reports.map(({ p99Ms }) => p99Ms)),
  };
}

function perSecond({ requestCount, durationMs }: LoadReport): number {
  return (requestCount / durationMs) * 1000;
}

/** Linux tells it; elsewhere all resident memory. */
function privateMemoryBytes(): number {
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)![1]) * 1024;
  } catch {
    return process.memoryUsage().rss;
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
