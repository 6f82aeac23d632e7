import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sharedPassages } from '../../../src/join/copies/shared-passages.ts';
import { readTokens } from '../../../src/text/tokens.ts';

const SEED = 19970407;

function passages(a: string, b: string, shingleSize?: number): [string, string][] {
  return sharedPassages(readTokens(a), readTokens(b), shingleSize).map((p) => [
    a.slice(p.startOfA, p.endOfA),
    b.slice(p.startOfB, p.endOfB),
  ]);
}

test('a passage is shown as it stands in either text', () => {
  const a = 'First: the Quick brown fox, jumps over the lazy dog today.';
  const b = 'Yesterday THE QUICK BROWN FOX JUMPS over the lazy dog!';
  assert.deepEqual(passages(a, b, 4), [
    ['the Quick brown fox, jumps over the lazy dog', 'THE QUICK BROWN FOX JUMPS over the lazy dog'],
  ]);
  assert.deepEqual(passages(a, b), []);
});

test('passages come in the order of the first text, wherever they stand in the second', () => {
  const one = 'alpha beta gamma delta';
  const two = 'epsilon zeta eta theta';
  assert.deepEqual(passages(`${one} x ${two}`, `${two} y ${one}`, 3), [
    [one, one],
    [two, two],
  ]);
});

test('of several places the longest run is taken', () => {
  assert.deepEqual(passages('a b c d e f', 'a b c x a b c d e y a b c d', 3), [['a b c d e', 'a b c d e']]);
});

test('short texts share a passage only when they are equal whole', () => {
  assert.deepEqual(passages('two words', 'Two, words'), [['two words', 'Two, words']]);
  assert.deepEqual(passages('two words', 'two words more'), []);
  assert.deepEqual(passages('', ''), []);
});

test('a text is one passage of itself', () => {
  const text = 'so it goes and so it goes and so it goes '.repeat(40).trim();
  assert.deepEqual(passages(text, text), [[text, text]]);
});

test('passages are equal, long enough, apart, maximal, and cover every shared shingle', () => {
  const word = fc.constantFrom('a', 'b', 'c', 'd');
  const textOf = fc.array(word, { maxLength: 60 });
  let found = 0;
  fc.assert(
    fc.property(textOf, textOf, fc.integer({ min: 1, max: 5 }), (a, b, size) => {
      if (Math.min(a.length, b.length) < size) return;
      const list = sharedPassages(readTokens(a.join(' ')), readTokens(b.join(' ')), size);
      const covered = new Uint8Array(a.length);
      let behind = 0;
      for (const p of list) {
        // Tokens of one letter with a space between: offset / 2 is the token's number.
        const [i, j, n] = [p.startOfA / 2, p.startOfB / 2, p.tokenCount];
        assert.deepEqual(a.slice(i, i + n), b.slice(j, j + n));
        assert.ok(n >= size && i >= behind);
        assert.ok(a[i + n] === undefined || a[i + n] !== b[j + n]);
        behind = i + n;
        covered.fill(1, i, i + n);
      }
      const shingles = new Set(
        b.flatMap((_, j) => (j + size <= b.length ? [b.slice(j, j + size).join()] : [])),
      );
      for (let i = 0; i + size <= a.length; i++) {
        if (shingles.has(a.slice(i, i + size).join())) assert.equal(covered[i], 1);
      }
      found += list.length;
    }),
    { seed: SEED, numRuns: 300 },
  );
  assert.ok(found > 200);
});

test('two long texts of one repeated word do not take long', () => {
  const a = readTokens('again '.repeat(60_000));
  const b = readTokens('again '.repeat(50_000));
  const list = sharedPassages(a, b);
  assert.deepEqual(
    list.map((passage) => passage.tokenCount),
    [50_000, 10_000],
  );
});
