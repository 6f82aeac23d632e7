import assert from 'node:assert/strict';
import { test } from 'node:test';
import { equalityFingerprints } from '../../src/sketch/fingerprint.ts';
import { sketchTokens } from '../../src/sketch/shingle-sketch.ts';
import { readTokens } from '../../src/text/tokens.ts';

function fingerprints(text: string) {
  const tokens = readTokens(text);
  return equalityFingerprints(text, tokens, sketchTokens(tokens));
}

const SENTENCE = 'one two three four five six seven eight nine ten eleven twelve';

test('equal text is equal in all three', () => {
  assert.deepEqual(fingerprints(SENTENCE), fingerprints(SENTENCE));
  assert.match(fingerprints(SENTENCE).shingles, /^[0-9a-f]{16}$/);
});

test('markup, case and spacing leave texts lexically equivalent', () => {
  const a = fingerprints(SENTENCE);
  const b = fingerprints(`  ${SENTENCE.toUpperCase().replaceAll(' ', ',\n')}.`);
  assert.notEqual(a.text, b.text);
  assert.equal(a.tokens, b.tokens);
  assert.equal(a.shingles, b.shingles);
});

test('repeating a whole text that goes round leaves it shingle-equivalent only', () => {
  const round = 'a b c d e f g h i j '.repeat(3);
  const a = fingerprints(round);
  const b = fingerprints(round.repeat(2));
  assert.notEqual(a.tokens, b.tokens);
  assert.equal(a.shingles, b.shingles);
});

test('another word, another order or a shorter text differs in all three', () => {
  const a = fingerprints(SENTENCE);
  for (const other of [SENTENCE.replace('six', 'sex'), SENTENCE.split(' ').reverse().join(' '), 'one', '']) {
    const b = fingerprints(other);
    assert.notEqual(a.text, b.text);
    assert.notEqual(a.tokens, b.tokens);
    assert.notEqual(a.shingles, b.shingles);
  }
});

test('five thousand different texts have as many fingerprints of each kind', () => {
  const kinds = { text: new Set<string>(), tokens: new Set<string>(), shingles: new Set<string>() };
  for (let i = 0; i < 5000; i++) {
    const print = fingerprints(`page ${i} of ${5000 - i} ${i % 7} b c d e f g h i`);
    kinds.text.add(print.text);
    kinds.tokens.add(print.tokens);
    kinds.shingles.add(print.shingles);
  }
  assert.deepEqual([kinds.text.size, kinds.tokens.size, kinds.shingles.size], [5000, 5000, 5000]);
});
