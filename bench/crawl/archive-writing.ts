/** Writing records: ours beside the writer of warcio.js. */
import assert from 'node:assert/strict';
import { WARCRecord, WARCSerializer } from 'warcio';
import { gzipMember } from '../../src/crawl/folder/archive.ts';
import { contentDigest, responseRecord } from '../../src/crawl/folder/warc-record.ts';
import type { Exchange } from '../../src/net/exchange.ts';
import { round, type Table } from '../bench.ts';
import { unpacked } from '../corpora/data.ts';
import { tarFiles } from '../corpora/tar.ts';

const RECORDS = 2000;
const URL_OF = (i: number) => `http://a.example/${i}`;
const HEADERS = [['Content-Type', 'text/html; charset=utf-8']] as const;

export async function archiveWriting(): Promise<Table> {
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
