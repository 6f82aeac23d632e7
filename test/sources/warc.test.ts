import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { httpResponse, pageRecord, readBytes, textOf, warcRecord } from './archive-bytes.ts';

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
    badDates: null,
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
