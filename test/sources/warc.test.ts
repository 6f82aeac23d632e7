import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { openSource } from '../../src/sources/open-source.ts';
import {
  collect,
  gzipMembers,
  httpResponse,
  OPTIONS,
  pageRecord,
  readBytes,
  textOf,
  warcRecord,
} from './archive-bytes.ts';

const URL = 'https://example.org/a';
const PAGE = '<p>Grüße, page</p>';

test('a response record becomes a capture with what its HTTP head says', async (t) => {
  const block = httpResponse(PAGE, {
    'Content-Type': 'Text/HTML; Charset="ISO-8859-1"',
    Link: '</style.css>; rel=preload, <https://example.org/best>; rel="canonical"',
    'X-Robots-Tag': 'NoIndex',
    'Content-Language': 'de',
  });
  const { items } = await readBytes(t, warcRecord('response', `<${URL}>`, block));
  assert.equal(items.length, 1);
  const [capture] = items;
  assert.equal(capture?.kind, 'capture');
  const { body, ...fields } = capture as Extract<typeof capture, { kind: 'capture' }>;
  assert.equal(Buffer.from(body).toString(), PAGE);
  assert.deepEqual(fields, {
    kind: 'capture',
    url: URL,
    status: 200,
    mediaType: 'text/html',
    charset: 'iso-8859-1',
    location: null,
    canonical: 'https://example.org/best',
    robots: ['NoIndex'],
    lang: 'de',
    fetchedAtMs: Date.UTC(2024, 4, 6, 7, 8, 9),
    isText: false,
    title: null,
    links: [],
    features: '',
    badFeatures: null,
    vectors: '',
    badVectors: null,
    fields: '',
    badFields: null,
    card: null,
    fileUrl: null,
  });
});

test('records that are no captures are passed over without a fault', async (t) => {
  const { items } = await readBytes(
    t,
    Buffer.concat([
      warcRecord('warcinfo', null, 'software: test\r\n'),
      warcRecord('request', URL, 'GET /a HTTP/1.1\r\n\r\n'),
      warcRecord('metadata', URL, 'via: x\r\n'),
      warcRecord('response', 'dns:example.org', '20240506\nexample.org. 1 IN A 192.0.2.1', {
        'Content-Type': 'text/dns',
      }),
    ]),
  );
  assert.deepEqual(items, []);
});

test('resource and conversion records are pages with the media type of the record', async (t) => {
  const { captures, faults } = await readBytes(
    t,
    Buffer.concat([
      warcRecord('resource', URL, PAGE, { 'Content-Type': 'text/html; charset=utf-8' }),
      warcRecord('conversion', URL, 'plain words', { 'Content-Type': 'text/plain' }),
      warcRecord('resource', URL, '{}', { 'Content-Type': 'application/json' }),
    ]),
  );
  assert.deepEqual(
    captures.map((capture) => [capture.status, capture.mediaType, capture.charset, textOf(capture)]),
    [
      [200, 'text/html', 'utf-8', PAGE],
      [200, 'text/plain', null, 'plain words'],
    ],
  );
  assert.deepEqual(
    faults.map((fault) => fault.reason),
    ['media_type'],
  );
});

test('redirects are captures without a body; other statuses are faults that name themselves', async (t) => {
  const { captures, faults } = await readBytes(
    t,
    Buffer.concat([
      warcRecord(
        'response',
        URL,
        httpResponse('moved', { Location: '/b', 'Content-Type': 'image/gif' }, '301 Moved'),
      ),
      warcRecord('response', URL, httpResponse('', { Location: '/b' }, '302 ')),
      warcRecord('response', URL, httpResponse('', {}, '302 Found')),
      warcRecord('response', URL, httpResponse('', {}, '304 Not Modified')),
      warcRecord('response', URL, httpResponse('gone', {}, '404 Not Found')),
    ]),
  );
  assert.deepEqual(
    captures.map((capture) => [capture.status, capture.location, capture.body.length]),
    [
      [301, '/b', 0],
      [302, '/b', 0],
    ],
  );
  assert.deepEqual(
    faults.map((fault) => [fault.reason, fault.status]),
    [
      ['status', 302],
      ['status', 304],
      ['status', 404],
    ],
  );
});

