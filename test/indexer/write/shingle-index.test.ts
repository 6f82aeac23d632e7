import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packShingles } from '../../../src/indexer/write/shingle-index.ts';
import { Random } from '../../../src/lib/random.ts';
import { sourceOf } from '../../../src/sketch/sketch-source.ts';
import { tableOf } from '../../../src/sketch/sketch-table.ts';
import { decodeShingleBlock, type ShingleEntry } from '../../../src/store/blobs/sketch-blobs.ts';
import { longTest } from '../../long-test.ts';

const random = new Random(2);
/** Keys below it are = 0 mod 25. */
const LIMIT = 14 * 2 ** 40;
/** A key that every page has. */
const COMMON = LIMIT - 300;

/** Sketches of up to 200 keys, half of them = 0 mod 25: some have more than 64 such, some fewer. */
const sketches = Array.from({ length: 300 }, () => {
  const drawn = Array.from({ length: random.below(201) }, () => LIMIT - 200 + random.below(400));
  const keys = Float64Array.from(new Set([COMMON, ...drawn])).sort();
  return { keys, limit: Number.POSITIVE_INFINITY, shingleCount: keys.length };
});
const table = tableOf(sketches);
/** Page p stands for the versions 2p and 2p + 1. */
const versions = {
  starts: Uint32Array.from({ length: 301 }, (_, i) => 2 * i),
  members: Uint32Array.from({ length: 600 }, (_, i) => i),
};

const plain = (entries: readonly ShingleEntry[]) =>
  entries.map(({ key, versionIds }) => [key, [...versionIds]]);

function blocks(budgetBytes: number): ShingleEntry[][] {
  const packed: ShingleEntry[][] = [];
  packShingles(sourceOf(table), versions, budgetBytes, (key, entries) =>
    packed.push(decodeShingleBlock(key, entries)),
  );
  return packed;
}

function slowly(): [number, number[]][] {
  const found = new Map<number, number[]>();
  for (const [page, { keys }] of sketches.entries()) {
    for (const [i, key] of keys.entries()) {
      if (i < 64 || key < LIMIT) found.set(key, [...(found.get(key) ?? []), 2 * page, 2 * page + 1]);
    }
  }
  return [...found].sort(([a], [b]) => a - b);
}

test('the blocks hold the keys = 0 mod 25 of every version and its 64 lowest, ascending', () => {
  const counts = sketches.map(({ keys }) => keys.filter((key) => key < LIMIT).length);
  assert.ok(Math.min(...counts) < 64 && Math.max(...counts) > 64);
  assert.deepEqual(plain(blocks(1 << 30).flat()), slowly());
});

longTest('more keys than are sorted together come in their order, each once', () => {
  // Half of them near 0, as are those of long pages.
  const drawn = Array.from(
    { length: 80_000 },
    (_, i) => random.below(2 ** (i % 2 === 0 ? 21 : 12)) * 2 ** 32 + random.below(2 ** 31),
  );
  const keys = Float64Array.from(new Set(drawn)).sort();
  const [first, last] = [keys.subarray(0, 64), keys.subarray(-64)];
  const pages = [
    first,
    ...Array.from({ length: keys.length / 64 }, (_, i) => keys.subarray(64 * i, 64 * (i + 1))),
    last,
  ];
  const many = tableOf(pages.map((keys) => ({ keys, limit: Number.POSITIVE_INFINITY, shingleCount: 64 })));
  const ids = Uint32Array.from({ length: pages.length + 1 }, (_, i) => i);
  const found: ShingleEntry[] = [];
  packShingles(sourceOf(many), { starts: ids, members: ids }, 1 << 30, (key, entries) =>
    found.push(...decodeShingleBlock(key, entries)),
  );
  const owners = new Map<number, number[]>();
  for (const [page, keys] of pages.entries())
    for (const key of keys) owners.set(key, [...(owners.get(key) ?? []), page]);
  assert.ok(owners.size > 2 * 2 ** 15);
  assert.deepEqual(
    plain(found),
    [...owners].sort(([a], [b]) => a - b),
  );
});

test('a key of many versions stands alone in its block', () => {
  const [first, second] = blocks(1 << 30);
  assert.deepEqual([first!.length, first![0]!.versionIds.length], [1, 600]);
  assert.ok(second!.length > 1);
});

test('the budget leaves no trace', () => {
  const expected = blocks(1 << 30);
  assert.ok(expected.length > 1);
  assert.deepEqual(blocks(10_000), expected);
});
