/** What a page costs a crawler beside its fetch: each part alone, on the same pages, the best of three rounds. */
import { gzipSync } from 'node:zlib';
import { gzipMember } from '../../src/crawl/folder/archive.ts';
import { contentDigest, responseRecord } from '../../src/crawl/folder/warc-record.ts';
import { headersOf, readPage } from '../../src/crawl/response/read-response.ts';
import type { Exchange } from '../../src/net/exchange.ts';
import { sketchText } from '../../src/sketch/shingle-sketch.ts';
import { round, type Table } from '../bench.ts';
import { unpacked } from '../corpora/data.ts';
import { tarFiles } from '../corpora/tar.ts';

const PAGES = 4000;
const ROUNDS = 3;
const URL = 'http://127.0.0.1/1';
const SKETCH = { shingleSize: 10, minimum: 200 };

/** And all of it together, as the crawler does it. */
export async function pageCost(): Promise<{ table: Table; milliseconds: number }> {
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
