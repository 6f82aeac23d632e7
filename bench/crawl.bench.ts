/**
 * Measured   the crawler: what it finds of a web of 89 hosts against what can be reached; pages a second beside undici
 *            alone, Scrapy and Crawlee, and where its time goes; what a URL costs the frontier; near-duplicates by each
 *            copy profile; writing archives.
 * Corpus     pages of a university crawl under their own URLs, a documentation wiki with its redirects, and URLs in
 *            which an old crawl got lost, all served from loopback.
 * Notes      processor time, the best of three rounds; wall time says little on a machine that others use. Scrapy is
 *            installed by pip install scrapy, Crawlee by npm install crawlee in a folder that CRAWLEE_FOLDER names.
 *            Takes three quarters of an hour: it runs when asked for by name.
 */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { WARCRecord, WARCSerializer } from 'warcio';
import { gzipMember } from '../src/crawl/folder/archive.ts';
import { contentDigest, responseRecord } from '../src/crawl/folder/warc-record.ts';
import { Frontier } from '../src/crawl/frontier/frontier.ts';
import { headersOf, readPage } from '../src/crawl/response/read-response.ts';
import { Random } from '../src/lib/random.ts';
import type { Exchange } from '../src/net/exchange.ts';
import { sketchText } from '../src/sketch/shingle-sketch.ts';
import { FrontierStore } from '../src/store/frontier/frontier-store.ts';
import { announce, type BenchResult, type Cell, round, type Table } from './bench.ts';
import { dataFile, unpacked, withFolder } from './corpora/data.ts';
import { tarFiles } from './corpora/tar.ts';
import { permutationsTable } from './crawl/permutations.ts';
import { race } from './crawl/race.ts';
import { wholeCrawl } from './crawl/whole-crawl.ts';

export const onRequest = true;

/** What the crawler cannot leave out, and how near the aim it would come with nothing else. */
function slowReason(fetchMs: number, pageMs: number): string {
  const ceiling = round(fetchMs / (fetchMs + pageMs), 2);
  return (
    `a page takes ${round(fetchMs, 2)} ms to fetch and ${round(pageMs, 2)} to be read, hashed and compressed, so ` +
    `${ceiling} is what a crawler without frontier, commits and politeness would reach; threads move that work, and take ` +
    'more of it; with a delay a host, no crawl comes near this rate'
  );
}

export async function run(): Promise<BenchResult> {
  for (const name of ['uci-crawl', 'mdn-archive']) dataFile(`${name}/html.tar.zst`);
  const corpus = { hosts: 89, pages: 53_293 + 7937, redirects: 9556, 'trap URLs': 980 };
  announce(corpus);
  // Before a whole crawl is held in memory.
  const frontier = await frontierCost();
  const whole = await wholeCrawl();
  const raced = await race();
  const cost = await pageCost();
  return {
    corpus,
    tables: [
      whole,
      raced.table,
      cost.table,
      frontier.table,
      await permutationsTable(),
      await archiveWriting(),
    ],
    targets: [
      {
        figure: 'pages a second over those of undici alone, by processor time',
        atLeast: 0.6,
        reached: raced.share.processor,
        ifMissed: slowReason(raced.fetchMs, cost.milliseconds),
      },
      {
        figure: 'least cost of a URL, at whatever size, over that at ten million known URLs',
        atLeast: 0.5,
        reached: round(1 / frontier.growth, 2),
      },
    ],
  };
}

const RECORDS = 2000;
const URL_OF = (i: number) => `http://a.example/${i}`;
const HEADERS = [['Content-Type', 'text/html; charset=utf-8']] as const;