test('what cannot become a page is a fault of its own kind, in the order of the archive', async (t) => {
  const { items } = await readBytes(
    t,
    Buffer.concat([
      warcRecord('revisit', URL, httpResponse('')),
      warcRecord('response', URL, httpResponse('GIF89a', { 'Content-Type': 'image/gif' })),
      warcRecord('response', URL, httpResponse('x'.repeat(2_000_000))),
      warcRecord('response', URL, httpResponse('x'.repeat(2_000_000), { 'Content-Type': 'video/mp4' })),
      warcRecord('response', 'ftp://example.org/a', httpResponse(PAGE)),
      warcRecord('response', null, httpResponse(PAGE)),
      warcRecord('response', URL, 'no head at all'),
      warcRecord('continuation', URL, 'second half'),
      warcRecord('response', URL, httpResponse('', {})),
      warcRecord('response', URL, httpResponse('?', { 'Content-Encoding': 'compress' })),
      warcRecord(
        'response',
        'https://example.org/robots.txt',
        httpResponse('User-agent: *', { 'Content-Type': 'text/plain' }),
      ),
      pageRecord(1),
    ]),
  );
  assert.deepEqual(
    items.map((item) => (item.kind === 'fault' ? item.reason : 'page')),
    [
      'revisit',
      'media_type',
      'too_large',
      'media_type',
      'url',
      'url',
      'unreadable',
      'unreadable',
      'empty',
      'unreadable',
      'media_type',
      'page',
    ],
  );
});

/** SHA-1 of nothing, as archives write it. */
const OF_NO_BYTES = { 'WARC-Payload-Digest': 'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ' };

