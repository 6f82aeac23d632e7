import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { editDistance } from '../../../src/join/copies/edit-distance.ts';
import { TokenSequence } from '../../../src/text/token-sequence.ts';
import { readTokens } from '../../../src/text/tokens.ts';
import { longTest } from '../../long-test.ts';

const tokens = (words: readonly string[]) => readTokens(words.join(' '), new TokenSequence());

/** The whole table. */
function slowDistance(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, word] of a.entries()) {
    const next = [i + 1];
    for (const [j, other] of b.entries())
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (word === other ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}

test('the distance is that of the whole table, and where it is cut the truth is not below it', () => {
  const words = fc.array(fc.constantFrom('rose', 'thorn', 'leaf', 'bud'), { maxLength: 30 });
  fc.assert(
    fc.property(words, words, fc.integer({ min: 1, max: 200 }), (a, b, maxSteps) => {
      const truth = slowDistance(a, b);
      assert.deepEqual(editDistance(tokens(a), tokens(b)), { value: truth, exact: true });
      const { value, exact } = editDistance(tokens(a), tokens(b), maxSteps);
      assert.ok(exact ? value === truth : value <= truth, `${value} of ${truth}`);
    }),
    { numRuns: 300 },
  );
});

longTest('long texts that differ in little are measured, those that differ in all are cut', () => {
  const long = Array.from({ length: 100_000 }, (_, i) => `w${i % 977}`);
  const edited = long.toSpliced(5000, 1).toSpliced(70_000, 0, 'new', 'words');
  edited[200] = 'other';
  assert.deepEqual(editDistance(tokens(long), tokens(edited)), { value: 4, exact: true });
  const others = Array.from({ length: 100_000 }, (_, i) => `o${i}`);
  const { value, exact } = editDistance(tokens(long), tokens(others));
  assert.ok(!exact && value > 1900, String(value));
  const short = editDistance(tokens(long), tokens(others.slice(0, 10)));
  assert.deepEqual(short, { value: 99_990, exact: false });
  const uneven = editDistance(tokens(long.slice(0, 100)), tokens(others.slice(0, 2100)));
  assert.ok(!uneven.exact && uneven.value <= 2100 && uneven.value >= 2000, String(uneven.value));
});
