import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postingRows } from '../../../src/indexer/write/posting-rows.ts';
import { buildPostings } from '../../../src/join/exact/postings.ts';
import { randomMatrix } from '../../join/bags.ts';

test('rows are those of the whole lists, whatever fits at once', () => {
  const matrix = randomMatrix(90, 40, 3);
  const blockPages = 32;
  const { blocks } = buildPostings(matrix, blockPages);
  const expected: [feature: number, block: number, entries: number[]][] = [];
  for (let feature = 0; feature < matrix.featureCount; feature++) {
    for (const [block, { offsets, entries }] of blocks.entries()) {
      const own = [...entries.subarray(offsets[feature]!, offsets[feature + 1]!)];
      if (own.length > 0) expected.push([feature, block, own]);
    }
  }
  for (const budgetBytes of [1, 5 * 70, 5 * 300, 1 << 20]) {
    const rows = postingRows(matrix, budgetBytes, undefined, blockPages);
    assert.deepEqual(
      Array.from(rows, ({ feature, block, entries }) => [feature, block, [...entries]]),
      expected,
    );
  }
  assert.deepEqual([...postingRows(randomMatrix(0, 40, 3), 100)], []);
});
