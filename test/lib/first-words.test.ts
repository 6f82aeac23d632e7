import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstWords } from '../../src/lib/first-words.ts';

test('a line is cut behind a word', () => {
  assert.equal(firstWords('one two three four', 10), 'one two');
  assert.equal(firstWords('one two three four', 13), 'one two three');
});

test('a script without spaces is cut where it is long, not at the one space before it', () => {
  const text = `茶 ${'茶の湯は心を静める'.repeat(40)}`;
  assert.equal(firstWords(text, 240), text.slice(0, 240));
});

test('no pair of surrogates is cut in two', () => {
  for (let max = 9; max < 14; max++) {
    const cut = firstWords('\u{1F375}'.repeat(20), max);
    assert.ok(cut.isWellFormed() && max - cut.length < 2, String(max));
  }
});
