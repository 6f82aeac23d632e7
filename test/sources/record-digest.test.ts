import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { base32 } from '../../src/lib/base32.ts';
import { httpResponse, pageRecord, readBytes, warcRecord } from './archive-bytes.ts';

const URL = 'https://example.org/a';
const PAGE = '<p>Grüße, page</p>';

test('a record is compared with the digest that it gives', async (t) => {
  const block = httpResponse(PAGE);
  const chunked = httpResponse(`${Buffer.byteLength(PAGE).toString(16)}\r\n${PAGE}\r\n0\r\n\r\n`, {
    'Transfer-Encoding': 'chunked',
  });
  const of = (algorithm: string, bytes: Uint8Array | string) => createHash(algorithm).update(bytes).digest();
  const hex = (algorithm: string, bytes: Uint8Array | string) =>
    `${algorithm}:${of(algorithm, bytes).toString('hex')}`;
  const record = (digests: Record<string, string>, bytes = block) =>
    warcRecord('response', URL, bytes, digests);
  const sound = [
    record({ 'WARC-Block-Digest': `sha1:${base32(of('sha1', block))}` }),
    record({ 'WARC-Block-Digest': `SHA1:${base32(of('sha1', block)).toLowerCase()}` }),
    record({ 'WARC-Block-Digest': hex('sha1', block) }),
    record({ 'WARC-Block-Digest': hex('sha256', block) }),
    record({ 'WARC-Block-Digest': `sha256:${base32(of('sha256', block))}====` }),
    record({ 'WARC-Block-Digest': 'blake3:00' }),
    record({ 'WARC-Payload-Digest': hex('md5', PAGE) }),
    // Archives take the body with its chunks, or without.
    record({ 'WARC-Payload-Digest': hex('sha1', PAGE) }, chunked),
    record(
      { 'WARC-Payload-Digest': hex('sha1', chunked.subarray(chunked.indexOf('\r\n\r\n') + 4)) },
      chunked,
    ),
    // Of what was sent, not of what was kept.
    record({ 'WARC-Payload-Digest': hex('sha1', 'more'), 'WARC-Truncated': 'length' }),
    // The digest of the block has compared the payload.
    record({ 'WARC-Block-Digest': hex('sha1', block), 'WARC-Payload-Digest': hex('sha1', 'other') }),
  ];
  const damaged = [
    record({ 'WARC-Block-Digest': hex('sha1', PAGE) }),
    record({ 'WARC-Payload-Digest': hex('sha256', 'other') }),
    warcRecord('request', URL, 'GET / HTTP/1.1', { 'WARC-Block-Digest': hex('sha1', '') }),
    warcRecord('response', URL, httpResponse('GIF89a', { 'Content-Type': 'image/gif' }), {
      'WARC-Block-Digest': hex('sha1', ''),
    }),
  ];
  const { captures, faults } = await readBytes(t, Buffer.concat([...sound, ...damaged, pageRecord(1)]));
  assert.equal(captures.length, sound.length + 1);
  assert.deepEqual(
    faults.map(({ reason, isDamage }) => [reason, isDamage]),
    damaged.map(() => ['digest', true]),
  );
  assert.match(faults[0]!.detail, /other bytes than its WARC-Block-Digest says \(sha1:/);
});

test('a length that lies is noticed by the digest, and what it leaves behind is the same fault', async (t) => {
  const block = httpResponse(`${PAGE}${'x'.repeat(500)}`);
  const digest = { 'WARC-Block-Digest': `sha1:${base32(createHash('sha1').update(block).digest())}` };
  const short = warcRecord('response', URL, block, {
    ...digest,
    'Content-Length': String(block.length - 300),
  });
  const long = warcRecord('response', URL, block, {
    ...digest,
    'Content-Length': String(block.length + 100),
  });
  for (const record of [short, long]) {
    const { captures, faults } = await readBytes(t, Buffer.concat([record, pageRecord(1), pageRecord(2)]));
    assert.deepEqual(
      faults.map(({ reason }) => reason),
      ['digest'],
    );
    assert.equal(captures.at(-1)!.url, 'https://example.org/2');
    assert.ok(captures.every(({ url }) => url !== URL));
  }
});
