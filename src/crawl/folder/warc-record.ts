/**
 * Records of WARC 1.1 (ISO 28500:2017) as bytes: what the crawl is, responses, and revisits of content that the archive
 * has already.
 *
 * An HTTP response is stored as it was sent, except that its transfer coding is undone: its header is kept under
 * another name, as other crawlers do.
 */
import { createHash, randomUUID } from 'node:crypto';
import { base32 } from '../../lib/base32.ts';
import type { Cut, Exchange } from '../../net/exchange.ts';
import { COVERAGE_URI, type CrawlCoverage } from '../../sources/record/record.ts';

/** What stands for a body that the archive has already. */
export interface Original {
  readonly url: string;
  readonly fetchedAtMs: number;
  /** Whether the server said so (304), or the content is the same byte for byte. */
  readonly profile: 'server-not-modified' | 'identical-payload-digest';
}

interface ResponseRecord {
  readonly url: string;
  readonly exchange: Exchange;
  /** SHA-1 of the body. */
  readonly digest: Uint8Array;
  readonly original: Original | null;
  readonly warcinfoId: string;
}

const TRUNCATED: Readonly<Record<Cut, string>> = {
  length: 'length',
  time: 'time',
  disconnect: 'disconnect',
  unwanted: 'unspecified',
};
const CRLF = '\r\n';

/** SHA-1 of bytes that come in pieces. */
export function contentDigest(...pieces: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha1');
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
}

export function responseRecord(record: ResponseRecord): Buffer {
  const { url, exchange, digest, original, warcinfoId } = record;
  const head = Buffer.from(httpHead(exchange), 'latin1');
  const block = original === null ? [head, exchange.body] : [head];
  const isUnwanted = exchange.cut === 'unwanted';
  return warcRecord(block, [
    ['WARC-Type', original === null ? 'response' : 'revisit'],
    ['WARC-Target-URI', url],
    ['WARC-Date', new Date(exchange.startedAtMs).toISOString()],
    ['WARC-Record-ID', newRecordId()],
    ['WARC-Warcinfo-ID', warcinfoId],
    ...(exchange.address === null ? [] : ([['WARC-IP-Address', exchange.address]] as const)),
    ['Content-Type', 'application/http; msgtype=response'],
    ['WARC-Block-Digest', digestText(contentDigest(...block))],
    // Of what was not wanted, and of a 304, the payload is not known.
    ...(isUnwanted || original?.profile === 'server-not-modified'
      ? []
      : ([['WARC-Payload-Digest', digestText(digest)]] as const)),
    ...(exchange.cut === null ? [] : ([['WARC-Truncated', TRUNCATED[exchange.cut]]] as const)),
    ...(original === null
      ? []
      : ([
          ['WARC-Profile', `http://netpreserve.org/warc/1.1/revisit/${original.profile}`],
          ['WARC-Refers-To-Target-URI', original.url],
          ['WARC-Refers-To-Date', new Date(original.fetchedAtMs).toISOString()],
        ] as const)),
  ]);
}

/** Opens every archive file. @param fields the settings of the crawl. */
export function warcinfoRecord(
  fileName: string,
  recordId: string,
  nowMs: number,
  fields: readonly (readonly [string, string])[],
): Buffer {
  const block = Buffer.from(fields.map(([name, value]) => `${name}: ${value}${CRLF}`).join(''));
  return warcRecord(
    [block],
    [
      ['WARC-Type', 'warcinfo'],
      ['WARC-Date', new Date(nowMs).toISOString()],
      ['WARC-Record-ID', recordId],
      ['WARC-Filename', fileName],
      ['Content-Type', 'application/warc-fields'],
      ['WARC-Block-Digest', digestText(contentDigest(block))],
    ],
  );
}

/** Stands at the end of a crawl. */
export function coverageRecord(coverage: CrawlCoverage, warcinfoId: string, nowMs: number): Buffer {
  const block = Buffer.from(JSON.stringify(coverage));
  return warcRecord(
    [block],
    [
      ['WARC-Type', 'metadata'],
      ['WARC-Target-URI', COVERAGE_URI],
      ['WARC-Date', new Date(nowMs).toISOString()],
      ['WARC-Record-ID', newRecordId()],
      ['WARC-Warcinfo-ID', warcinfoId],
      ['Content-Type', 'application/json'],
      ['WARC-Block-Digest', digestText(contentDigest(block))],
    ],
  );
}

export function newRecordId(): string {
  return `<urn:uuid:${randomUUID()}>`;
}

/** @param block in pieces. */
function warcRecord(block: readonly Uint8Array[], fields: readonly (readonly [string, string])[]): Buffer {
  const length = block.reduce((sum, piece) => sum + piece.length, 0);
  const lines = [...fields, ['Content-Length', String(length)] as const];
  const head = `WARC/1.1${CRLF}${lines.map(([name, value]) => `${name}: ${value}${CRLF}`).join('')}${CRLF}`;
  return Buffer.concat([Buffer.from(head), ...block, Buffer.from(CRLF + CRLF)]);
}

function httpHead({ status, reason, headers }: Exchange): string {
  const lines = headers.map(([name, value]) => {
    const isTransfer = name.toLowerCase() === 'transfer-encoding';
    return `${isTransfer ? 'X-Crawler-Transfer-Encoding' : name}: ${value}${CRLF}`;
  });
  return `HTTP/1.1 ${status} ${reason}${CRLF}${lines.join('')}${CRLF}`;
}

/** As archives write it. */
function digestText(digest: Uint8Array): string {
  return `sha1:${base32(digest)}`;
}
