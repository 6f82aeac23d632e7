import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPostings } from '../../../src/join/exact/postings.ts';
import { bagOf, bruteForce, randomMatrix } from '../bags.ts';
import { exactPairs } from '../in-memory.ts';

test('the pairs at a threshold are those of the brute force, once each and in order', () => {
  for (const [seed, threshold, blockPages] of [
    [1, 0.2, 1000],
    [2, 0.5, 30],
    [3, 1, 7],
  ] as const) {
    const matrix = randomMatrix(120, 80, seed);
    const pairs = exactPairs(matrix, buildPostings(matrix, blockPages), threshold);
    const rows = Array.from(pairs.a, (a, i) => [a, pairs.b[i], pairs.shared[i], pairs.total[i]]);
    const truth = Array.from({ length: 120 }, (_, a) =>
      bruteForce(bagOf(matrix, a), matrix, threshold)
        .filter((near) => near.id > a)
        .sort((x, y) => x.id - y.id)
        .map((near) => [a, near.id, near.shared, near.total]),
    ).flat();
    assert.ok(truth.length > 5);
    assert.deepEqual(rows, truth);
  }
});

test('a range of pages gives their part of the pairs', () => {
  const matrix = randomMatrix(90, 50, 8);
  const postings = buildPostings(matrix);
  const whole = exactPairs(matrix, postings, 0.2);
  const part = exactPairs(matrix, postings, 0.2, 30, 60);
  const wanted = Array.from(whole.a.keys()).filter((i) => whole.a[i]! >= 30 && whole.a[i]! < 60);
  assert.ok(wanted.length > 0);
  assert.deepEqual(
    Array.from(part.b),
    wanted.map((i) => whole.b[i]),
  );
});