/** Writing records: ours beside the writer of warcio.js. */
async function archiveWriting(): Promise<Table> {
  const bodies: Buffer[] = [];
  for await (const { body } of tarFiles(unpacked('uci-crawl/html.tar.zst'))) {
    bodies.push(Buffer.from(body));
    if (bodies.length === RECORDS) break;
  }
  const own = (body: Buffer, i: number) => {
    const exchange: Exchange = {
      ...{
        kind: 'response',
        status: 200,
        reason: 'OK',
        headers: HEADERS,
        body,
        cut: null,
        protocol: 'HTTP/1.1',
      },
      ...{ address: '192.0.2.1', startedAtMs: 1e12, durationMs: 5 },
    };
    const digest = contentDigest(body);
    return gzipMember(
      responseRecord({ url: URL_OF(i), exchange, digest, original: null, warcinfoId: '<urn:uuid:0>' }),
    );
  };
  const theirs = (body: Buffer, i: number) => {
    const options = {
      ...{
        url: URL_OF(i),
        date: '2001-09-09T01:46:40Z',
        type: 'response' as const,
        warcVersion: 'WARC/1.1' as const,
      },
      ...{ httpHeaders: { 'Content-Type': 'text/html; charset=utf-8' }, statusline: 'HTTP/1.1 200 OK' },
    };
    async function* content() {
      yield new Uint8Array(body);
    }
    return WARCSerializer.serialize(WARCRecord.create(options, content()), { gzip: true });
  };
  const rows = [];
  for (const [name, write] of [['akin', own] as const, ['warcio.js 2.4.11', theirs] as const]) {
    let bytes = 0;
    const before = process.cpuUsage();
    for (const [i, body] of bodies.entries()) bytes += (await write(body, i)).length;
    const { user, system } = process.cpuUsage(before);
    assert.ok(bytes > 0);
    rows.push([name, round((user + system) / RECORDS, 0), round(bytes / RECORDS, 0)]);
  }
  return {
    caption: `Writing ${RECORDS} pages of a crawl as gzip members, digests included`,
    columns: ['by', 'processor microseconds a record', 'bytes a record'],
    rows,
  };
}

const PAGES = 4000;
const ROUNDS = 3;
const URL = 'http://127.0.0.1/1';
const SKETCH = { shingleSize: 10, minimum: 200 };

/**
 * What a page costs a crawler beside its fetch: each part alone, on the same pages, the best of three rounds.
 *
 * And all of it together, as the crawler does it.
 */
async function pageCost(): Promise<{ table: Table; milliseconds: number }> {
  const exchanges: Exchange[] = [];
  for await (const { body } of tarFiles(unpacked('uci-crawl/html.tar.zst'))) {
    if (exchanges.length === PAGES) break;
    exchanges.push(exchangeOf(Buffer.from(body)));
  }
  const read = (exchange: Exchange) =>
    readPage(exchange, headersOf(exchange), { url: URL, agent: 'akin', maxBytes: 2 ** 24 });
  const texts = new Map(exchanges.map((exchange) => [exchange, read(exchange)?.text ?? '']));
  const recordOf = (exchange: Exchange) =>
    responseRecord({
      url: URL,
      exchange,
      digest: contentDigest(exchange.body),
      original: null,
      warcinfoId: '',
    });
  const records = new Map(exchanges.map((exchange) => [exchange, recordOf(exchange)]));
  const parts: Record<string, (exchange: Exchange) => unknown> = {
    'text and links read, links normalized': read,
    'sketch of the text': (exchange) => sketchText(texts.get(exchange)!, SKETCH),
    'WARC record and its digests': recordOf,
    'gzip, level 1': (exchange) => gzipMember(records.get(exchange)!),
    'gzip, the default level, for comparison': (exchange) => gzipSync(records.get(exchange)!),
  };
  const rows = Object.entries(parts).map(([name, part]) => [name, millisecondsOf(exchanges, part)] as const);
  const table = {
    caption: `What a page costs beside its fetch, ${PAGES} pages`,
    columns: ['part', 'processor ms a page'],
    rows,
  };
  return { table, milliseconds: rows.slice(0, -1).reduce((sum, [, part]) => sum + part, 0) };
}

