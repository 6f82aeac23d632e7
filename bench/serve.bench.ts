/**
 * Measured   GET /related for distinct URLs at random, as a share of a route of a Fastify that does nothing else and
 *            returns the same bytes from memory; p99 of both; POST /similar p50 and p99; POST /group of 100 pages
 *            of the index, p50 and p99; memory of the server; the longest time that the start held up the event loop;
 *            the same of three swaps in a row under a load that takes what the processors leave, and under it alone;
 *            memory after them, of all that went before.
 * Corpus     seeded synthetic indexes of 50,000 and 1,000,000 pages, 32 neighbors each (`serving-index.ts`).
 *            /group: 400 shingles a page, a fourth of the pages near copies, one request at a time.
 * Notes      Same bytes: the route finds the answer by its URL in a Map, and sends it with all headers that an answer of
 *            /related has; it checks nothing and counts nothing. Bare: one answer, Content-Type alone. The load comes
 *            from two processes, so that the server is the limit; rounds alternate, medians; the first is not counted.
 *            Every answer must be 200. The server is a process of its own: its private memory, after a round; the pages of
 *            the index file that it maps are the system's to keep or to drop.
 */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { Random } from '../src/lib/random.ts';
import { announce, type BenchResult, type Cell, round } from './bench.ts';
import { withFolder } from './corpora/data.ts';
import { getRequest, type LoadReport, load } from './load-client.ts';
import { type ServerProcess, startServer } from './serve-child.ts';
import { servingUrl, WORDED_PAGES, writeServingIndex } from './serving-index.ts';

const PAGE_COUNTS = [50_000, 1_000_000];
const ROUNDS = 7;
const ROUND_MS = 1500;
const CONNECTIONS = 32;
/** One could not keep the server busy. */
const CLIENTS = 2;
/** Of the thousand: their words are met for the first time, and so are most of the paths through the code. */
const WARMING_TEXTS = 400;
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
          'bare a second',
          'share of bare',
          'related p99 ms',
          'same bytes p99 ms',
          'similar p50 ms',
          'similar p99 ms',
          'group p50 ms',
          'group p99 ms',
          'private MiB',
          'more MiB after similar',
          'open s',
          'in memory s',
          'longest pause ms',
          'swap pause ms',
          'the same without a swap ms',
          'MiB after three swaps',
        ],
        rows,
      },
    ],
    targets: [
      {
        figure: 'GET /related, share of the same bytes',
        atLeast: 0.8,
        reached: Number(largest[4]),
        ifMissed:
          'the URL is parsed and looked up and the answer put together, where the other route has it ready',
      },
      {
        figure: 'p99 of the same bytes, twice, against that of GET /related',
        atLeast: 1,
        reached: round((2 * Number(largest[8])) / Number(largest[7])),
      },
      {
        figure: '400 MiB against the private memory',
        atLeast: 1,
        reached: round(400 / Number(largest[13])),
      },
      {
        figure: '10 ms against the pause of a swap under load',
        atLeast: 1,
        reached: round(10 / Number(largest[18])),
        ifMissed: `clients, answers and the thread that reads share two processors; without a swap they wait ${largest[19]} ms`,
      },
      {
        figure: '50 ms against the p99 of POST /group',
        atLeast: 1,
        reached: round(50 / Number(largest[12])),
        ifMissed:
          'one request in a hundred of some 16 ms waits for the other cores; 43 to 52 ms from run to run',
      },
    ],
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
    const server = await startServer(indexPath);
    const { port } = server;
    const gets = paths.map(getRequest);
    await ask(port, gets);
    const privateBytes = await server.memoryBytes();
    const plain = await plainServer(port, paths);
    const plainPort = await listen(plain);
    const [related, stored, bare]: LoadReport[][] = [[], [], []];
    for (let turn = 0; turn <= ROUNDS; turn++) {
      bare.push(await ask(plainPort, [getRequest('/bare')]));
      stored.push(await ask(plainPort, gets));
      related.push(await ask(port, gets));
    }
    // The first round warms up.
    for (const reports of [related, stored, bare]) reports.shift();
    const beforeBytes = await server.memoryBytes();
    const posts = texts.map((text) => postRequest(text, '/similar', 'text/plain; charset=utf-8'));
    await ask(port, posts.slice(0, WARMING_TEXTS), 4);
    const similar = await ask(port, posts.slice(WARMING_TEXTS), 4);
    const afterBytes = await server.memoryBytes();
    const group = await load({
      port,
      connections: 1,
      durationMs: ROUND_MS,
      requests: groupRequests(pageCount),
    });
    assert.equal(group.failureCount, 0, 'every answer is 200');
    const swapPauseMs = await longestOfThree(server, gets, () => server.swap());
    const swappedBytes = await server.memoryBytes();
    const restPauseMs = await longestOfThree(server, gets, () => server.rest());
    await plain.close();
    server.stop();
    return [
      pageCount,
      Math.round(indexBytes / MIB),
      Math.round(median(related.map(perSecond))),
      Math.round(median(stored.map(perSecond))),
      round(median(related.map((report, i) => perSecond(report) / perSecond(stored[i]!)))),
      Math.round(median(bare.map(perSecond))),
      round(median(related.map((report, i) => perSecond(report) / perSecond(bare[i]!)))),
      round(median(related.map((report) => report.p99Ms)), 2),
      round(median(stored.map((report) => report.p99Ms)), 2),
      round(similar.p50Ms, 2),
      round(similar.p99Ms, 2),
      round(group.p50Ms, 2),
      round(group.p99Ms, 2),
      Math.round(privateBytes / MIB),
      Math.round((afterBytes - beforeBytes) / MIB),
      round(server.openSeconds, 2),
      round(server.wholeSeconds, 1),
      round(server.longestPauseMs, 1),
      round(swapPauseMs, 1),
      round(restPauseMs, 1),
      Math.round(swappedBytes / MIB),
    ];
  });
}

