/** Bodies in every coding, whole, damaged, and made to grow. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  brotliCompressSync,
  crc32,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { Random } from '../../src/lib/random.ts';
import { httpResponse, readBytes, textOf, warcRecord } from './archive-bytes.ts';

const URL = 'https://example.org/a';
const PAGE = '<p>Grüße, page</p>';

/** With all that a head may have. */
function namedGzip(text: string): Buffer {
  const plain = gzipSync(text);
  const fields = [4 + 8 + 16 + 2, ...plain.subarray(4, 10), 2, 0, 9, 9];
  const head = Buffer.concat([
    plain.subarray(0, 3),
    Buffer.from(fields),
    Buffer.from('a.html\0made by hand\0'),
  ]);
  const check = Buffer.alloc(2);
  check.writeUInt16LE(crc32(head) & 0xffff);
  return Buffer.concat([head, check, plain.subarray(10)]);
}

test('content codings and chunks are undone, whether or not the crawler did so before', async (t) => {
  const chunked = `${(PAGE.length + 2).toString(16)};x=y\r\n${PAGE}\r\n0\r\n\r\n`;
  const blocks = [
    httpResponse(gzipSync(PAGE), { 'Content-Encoding': 'gzip' }),
    httpResponse(deflateSync(PAGE), { 'Content-Encoding': 'deflate' }),
    httpResponse(deflateRawSync(PAGE), { 'Content-Encoding': 'deflate' }),
    httpResponse(brotliCompressSync(PAGE), { 'Content-Encoding': 'br' }),
    httpResponse(zstdCompressSync(PAGE), { 'Content-Encoding': 'zstd' }),
    httpResponse(gzipSync(gzipSync(PAGE)), { 'Content-Encoding': 'gzip, gzip' }),
    httpResponse(chunked, { 'Transfer-Encoding': 'chunked' }),
    httpResponse(gzipSync(PAGE), { 'Transfer-Encoding': 'gzip' }),
    ...['gzip', 'deflate', 'br', 'zstd', 'identity'].map((name) =>
      httpResponse(PAGE, { 'Content-Encoding': name }),
    ),
    httpResponse(PAGE, { 'Transfer-Encoding': 'chunked' }),
    ...['UTF-8', '8bit', 'text/html', 'made-up'].map((name) =>
      httpResponse(PAGE, { 'Content-Encoding': name }),
    ),
    httpResponse(gzipSync(PAGE), { 'Content-Encoding': 'gzip, utf-8' }),
    ...['\r\n', '  \n', '<!-- a comment -->'].map((tail) =>
      httpResponse(Buffer.concat([gzipSync(PAGE), Buffer.from(tail)]), { 'Content-Encoding': 'gzip' }),
    ),
    httpResponse(
      Buffer.concat([
        zstdCompressSync(PAGE.slice(0, 5)),
        Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]),
        zstdCompressSync(PAGE.slice(5)),
        Buffer.from('\r\n'),
      ]),
      { 'Content-Encoding': 'zstd' },
    ),
    httpResponse(Buffer.concat([namedGzip(PAGE), Buffer.from('\r\n')]), { 'Content-Encoding': 'gzip' }),
  ];
  const { items, captures } = await readBytes(
    t,
    Buffer.concat(blocks.map((block) => warcRecord('response', URL, block))),
  );
  assert.deepEqual(
    items.filter((item) => item.kind === 'fault'),
    [],
  );
  assert.deepEqual(
    captures.map(textOf),
    blocks.map(() => PAGE),
  );
});

test('a body that only grows too large when decoded is too_large', async (t) => {
  const bomb = gzipSync(Buffer.alloc(2_000_000));
  const { items } = await readBytes(
    t,
    warcRecord('response', URL, httpResponse(bomb, { 'Content-Encoding': 'gzip' })),
  );
  assert.deepEqual(
    items.map((item) => item.kind === 'fault' && item.reason),
    ['too_large'],
  );
});

test('of zstd in many frames all count, and no more than a thousand are read', async (t) => {
  const bodies = [
    Buffer.concat([1, 2].map(() => zstdCompressSync(Buffer.alloc(600_000)))),
    Buffer.concat(Array.from({ length: 1001 }, () => zstdCompressSync('a'))),
  ];
  const records = bodies.map((body) =>
    warcRecord('response', URL, httpResponse(body, { 'Content-Encoding': 'zstd' })),
  );
  const { faults } = await readBytes(t, Buffer.concat(records), { maxPageBytes: 1_000_000 });
  assert.deepEqual(
    faults.map(({ reason }) => reason),
    ['too_large', 'unreadable'],
  );
  assert.match(faults[1]!.detail, /more than 1000 frames/);
});

const CODINGS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };

test('a damaged body of any coding is a page or a fault, and never larger than a page may be', async (t) => {
  const random = new Random(24);
  const text = Array.from({ length: 900 }, (_, i) => `word${random.below(999)} ${i}`).join(' ');
  const whole = Object.entries(CODINGS).map(([name, pack]) => [name, pack(text)] as const);
  const blocks = Array.from({ length: 800 }, (_, i) => {
    const [name, sound] = whole[i % 4]!;
    const bytes = Buffer.from(sound);
    const at = 2 + random.below(bytes.length - 2);
    if (i % 3 === 0) return httpResponse(bytes.subarray(0, at), { 'Content-Encoding': name });
    for (let flips = 1 + random.below(4); flips > 0; flips--)
      bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
    return httpResponse(bytes, { 'Content-Encoding': name });
  });
  const records = blocks.map((block) => warcRecord('response', URL, block));
  const { items, captures } = await readBytes(t, Buffer.concat(records), { maxPageBytes: 20_000 });
  assert.equal(items.length, blocks.length);
  assert.ok(captures.every(({ body }) => body.length <= 20_000));
  // A body that breaks off gives what came before.
  const cut = captures.filter((capture) => text.startsWith(textOf(capture)));
  assert.ok(cut.length > blocks.length / 5, `${cut.length}`);
});

test('bombs of every coding, and codings upon codings, cost no more than a page', async (t) => {
  const zeros = Buffer.alloc(20_000_000);
  const bombs = Object.entries(CODINGS).map(([name, pack]) =>
    httpResponse(pack(zeros), { 'Content-Encoding': name }),
  );
  const many = httpResponse(PAGE, { 'Content-Encoding': 'br,'.repeat(10_000) });
  const records = [...bombs, many].map((block) => warcRecord('response', URL, block));
  const before = process.cpuUsage().user;
  const { faults } = await readBytes(t, Buffer.concat(records));
  const usedMs = (process.cpuUsage().user - before) / 1000;
  assert.deepEqual(
    faults.map(({ reason }) => reason),
    ['too_large', 'too_large', 'too_large', 'too_large', 'unreadable'],
  );
  assert.ok(usedMs < 2000, `${usedMs} ms`);
});