test('a revisit with the payload of another URL leads there; where it cannot be a page it is what its head says', async (t) => {
  const other = 'https://example.org/first';
  const identical = 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest';
  const revisit = (
    head: Record<string, string>,
    refers: string | null,
    profile = identical,
    status = '200 OK',
    more: Record<string, string> = {},
  ) =>
    warcRecord('revisit', URL, httpResponse('', head, status), {
      'WARC-Profile': profile,
      ...more,
      ...(refers !== null && { 'WARC-Refers-To-Target-URI': refers }),
    });
  const html = { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' };
  const { items } = await readBytes(
    t,
    Buffer.concat([
      revisit(html, `<${other}>`),
      revisit(html, URL),
      revisit(html, null),
      revisit(html, other, 'http://netpreserve.org/warc/1.1/revisit/server-not-modified'),
      revisit({ 'Content-Type': 'image/gif' }, other),
      revisit(html, other, identical, '404 Not Found'),
      revisit({ Location: '/moved' }, other, identical, '302 Found'),
      warcRecord('revisit', URL, '', { 'WARC-Profile': identical, 'WARC-Refers-To-Target-URI': other }),
      // Of the URL itself: an empty body tells one redirect from the next as little as a page from an error.
      revisit({ Location: '/elsewhere' }, URL, identical, '301 Moved'),
      revisit(html, null, identical, '410 Gone'),
      revisit(html, other, identical, '200 OK', OF_NO_BYTES),
      revisit(html, URL, identical, '200 OK', OF_NO_BYTES),
    ]),
  );
  assert.deepEqual(
    items.map((item) => (item.kind === 'fault' ? item.reason : item.location)),
    [
      ...[other, 'revisit', 'revisit', 'revisit', 'media_type', 'status', '/moved', 'revisit'],
      ...['/elsewhere', 'status', 'empty', 'empty'],
    ],
  );
});

test('a fault says which record of which file, and its URL', async (t) => {
  const { faults } = await readBytes(t, Buffer.concat([pageRecord(1), warcRecord('revisit', URL, '')]), {
    name: 'x.warc',
  });
  assert.match(faults[0]!.where, /x\.warc record 2 https:\/\/example\.org\/a$/);
  assert.equal(faults[0]!.url, URL);
});

test('after a broken record reading goes on, with one fault for the broken one', async (t) => {
  const broken = [
    warcRecord('response', URL, httpResponse(PAGE), { 'Content-Length': 'many' }),
    Buffer.from('\0\x01\x02 noise without a newline'.repeat(100)),
    Buffer.from(`WARC/1.0\r\n${`X: ${'y'.repeat(1000)}\r\n`.repeat(600)}\r\n`),
    warcRecord('response', URL, httpResponse(PAGE), { 'Content-Length': '50' }),
  ];
  for (const bytes of broken) {
    const { captures, faults } = await readBytes(
      t,
      Buffer.concat([pageRecord(1), bytes, Buffer.from('\n'), pageRecord(2)]),
    );
    assert.deepEqual(
      captures.map((capture) => capture.url).filter((url) => url !== URL),
      ['https://example.org/1', 'https://example.org/2'],
    );
    assert.ok(faults.length >= 1 && faults.length <= 2, `${faults.length} faults`);
    assert.ok(faults.every((fault) => fault.reason === 'unreadable'));
  }
});

test('an archive cut anywhere yields its whole records and at most one fault, truncated', async (t) => {
  const records = [1, 2, 3].map(pageRecord);
  const archives = [
    Buffer.concat(records),
    gzipMembers(records),
    gzipSync(Buffer.concat(records)),
    zstdCompressSync(Buffer.concat(records)),
  ];
  for (const [kind, archive] of archives.entries()) {
    const ends = kind === 0 ? records : records.map((record) => gzipSync(record));
    for (let sizeBytes = 40; sizeBytes < archive.length; sizeBytes += 13) {
      const { captures, faults } = await readBytes(t, archive.subarray(0, sizeBytes), {
        format: 'warc',
      }).catch((error) => {
        assert.equal(error.code, 'AKIN_ERR_INPUT_UNREADABLE');
        assert.ok(kind > 0 && sizeBytes < 400);
        return { captures: [], faults: [] };
      });
      assert.ok(faults.length <= 1);
      assert.ok(
        faults.every((fault) => fault.reason === 'truncated'),
        `${kind} ${sizeBytes} ${faults[0]?.detail}`,
      );
      assert.ok(
        captures.every((capture, index) => textOf(capture).startsWith(`<title>Page ${index + 1}</title>`)),
      );
      if (kind > 1) continue;
      let whole = 0;
      for (let end = 0; whole < 3 && (end += ends[whole]!.length) <= sizeBytes; ) whole++;
      assert.ok(captures.length >= whole, `${captures.length} of ${whole} at ${sizeBytes} of kind ${kind}`);
    }
  }
});

/** How archives compress a record. */
const MEMBERS = {
  'gzip member': gzipSync,
  'zstd frame': (record: Uint8Array) =>
    zstdCompressSync(record, { params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
};

for (const [kind, compress] of Object.entries(MEMBERS)) {
  test(`a damaged ${kind} yields nothing false, and no record is lost without a fault`, async (t) => {
    const members = [1, 2, 3].map((number) => compress(pageRecord(number)));
    const pages = [1, 2, 3].map((number) => `<title>Page ${number}</title><p>${`word${number} `.repeat(50)}`);
    let alone = 0;
    let tried = 0;
    // Behind the member's header, of which only the magic and the flags matter.
    for (let offset = 10; offset < members[1]!.length; offset += 3) {
      const damaged = Buffer.from(members[1]!);
      damaged[offset]! ^= 1 << (offset % 8);
      const { captures, faults } = await readBytes(t, Buffer.concat([members[0]!, damaged, members[2]!]));
      const read = captures.map((capture) => pages.indexOf(textOf(capture)) + 1);
      assert.equal(read[0], 1, `offset ${offset}`);
      assert.ok(
        read.every((page) => page === 1 || page === 3),
        `offset ${offset}`,
      );
      assert.ok(faults.length > 0 && faults.length + captures.length >= 3, `offset ${offset}`);
      tried++;
      if (captures.length === 2 && faults.length === 1 && faults[0]!.reason === 'unreadable') alone++;
    }
    assert.ok(alone > 0.9 * tried, `${alone} of ${tried} cost their own record alone, with one fault`);
  });
}

/** A frame that a reader may pass over, as a dictionary is kept in. */
function passedFrame(content: Uint8Array): Buffer {
  const head = Buffer.from([0x5d, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}

test('a WARC of zstd frames that share a dictionary is read, however long the dictionary', async (t) => {
  const noise = randomBytes(400_000).toString('base64');
  const dictionary = Buffer.from(`${noise}${pageRecord(7)}`);
  const frames = [1, 2, 3].map((number) => zstdCompressSync(pageRecord(number), { dictionary }));
  const urls = [1, 2, 3].map((number) => `https://example.org/${number}`);
  for (const kept of [dictionary, zstdCompressSync(dictionary)]) {
    const { captures, items } = await readBytes(t, Buffer.concat([passedFrame(kept), ...frames]));
    assert.deepEqual([captures.map(({ url }) => url), items.length], [urls, 3]);
  }
  const piped = (async function* () {
    yield passedFrame(dictionary);
    yield* frames;
  })();
  const source = await openSource('-', OPTIONS, piped);
  assert.equal((await collect(source.items())).captures.length, 3);
});

test('of a WARC whose dictionary is missing, cut off or damaged a fault says so', async (t) => {
  const dictionary = Buffer.from(`${pageRecord(7)}`.repeat(20));
  const frames = Buffer.concat([1, 2].map((number) => zstdCompressSync(pageRecord(number), { dictionary })));
  const packed = zstdCompressSync(dictionary);
  packed[packed.length >> 1]! ^= 255;
  const broken = [
    [passedFrame(dictionary).subarray(0, 99), 'truncated', /dictionary is cut off/],
    [Buffer.concat([passedFrame(packed), frames]), 'unreadable', /dictionary is damaged/],
    [Buffer.from([0x5d, 0x2a, 0x4d, 0x18, 0, 0, 0, 0xff]), 'unreadable', /dictionary has 4278190080 bytes/],
  ] as const;
  for (const [bytes, reason, detail] of broken) {
    const { captures, faults } = await readBytes(t, bytes);
    assert.deepEqual([captures.length, faults.length, faults[0]?.reason], [0, 1, reason]);
    assert.match(faults[0]!.detail, detail);
  }
});

test('zeros between gzip members are padding, other bytes are a fault', async (t) => {
  const [first, second] = [1, 2].map((number) => gzipSync(pageRecord(number)));
  const padded = await readBytes(t, Buffer.concat([first!, Buffer.alloc(1000), second!, Buffer.alloc(512)]));
  assert.deepEqual([padded.captures.length, padded.faults.length], [2, 0]);
  const noisy = await readBytes(t, Buffer.concat([first!, Buffer.from('spilled ink'), second!]));
  assert.deepEqual([noisy.captures.length, noisy.faults.length], [2, 1]);
});

test('gzip headers with a name, a comment, extra fields and a checksum are read', async (t) => {
  const plain = gzipSync(pageRecord(1));
  const extra = Buffer.from([3, 0, 7, 8, 9]);
  const header = Buffer.concat([
    plain.subarray(0, 3),
    Buffer.from([2 | 4 | 8 | 16]),
    plain.subarray(4, 10),
    extra,
  ]);
  const bytes = Buffer.concat([
    header,
    Buffer.from('name\0comment\0'),
    Buffer.from([1, 2]),
    plain.subarray(10),
  ]);
  const { items, captures } = await readBytes(t, Buffer.concat([bytes, gzipSync(pageRecord(2))]));
  assert.deepEqual([items.length, captures.length], [2, 2]);
});

test('bodies have an ArrayBuffer of their own, so that they can be moved to a worker', async (t) => {
  const coded = [
    httpResponse(gzipSync(PAGE), { 'Content-Encoding': 'gzip' }),
    httpResponse(`${(PAGE.length + 2).toString(16)}\r\n${PAGE}\r\n0\r\n\r\n`, {
      'Transfer-Encoding': 'chunked',
    }),
  ];
  const records = [pageRecord(1), ...coded.map((block) => warcRecord('response', URL, block))];
  const { captures } = await readBytes(t, Buffer.concat(records));
  assert.equal(captures.length, 3);
  for (const { body } of captures) assert.equal(body.buffer.byteLength, body.length);
});

test('a record cut anywhere inside its headers is a fault, and the next one is read', async (t) => {
  const [cut, next] = [pageRecord(1), pageRecord(2)];
  const headBytes = cut.indexOf('\r\n\r\n');
  for (let at = 'WARC/'.length; at < headBytes; at++) {
    const { items } = await readBytes(t, Buffer.concat([pageRecord(0), cut.subarray(0, at), next]));
    assert.deepEqual(
      items.map((item) => (item.kind === 'fault' ? 'fault' : item.url)),
      ['https://example.org/0', 'fault', 'https://example.org/2'],
      `cut at ${at}`,
    );
  }
});

test('a value that ends like a version line is a value', async (t) => {
  const record = warcRecord('response', 'https://example.org/WARC/1.0', httpResponse(PAGE));
  const { items } = await readBytes(t, Buffer.concat([record, pageRecord(2)]));
  assert.deepEqual(
    items.map(({ kind, url }) => [kind, url]),
    [
      ['capture', 'https://example.org/WARC/1.0'],
      ['capture', 'https://example.org/2'],
    ],
  );
});

test('a record of no known type is named', async (t) => {
  const { faults } = await readBytes(t, warcRecord('respons', URL, httpResponse(PAGE)));
  assert.deepEqual(
    faults.map(({ reason, url, detail }) => [reason, url, detail]),
    [['unreadable', URL, 'unknown WARC-Type "respons"']],
  );
});
