import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BagMatrix, bagAt } from '../../../src/features/bag.ts';
import { roundWeights } from '../../../src/features/weigh.ts';
import { LentBags } from '../../../src/join/lend/lent-bags.ts';
import { lentEntryCount, lentMatrix } from '../../../src/join/lend/lent-lists.ts';
import { createNeighborTable } from '../../../src/join/pairs/neighbor-table.ts';
import { Random } from '../../../src/lib/random.ts';

const FEATURES = 4_000;

/** Features of pages, ascending, each of one weight. */
function matrixOf(pages: readonly (readonly number[])[], weight: number): BagMatrix {
  const offsets = new Float64Array(pages.length + 1);
  for (const [page, features] of pages.entries()) offsets[page + 1] = offsets[page]! + features.length;
  const features = Uint32Array.from(pages.flat());
  return {
    offsets,
    features,
    weights: new Uint8Array(features.length).fill(weight),
    sums: Uint16Array.from(pages, ({ length }) => weight * length),
    featureCount: FEATURES,
  };
}

/** Each page has the ten behind it. */
function tenOf(pageCount: number) {
  const table = createNeighborTable(pageCount, 10);
  for (let page = 0; page < pageCount; page++) {
    table.counts[page] = 10;
    for (let i = 0; i < 10; i++) {
      table.ids[10 * page + i] = (page + 1 + i) % pageCount;
      table.shared[10 * page + i] = 100 - i;
      table.total[10 * page + i] = 400;
    }
  }
  return table;
}

function requireSame(matrix: BagMatrix, table: ReturnType<typeof tenOf>, share: number): BagMatrix {
  const lent = lentMatrix(matrix, table, share);
  const one = new LentBags(share);
  for (let page = 0; page < matrix.sums.length; page++) {
    const lenders = [...table.ids.subarray(10 * page, 10 * page + 10)].map((id, i) => ({
      bag: bagAt(matrix, id),
      similarity: (100 - i) / 400,
    }));
    assert.deepEqual(bagAt(lent, page), one.of(bagAt(matrix, page), lenders));
  }
  return lent;
}

test('lent bags stand side by side, and are as many entries as memory is asked for', () => {
  const random = new Random(9);
  const pages = Array.from({ length: 600 }, () => {
    const features = new Set<number>();
    while (features.size < 12) features.add(random.below(FEATURES));
    return [...features].sort((a, b) => a - b);
  });
  for (const share of [0.1, 0.3]) {
    const matrix = matrixOf(pages, 33);
    const { offsets } = requireSame(matrix, tenOf(pages.length), share);
    const asked = lentEntryCount(matrix, share);
    assert.ok(
      offsets.at(-1)! < 1.02 * asked && offsets.at(-1)! > 0.8 * asked,
      `${offsets.at(-1)} of ${asked}`,
    );
  }
});

test('where all that is lent is rounded up there is room, too', () => {
  const light = new Float64Array(FEATURES).fill(0.15);
  const rounded = new Uint8Array(FEATURES);
  roundWeights(light, Uint32Array.from(light.keys()), rounded);
  const up = [...rounded.keys()].filter((feature) => rounded[feature] === 1);
  assert.ok(up.length >= 20 * 12, `${up.length}`);
  const matrix = matrixOf(
    Array.from({ length: 20 }, (_, page) => up.slice(12 * page, 12 * page + 12)),
    20,
  );
  const { offsets } = requireSame(matrix, tenOf(20), 0.1);
  assert.ok(offsets.at(-1)! > 1.5 * lentEntryCount(matrix, 0.1));
});
