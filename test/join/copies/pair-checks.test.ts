import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPairs } from '../../../src/join/copies/pair-checks.ts';
import { wordSimhash } from '../../../src/sketch/word-simhash.ts';
import { readTokens } from '../../../src/text/tokens.ts';

const texts = [
  'one two three four five six',
  'six five four three two one',
  'other words than those above here',
];
const simhashes = Uint32Array.from(texts.flatMap((text) => [...wordSimhash(readTokens(text))]));
const pairs = {
  a: Uint32Array.of(0, 0, 1),
  b: Uint32Array.of(1, 2, 2),
  shared: Uint32Array.of(5, 6, 7),
  ofA: Uint32Array.of(9, 9, 9),
  ofB: Uint32Array.of(8, 8, 8),
};

test('pages of one site must agree in their words, pages of two sites need not', () => {
  const { pairs: kept, report } = checkPairs(pairs, { siteOfPage: Uint32Array.of(1, 1, 1), simhashes });
  assert.deepEqual([...kept.a, ...kept.b, ...kept.shared], [0, 1, 5]);
  assert.deepEqual(report, {
    sameSiteCount: 1,
    crossSiteCount: 0,
    translationCount: 0,
    sameSiteRejectedCount: 2,
  });
  assert.equal(
    checkPairs(pairs, { siteOfPage: Uint32Array.of(1, 2, 3), simhashes }).report.crossSiteCount,
    3,
  );
});

test('pages that declare two languages are no copies, silence is no language', () => {
  const { pairs: kept, report } = checkPairs(pairs, {
    siteOfPage: Uint32Array.of(1, 1, 2),
    languageOfPage: Uint32Array.of(4, 0, 5),
  });
  assert.deepEqual([...kept.a, ...kept.b, ...kept.ofB], [0, 1, 1, 2, 8, 8]);
  assert.equal(report.translationCount, 1);
});

test('without facts to check by all pairs stay', () => {
  assert.deepEqual(checkPairs(pairs, { siteOfPage: new Uint32Array(3) }).pairs, pairs);
});

test('a pair of one site that is sure needs no second opinion', () => {
  const facts = { siteOfPage: new Uint32Array(3), simhashes };
  // Resemblances 5/12, 6/11 and 7/10.
  const { pairs: kept, report } = checkPairs(pairs, facts, 384, 0.7);
  assert.deepEqual([...kept.shared], [5, 7]);
  assert.equal(report.sameSiteRejectedCount, 1);
});
