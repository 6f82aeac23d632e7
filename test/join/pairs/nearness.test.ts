import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JaccardNearness, rowNearness, WHOLE } from '../../../src/join/pairs/nearness.ts';
import { createNeighborTable } from '../../../src/join/pairs/neighbor-table.ts';
import { Random } from '../../../src/lib/random.ts';
import { slowNearness } from '../../slow-votes.ts';

const PAGES = 60;
const K = 8;

test('rows have the nearness of each pair, whichever rows come together and name each other', () => {
  const random = new Random(5);
  const bags = Array.from({ length: PAGES }, () => {
    const drawn = Array.from({ length: random.below(30) }, () => random.below(80));
    const features = Uint32Array.from(new Set(drawn)).sort();
    const weights = Uint8Array.from(features, () => 1 + random.below(9));
    return { features, weights, sum: weights.reduce((sum, weight) => sum + weight, 0) };
  });
  for (const [first, count] of [
    [0, PAGES],
    [20, 30],
  ] as const) {
    const rows = createNeighborTable(count, K);
    for (let row = 0; row < count; row++) {
      const ids = new Set(Array.from({ length: K }, () => random.below(PAGES)));
      ids.delete(first + row);
      rows.counts[row] = ids.size;
      for (const [i, id] of [...ids].entries()) {
        const [own, other] = [bags[first + row]!, bags[id]!];
        const total = Math.max(1, own.sum + other.sum);
        const shared = Math.round((slowNearness(own, other).similarity * total) / 2);
        rows.ids.set([id], row * K + i);
        rows.shared.set([shared], row * K + i);
        rows.total.set([total], row * K + i);
      }
    }
    const found = rowNearness(new JaccardNearness(), first, rows, (page) => bags[page]!);
    for (let row = 0; row < count; row++) {
      for (let slot = row * K; slot < row * K + rows.counts[row]!; slot++) {
        const [own, other] = [bags[first + row]!, bags[rows.ids[slot]!]!];
        const { similarity, nearness } = slowNearness(own, other);
        const stored = rows.shared[slot]! / rows.total[slot]!;
        const expected = nearness * WHOLE + (WHOLE * (stored - similarity)) / 2;
        assert.ok(Math.abs(found[slot]! - expected) <= 1, `${found[slot]} ${expected}`);
      }
    }
  }
});
