import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPostings } from '../../../src/join/exact/postings.ts';
import { Random } from '../../../src/lib/random.ts';
import { matrixOf } from '../bags.ts';
import { exactPairs, thresholdJoin } from '../in-memory.ts';

test('the recall reported is that of all pairs, also where pages have more than are drawn', async () => {
  // 40 of 120 words each: some 700 pages at .2 or more, most of them just above it, where pairs are missed. The others
  // have 300 like them, of which none is missed: each of either kind counts, not only those that are drawn.
  const random = new Random(3);
  const rows = Array.from({ length: 1500 }, () => {
    const row = new Map<number, number>();
    while (row.size < 40) row.set(random.below(120), 3);
    return row;
  });
  for (let page = 0; page < 900; page++) {
    const words = Array.from({ length: 30 }, (_, word) => [120 + 30 * (page % 3) + word, 3] as const);
    rows.push(new Map([...words, [210 + page, 3]]));
  }
  const dense = matrixOf(rows, 1110);
  const pairCount = exactPairs(dense, buildPostings(dense), 0.2).a.length;
  assert.ok(pairCount > 300 * 1500, `${pairCount} pairs`);
  for (const maxRepetitions of [4, 8]) {
    const join = await thresholdJoin(dense, { threshold: 0.2, maxRepetitions });
    const recall = join.a.length / pairCount;
    assert.ok(Math.abs(recall - join.recall!) < 0.005, `${recall}, said ${join.recall}`);
  }
});
