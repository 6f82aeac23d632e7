import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { InputError } from '../../src/errors.ts';
import { Random } from '../../src/lib/random.ts';
import { openSource } from '../../src/sources/open-source.ts';
import {
  arcRecord,
  collect,
  gzipMembers,
  OPTIONS,
  pageRecord,
  readBytes,
  readFile,
  temporaryFolder,
} from './archive-bytes.ts';

const LINE = '{"url": "https://example.org/1", "html": "<p>x"}\n';

async function* chunks(bytes: Uint8Array, sizeBytes = 7): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += sizeBytes)
    yield bytes.subarray(start, start + sizeBytes);
}

function inputError(code: string, message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof InputError);
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };
}

test('a file is what its first bytes say, whatever its name', async (t) => {
  const warc = pageRecord(1);
  for (const bytes of [warc, gzipSync(warc), zstdCompressSync(warc), Buffer.from(LINE), gzipSync(LINE)]) {
    for (const name of ['x.warc.gz', 'x.jsonl', 'x.bin']) {
      const { captures, faults } = await readBytes(t, bytes, { name });
      assert.deepEqual([captures[0]?.url, faults.length], ['https://example.org/1', 0]);
    }
  }
});

test('zstd is read whose first block hardly gets smaller: nothing comes of it before its end, up to 128 KiB on', async (t) => {
  // Vectors as base64, or a WARC of bodies that are compressed already.
  const random = new Random(7);
  const noise = Buffer.from(Uint8Array.from({ length: 1 << 17 }, () => random.below(256))).toString('base64');
  const line = JSON.stringify({ url: 'https://example.org/1', text: 'a page', vectors: { v: noise } });
  const bytes = zstdCompressSync(`${line}\n`);
  const piped = await openSource('-', OPTIONS, chunks(bytes, 100_000));
  for (const { captures } of [await readBytes(t, bytes), await collect(piped.items())]) {
    assert.deepEqual(
      captures.map(({ url }) => url),
      ['https://example.org/1'],
    );
  }
});

test('standard input is sniffed too, however it is cut into chunks', async () => {
  for (const bytes of [
    pageRecord(1),
    gzipMembers([pageRecord(1), pageRecord(2)]),
    Buffer.from(LINE),
    gzipSync(LINE),
  ]) {
    for (const sizeBytes of [1, 7, 100_000]) {
      const source = await openSource('-', OPTIONS, chunks(bytes, sizeBytes));
      assert.equal(source.progress.bytesTotal, null);
      const { captures, faults } = await collect(source.items());
      assert.deepEqual([captures[0]?.url, faults.length], ['https://example.org/1', 0]);
      assert.equal(source.progress.bytesRead, bytes.length);
    }
  }
});

test('a format asked for has to agree with the bytes', async (t) => {
  await assert.rejects(
    openSource('-', { ...OPTIONS, format: 'warc' }, chunks(Buffer.from(LINE))),
    inputError('AKIN_ERR_INPUT_UNREADABLE', /standard input: expected warc, but it is jsonl/),
  );
  assert.equal((await readBytes(t, arcRecord('filedesc://x', ''), { format: 'warc' })).items.length, 0);
  const source = await openSource('-', { ...OPTIONS, format: 'jsonl' }, chunks(Buffer.from(`oops\n${LINE}`)));
  const { captures, faults } = await collect(source.items());
  assert.deepEqual([captures.length, faults.length], [1, 1]);
});