function exchangeOf(body: Buffer): Exchange {
  const headers = [['content-type', 'text/html; charset=utf-8']] as const;
  const when = { startedAtMs: 0, durationMs: 0 };
  const head = { status: 200, reason: 'OK', headers, protocol: 'HTTP/1.1', address: null } as const;
  return { kind: 'response', ...head, body, cut: null, ...when };
}

function millisecondsOf(exchanges: readonly Exchange[], part: (exchange: Exchange) => unknown): number {
  let best = Infinity;
  for (let i = 0; i < ROUNDS; i++) {
    const before = process.cpuUsage();
    for (const exchange of exchanges) part(exchange);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000 / exchanges.length);
  }
  return round(best);
}

const HOSTS = 2000;
/** Of a page: links to known and to new pages of its host, and one to a new page of another host. */
const KNOWN_LINKS = 14;
const NEW_LINKS = 5;
const MARKS = [10_000, 100_000, 1_000_000, 10_000_000];

/**
 * What a URL costs the frontier, from ten thousand known ones to ten million.
 *
 * The table, and the cost at the last mark over the least.
 */
async function frontierCost(): Promise<{ table: Table; growth: number }> {
  const rows: Cell[][] = [];
  const costs: number[] = [];
  await withFolder(async (folder) => {
    const path = join(folder, 'frontier.db');
    const store = FrontierStore.open(path);
    const random = new Random(1);
    const draw = () => random.nextUint32() / 2 ** 32;
    const frontier = new Frontier(store, 16, draw, 0);
    const pageCounts = new Uint32Array(HOSTS);
    let known = 0;
    const meet = (host: number, page: number) => {
      const url = `http://host${host}.example/section/${page % 100}/page-${page}.html`;
      const hostId = frontier.meet(url);
      if (hostId === null) return;
      frontier.add(hostId, { url, kind: 'page', priority: 1 + (page % 3), depth: 3, redirects: 0 });
      known++;
    };
    const meetNew = (host: number) => meet(host, pageCounts[host]!++);
    for (let host = 0; host < HOSTS; host++) meetNew(host);
    for (const mark of MARKS) {
      let before = process.cpuUsage();
      let met = 0;
      for (let turn = 1; known < mark; turn++) {
        const queue = frontier.next(Infinity)!;
        const item = queue.urls.shift()!;
        const host = Number(/\d+/.exec(queue.host)![0]);
        for (let i = 0; i < KNOWN_LINKS; i++) meet(host, Math.floor(draw() * pageCounts[host]!));
        for (let i = 0; i < NEW_LINKS; i++) meetNew(host);
        meetNew(Math.floor(draw() * HOSTS));
        store.remove(queue.hostId, item);
        frontier.handBack(queue);
        met += KNOWN_LINKS + NEW_LINKS + 1;
        if (turn % 100 === 0) store.commit({});
        // The cost at a size is that of its last fifth.
        if (known < 0.8 * mark) [before, met] = [process.cpuUsage(), 0];
      }
      const { user, system } = process.cpuUsage(before);
      costs.push((user + system) / met);
      const mib = process.memoryUsage().rss / 2 ** 20;
      rows.push([mark, round(costs.at(-1)!, 1), round(statSync(path).size / mark, 0), round(mib, 0)]);
      process.stderr.write(`${mark} URLs: ${round(costs.at(-1)!, 1)} microseconds\n`);
    }
    store.close();
  });
  return {
    table: {
      caption: `The frontier: ${HOSTS} hosts, a page leads to ${KNOWN_LINKS} known URLs and ${NEW_LINKS + 1} new ones`,
      columns: ['known URLs', 'microseconds a URL met', 'bytes a URL on disk', 'memory, MiB'],
      rows,
    },
    growth: round(costs.at(-1)! / Math.min(...costs), 2),
  };
}
