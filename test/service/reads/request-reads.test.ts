import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeReads, encodeReads } from '../../../src/service/reads/read-codec.ts';
import { RequestReads } from '../../../src/service/reads/shards/request-reads.ts';

type AskShard = ConstructorParameters<typeof RequestReads>[3];

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

test('reads of one turn go out together, one request a shard, each once', async () => {
  const asked: string[] = [];
  const request = new RequestReads([true, true], new Uint8Array(9), NONE_LOST, odd(asked));
  const read = () => Promise.all([1, 2, 1, 4].map((page) => request.read(page % 2, 'isGone', page)));
  assert.deepEqual(await read(), [true, false, true, false]);
  assert.deepEqual(await read(), [true, false, true, false]);
  assert.deepEqual(asked.sort(), ['0: isGone 2, isGone 4', '1: isGone 1']);
  assert.deepEqual(request.lost, []);
});

test('more reads than a shard takes at once go out one request after the other', async () => {
  const sizes: number[] = [];
  const request = new RequestReads([true], new Uint8Array(9), NONE_LOST, async (_shard, reads) => {
    sizes.push(reads.length);
    // As the route refuses them.
    return reads.length > 100_000 || sizes.length > 11 ? null : reads.map(() => true);
  });
  const pages = Array.from({ length: 120_000 }, (_, page) => page);
  const said = await Promise.all(pages.map((page) => request.read(0, 'isGone', page)));
  assert.deepEqual(
    sizes.map((size) => size <= 10_000),
    Array(12).fill(true),
  );
  assert.deepEqual([said.indexOf(undefined), said.filter(Boolean).length], [110_000, 110_000]);
  assert.deepEqual(request.lost, [0]);
});

test('what was asked long ago is not kept: an export of all does not stand in memory', async () => {
  const counts = new Map<unknown, number>();
  const request = new RequestReads([true], new Uint8Array(9), NONE_LOST, async (_shard, reads) => {
    for (const [, page] of reads) counts.set(page, (counts.get(page) ?? 0) + 1);
    return reads.map(() => true);
  });
  const ask = (first: number) =>
    Promise.all(Array.from({ length: 1000 }, (_, i) => request.read(0, 'isGone', first + i)));
  for (const first of [0, 0, 1000, 0]) await ask(first);
  assert.equal(counts.get(0), 1, 'what is asked again soon is');
  for (let first = 1000; first < 50_000; first += 1000) await ask(first);
  await ask(0);
  assert.equal(counts.get(0), 2);
});

test('what takes long goes by itself', async () => {
  const asked: string[] = [];
  const request = new RequestReads([true], new Uint8Array(9), NONE_LOST, async (_shard, reads) => {
    asked.push(reads.map(([name]) => name).join(' '));
    return reads.map(([name]) => (name === 'isGone' ? true : null));
  });
  const [gone, links] = await Promise.all([request.read(0, 'isGone', 1), request.read(0, 'allLinks')]);
  assert.deepEqual(asked.sort(), ['allLinks', 'isGone']);
  // No shard says null of its links; look-ups go on.
  assert.deepEqual([gone, links, request.lost], [true, undefined, [0]]);
  assert.equal(await request.read(0, 'isGone', 2), true);
});

test('a shard that does not answer is asked once, and missed', async () => {
  const asked: string[] = [];
  const request = new RequestReads([true, true, true], new Uint8Array(9), NONE_LOST, odd(asked));
  for (let turn = 0; turn < 3; turn++) {
    const said = await Promise.all([5, 6 + turn].map((page) => request.read(2, 'isGone', page)));
    assert.deepEqual(said, [undefined, undefined]);
  }
  assert.equal(asked.length, 1);
  assert.deepEqual(request.lost, [2]);
  assert.ok(request.isLost(2) && !request.isLost(0));
});