test('an input of no known kind is refused with what it looks like', async (t) => {
  const inputs: readonly (readonly [Uint8Array | string, RegExp])[] = [
    ['<!doctype html><p>x', /an HTML page/],
    ['[{"url": "https://example.org/"}]', /a JSON array/],
    ['id;"the title";text\r\n1;a;b\r\n', /looks like a table \(CSV\)/],
    ['url,title\n', /looks like a table \(CSV\)/],
    ['Tea, cups and pots\n', /looks like text that begins "Tea, cups/],
    ['{\n  "url": "https://example.org/"\n}', /a JSON object of many lines/],
    ['BZh91AY', /bzip2/],
    ['just words', /text that begins "just words"/],
    [gzipSync('just words'), /text that begins "just words" inside gzip/],
    [Buffer.from('\ufeff{"url": "https://example.org/"}', 'utf16le'), /UTF-16 text/],
    [Buffer.from([0, 1, 2, 250, 251]), /binary data that begins 00 01 02 fa fb/],
    [
      Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.alloc(60, 0xff)]),
      /gzip data that cannot be decompressed/,
    ],
  ];
  for (const [bytes, looksLike] of inputs) {
    await assert.rejects(readBytes(t, bytes, { name: 'in.put' }), (error) => {
      assert.match((error as Error).message, /in\.put: expected WARC, WACZ, ARC or JSON lines/);
      return inputError('AKIN_ERR_INPUT_UNREADABLE', looksLike)(error);
    });
  }
});

test('missing, empty and forbidden inputs are distinguished', async (t) => {
  const folder = temporaryFolder(t);
  await assert.rejects(
    readFile(join(folder, 'none')),
    inputError('AKIN_ERR_INPUT_MISSING', /none does not exist/),
  );
  await assert.rejects(readBytes(t, ''), inputError('AKIN_ERR_INPUT_EMPTY', /is empty/));
  await assert.rejects(
    openSource('-', OPTIONS, chunks(Buffer.alloc(0))),
    inputError('AKIN_ERR_INPUT_EMPTY', /standard input is empty/),
  );
  if (process.getuid?.() === 0) return t.diagnostic('run as root, who may read everything');
  writeFileSync(join(folder, 'locked'), LINE);
  chmodSync(join(folder, 'locked'), 0);
  await assert.rejects(
    readFile(join(folder, 'locked')),
    inputError('AKIN_ERR_INPUT_UNREADABLE', /no permission/),
  );
});

test('progress counts the bytes of the file, and a source can be read again', async (t) => {
  const path = join(temporaryFolder(t), 'x.warc.gz');
  const bytes = gzipMembers([1, 2, 3].map(pageRecord));
  writeFileSync(path, bytes);
  const source = await openSource(path, OPTIONS);
  for (const _ of [1, 2]) {
    assert.equal((await collect(source.items())).captures.length, 3);
    assert.deepEqual(source.progress, { bytesRead: bytes.length, bytesTotal: bytes.length });
  }
});

test('a page of 200 MB is read past in bounded memory', async () => {
  const pageBytes = 200_000_000;
  const filler = Buffer.alloc(65_536, 'x');
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n';
  async function* warc(): AsyncGenerator<Uint8Array> {
    const size = head.length + pageBytes;
    yield Buffer.from(
      `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://example.org/huge\r\nContent-Length: ${size}\r\n\r\n${head}`,
    );
    for (let left = pageBytes; left > 0; left -= filler.length)
      yield Buffer.from(filler.subarray(0, Math.min(left, filler.length)));
    yield Buffer.from('\r\n\r\n');
    yield pageRecord(1);
  }
  async function* jsonl(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"url": "https://example.org/huge", "html": "');
    for (let left = pageBytes; left > 0; left -= filler.length) yield Buffer.from(filler);
    yield Buffer.from(`"}\n${LINE}`);
  }
  for (const stream of [warc, jsonl]) {
    const source = await openSource('-', OPTIONS, stream());
    const before = process.memoryUsage();
    let mostBytes = 0;
    const timer = setInterval(() => {
      const now = process.memoryUsage();
      mostBytes = Math.max(mostBytes, now.rss - before.rss);
    }, 5);
    const { captures, faults } = await collect(source.items());
    clearInterval(timer);
    assert.deepEqual(
      faults.map((fault) => fault.reason),
      ['too_large'],
    );
    assert.equal(captures.length, 1);
    assert.ok(mostBytes < 100_000_000, `${mostBytes} bytes`);
  }
});
