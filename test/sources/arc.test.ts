import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arcRecord, gzipMembers, httpResponse, readBytes, textOf } from './archive-bytes.ts';

const DESCRIPTION = arcRecord(
  'filedesc://x.arc',
  '1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n',
  'text/plain',
);
const PAGE = '<p>page</p>';

test('an ARC file yields its HTTP responses, plain and in gzip members', async (t) => {
  const records = [
    DESCRIPTION,
    arcRecord('dns:example.org', '192.0.2.1', 'text/dns'),
    arcRecord('http://example.org/a b', httpResponse(PAGE)),
    arcRecord('http://example.org/moved', httpResponse('', { Location: '/a' }, '302 Found')),
    arcRecord('http://example.org/gone', httpResponse('', {}, '404 Not Found')),
  ];
  for (const bytes of [Buffer.concat(records), gzipMembers(records)]) {
    const { captures, faults } = await readBytes(t, bytes);
    assert.deepEqual(
      captures.map((capture) => [capture.url, capture.status, textOf(capture), capture.fetchedAtMs]),
      [
        ['http://example.org/a b', 200, PAGE, Date.UTC(2008, 3, 30, 20, 48, 25)],
        ['http://example.org/moved', 302, '', Date.UTC(2008, 3, 30, 20, 48, 25)],
      ],
    );
    assert.deepEqual(
      faults.map((fault) => [fault.reason, fault.status]),
      [['status', 404]],
    );
  }
});

test('the longer lines of ARC version 2 are read', async (t) => {
  const block = httpResponse(PAGE);
  const line = `http://example.org/ 192.0.2.1 20080430204825 text/html 200 ABC - 123 x.arc ${block.length}\n`;
  const { captures } = await readBytes(
    t,
    Buffer.concat([DESCRIPTION, Buffer.from(line), block, Buffer.from('\n')]),
  );
  assert.deepEqual(captures.map(textOf), [PAGE]);
});

test('a day that no month has is no date', async (t) => {
  const record = arcRecord('http://example.org/', httpResponse(PAGE));
  const bytes = Buffer.concat([
    DESCRIPTION,
    Buffer.from(record.toString('latin1').replace('20080430', '20080431'), 'latin1'),
  ]);
  const { captures } = await readBytes(t, bytes);
  assert.deepEqual(
    captures.map((capture) => [textOf(capture), capture.fetchedAtMs]),
    [[PAGE, null]],
  );
});

test('a record with a bad length is a fault and the next one is read', async (t) => {
  const bad = Buffer.from(
    'http://example.org/bad 192.0.2.1 20080430204825 text/html -1\nHTTP/1.1 200 OK\n\nlost\n',
  );
  const { captures, faults } = await readBytes(
    t,
    Buffer.concat([DESCRIPTION, bad, arcRecord('http://example.org/', httpResponse(PAGE))]),
  );
  assert.deepEqual(captures.map(textOf), [PAGE]);
  assert.deepEqual(
    faults.map((fault) => [fault.reason, fault.url]),
    [['unreadable', 'http://example.org/bad']],
  );
});

test('an ARC file cut inside a record ends with one truncated fault', async (t) => {
  const bytes = Buffer.concat([
    DESCRIPTION,
    arcRecord('http://example.org/', httpResponse(PAGE)),
    arcRecord('http://example.org/b', httpResponse(PAGE)),
  ]);
  const { captures, faults } = await readBytes(t, bytes.subarray(0, -8));
  assert.equal(captures.length, 1);
  assert.deepEqual(
    faults.map((fault) => [fault.reason, fault.url]),
    [['truncated', 'http://example.org/b']],
  );
});