/** The longest time that one of three in a row, under some load, held up the event loop. */
async function longestOfThree(
  { port }: ServerProcess,
  gets: readonly string[],
  measure: () => Promise<number>,
): Promise<number> {
  const pausesMs: number[] = [];
  while (pausesMs.length < 3) {
    let isRunning = true;
    const pause = measure().finally(() => {
      isRunning = false;
    });
    while (isRunning) await ask(port, gets, 4);
    pausesMs.push(await pause);
  }
  return Math.max(...pausesMs);
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

/** A server that holds the answers to these requests in memory, and one that has no header but the type. */
async function plainServer(port: number, paths: readonly string[]): Promise<FastifyInstance> {
  const bodies = new Map<string, string>();
  let answer: Response | undefined;
  for (const path of paths) {
    answer = await fetch(`http://127.0.0.1:${port}${path}`);
    bodies.set(decodeURIComponent(path.slice(path.indexOf('=') + 1)), await answer.text());
  }
  const [anyBody] = bodies.values();
  assert.equal(JSON.parse(anyBody!).related.length, 10, 'an answer lists ten pages');
  const ofConnection = new Set(['content-length', 'date', 'connection', 'keep-alive']);
  const headers = Object.fromEntries([...answer!.headers].filter(([name]) => !ofConnection.has(name)));
  const plain = Fastify();
  plain.get<{ Querystring: { url: string } }>('/related', (request, reply) =>
    reply.headers(headers).send(bodies.get(request.query.url)),
  );
  plain.get('/bare', (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(anyBody),
  );
  return plain;
}

async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

/** Lists of 100 of the pages whose wording is known. */
function groupRequests(pageCount: number): string[] {
  const random = new Random(3);
  return Array.from({ length: 100 }, () => {
    const from = random.below(WORDED_PAGES - 100);
    const results = Array.from({ length: 100 }, (_, i) => servingUrl(from + i, pageCount));
    return postRequest(JSON.stringify({ results }), '/group', 'application/json');
  });
}

function postRequest(text: string, path: string, mediaType: string): string {
  const head = `POST ${path} HTTP/1.1\r\nHost: bench\r\nContent-Type: ${mediaType}`;
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
