import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shingleBlocks } from '../../../src/indexer/write/shingle-index.ts';
import { Random } from '../../../src/lib/random.ts';
import { tableOf } from '../../../src/sketch/sketch-table.ts';

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
