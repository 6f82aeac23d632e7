import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeReads, encodeReads } from '../../../src/service/shards/read-codec.ts';
import { type AskShard, RequestReads } from '../../../src/service/shards/request-reads.ts';

test('numbers of every kind come back as they were sent', () => {
  const value = {
    ids: Uint32Array.of(0, 1, 2 ** 32 - 1),
    weights: Uint8Array.of(1, 255),
    shared: Uint16Array.of(65_535),
    keys: Float64Array.of(2 ** 52, 0.1),
    signed: Int32Array.of(-1),
    limit: Number.POSITIVE_INFINITY,
    nothing: null,
    texts: ['a', { deep: [Uint32Array.of(7)] }],
  };
  assert.deepEqual(decodeReads(encodeReads(value)), value);
  assert.deepEqual(decodeReads(encodeReads(Buffer.from('abc'))), Uint8Array.of(97, 98, 99));
});

const NONE_LOST = { lost: [], slow: [] };

/** Answers `isGone` of page p: whether p is odd; notes what was asked. */
function odd(asked: string[]): AskShard {
  return async (shard, reads) => {
    asked.push(`${shard}: ${reads.map((read) => read.join(' ')).join(', ')}`);
    return shard === 2 ? null : reads.map(([, page]) => (page as number) % 2 === 1);
  };
}

test('reads of one time go out together, one request a shard, each once', async () => {
  const asked: string[] = [];
  const request = new RequestReads([true, true], new Uint8Array(9), NONE_LOST, odd(asked));
  const make = () => [1, 2, 1].map((page) => request.read(page % 2, 'isGone', [page], false));
  request.begin();
  assert.deepEqual([make(), request.isWhole], [[false, false, false], false]);
  await request.fetch();
  request.begin();
  assert.deepEqual([make(), request.isWhole], [[true, false, true], true]);
  assert.deepEqual(asked.sort(), ['0: isGone 2', '1: isGone 1']);
  assert.deepEqual([...request.missed], []);
});

test('a shard that does not answer is asked once, and missed', async () => {
  const asked: string[] = [];
  const request = new RequestReads([true, true, true], new Uint8Array(9), NONE_LOST, odd(asked));
  for (let round = 0; round < 3; round++) {
    request.begin();
    request.read(2, 'isGone', [5], false);
    request.read(2, 'isGone', [5 + round], false);
    if (!request.isWhole) await request.fetch();
  }
  assert.equal(asked.length, 1);
  assert.deepEqual([...request.missed], [2]);
  assert.ok(request.isLost(2) && !request.isLost(0));
});

test('where nothing can stand for an answer, what is made of it is not made', () => {
  const request = new RequestReads([true], new Uint8Array(9), NONE_LOST, odd([]));
  assert.throws(() => request.read(0, 'isGone', [1], undefined));
  assert.ok(!request.isWhole);
});
