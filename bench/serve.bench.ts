/**
 * Measured   GET /related for distinct URLs at random, as a share of a Fastify route on the same server that
 *            returns the same bytes from memory; p99 of both; POST /similar p99. Rounds alternate, medians.
 * Corpus     a seeded synthetic index of 50,000 pages with 32 neighbours each (`serving-index.ts`).
 * Notes      The load comes from two processes, so that the server is the limit. Every answer must be 200.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Random } from '../src/lib/random.ts';
import { buildApp } from '../src/service/app.ts';
import { getRequest, type LoadReport, load } from './load-client.ts';
import { writeServingIndex } from './serving-index.ts';

const ROUNDS = 7;
const CONNECTIONS = 32;
/** One could not keep the server busy. */
const CLIENTS = 2;

export interface ServeOptions {
  readonly pageCount?: number;
  readonly roundMs?: number;
}

export async function run({ pageCount = 50_000, roundMs = 1500 }: ServeOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'akin-bench-'));
  try {
    const indexPath = join(folder, 'bench.akin');
    const { urls, text } = writeServingIndex(indexPath, pageCount, 1);
    const indexBytes = statSync(indexPath).size;
    console.error(`${pageCount} pages, index of ${indexBytes} bytes`);
    const random = new Random(2);
    const paths = Array.from(
      { length: 20_000 },
      () => `/related?url=${encodeURIComponent(urls[random.below(urls.length)]!)}`,
    );
    let sample = '';
    const app = await buildApp({
      indexPath,
      extend: (scope) => {
        scope.get('/same-bytes', (_request, reply) =>
          reply.header('content-type', 'application/json; charset=utf-8').send(sample),
        );
      },
    });
    const rssBytes = process.memoryUsage().rss;
    const first = await app.inject(paths[0]!);
    assert.equal(first.json().related.length, 10, 'an answer lists ten pages');
    sample = first.body;
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const ask = async (requests: readonly string[], connections = CONNECTIONS) => {
      const half = { port, connections: connections / CLIENTS, durationMs: roundMs };
      const middle = requests.length >> 1;
      const orders = [requests, [...requests.slice(middle), ...requests.slice(0, middle)]];
      const reports = await Promise.all(orders.map((order) => load({ ...half, requests: order })));
      for (const { failureCount } of reports) assert.equal(failureCount, 0, 'every answer is 200');
      return together(reports);
    };
    const gets = paths.map(getRequest);
    const same = [getRequest('/same-bytes')];
    await ask(gets);
    await ask(same);
    const related: LoadReport[] = [];
    const fixed: LoadReport[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      fixed.push(await ask(same));
      related.push(await ask(gets));
    }
    const posts = Array.from({ length: 500 }, () => postRequest(text(random)));
    const similar = await ask(posts, 4);
    await app.close();
    return {
      pageCount,
      indexBytes,
      answerBytes: sample.length,
      rssBytes,
      sameBytesPerSecond: median(fixed.map(perSecond)),
      relatedPerSecond: median(related.map(perSecond)),
      shareOfSameBytes: median(related.map((report, i) => perSecond(report) / perSecond(fixed[i]!))),
      sameBytesP99Ms: median(fixed.map((report) => report.p99Ms)),
      relatedP99Ms: median(related.map((report) => report.p99Ms)),
      similarPerSecond: perSecond(similar),
      similarP50Ms: similar.p50Ms,
      similarP99Ms: similar.p99Ms,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(await run(), null, 2));
}
