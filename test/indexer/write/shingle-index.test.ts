import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertShingles } from '../../../src/indexer/insert-shingles.ts';
import { shingleBlocks } from '../../../src/indexer/write/shingle-index.ts';
import { Random } from '../../../src/lib/random.ts';
import { tableOf } from '../../../src/sketch/sketch-table.ts';
import type { ShingleEntry } from '../../../src/store/blobs/sketch-blobs.ts';

const random = new Random(2);

/** Sketches of 0 to 30 of 400 keys, so that many keys are in many pages. */
const sketches = Array.from({ length: 300 }, () => {
  const keys = new Set(Array.from({ length: random.below(31) }, () => 2 ** 41 - 200 + random.below(400)));
  return { keys: Float64Array.from(keys).sort(), limit: Number.POSITIVE_INFINITY, shingleCount: keys.size };
});
const table = tableOf(sketches);
/** Page p stands for the versions 2p and 2p + 1. */
const versions = {
  starts: Uint32Array.from({ length: 301 }, (_, i) => 2 * i),
  members: Uint32Array.from({ length: 600 }, (_, i) => i),
};
const options = { keysPerPage: 16, maxPagesPerShingle: 20 };

const plain = (entries: readonly ShingleEntry[]) =>
  entries.map(({ key, versionIds }) => [key, versionIds && [...versionIds]]);

function slowly(): [number, number[] | null][] {
  const found = new Map<number, number[]>();
  for (const [page, { keys }] of sketches.entries()) {
    for (const key of keys.subarray(0, 16))
      found.set(key, [...(found.get(key) ?? []), 2 * page, 2 * page + 1]);
  }
  return [...found].sort(([a], [b]) => a - b).map(([key, ids]) => [key, ids.length > 20 ? null : ids]);
}

test('the blocks hold the lowest keys of every version, ascending, the frequent ones without a list', () => {
  const entries = [...shingleBlocks(table, versions, options, 1 << 30)].flat();
  assert.deepEqual(
    entries.map(({ key, versionIds }) => [key, versionIds && [...versionIds]]),
    slowly(),
  );
  assert.ok(entries.some(({ versionIds }) => versionIds === null));
});

test('the budget leaves no trace', () => {
  const expected = [...shingleBlocks(table, versions, options, 1 << 30)];
  assert.ok(expected.length > 1);
  assert.deepEqual([...shingleBlocks(table, versions, options, 10_000)], expected);
});

test('versions put in part by part give the entries of one index over all', () => {
  const own = {
    starts: Uint32Array.from({ length: 301 }, (_, i) => i),
    members: Uint32Array.from({ length: 300 }, (_, i) => i),
  };
  const expected = [...shingleBlocks(table, own, options, 1 << 30)].flat();
  const kept = new Map<number, ShingleEntry[]>();
  const blocks = {
    firstKeys: () => Float64Array.from(kept.keys()).sort(),
    block: (key: number) => kept.get(key)!,
    removeBlock: (key: number) => kept.delete(key),
    shingleBlock: (entries: readonly ShingleEntry[]) => kept.set(entries[0]!.key, [...entries]),
  };
  for (const [from, to] of [
    [0, 3],
    [3, 4],
    [4, 200],
    [200, 300],
  ] as const) {
    const part = sketches.slice(from, to).map(({ keys }, i) => [from + i, keys] as const);
    insertShingles(blocks, part, options);
  }
  const found = [...kept].sort(([a], [b]) => a - b).flatMap(([, entries]) => entries);
  assert.deepEqual(plain(found), plain(expected));
  assert.ok(kept.size > 1);
});
