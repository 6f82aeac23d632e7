import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CopyFacts, checkPairs, isCopy } from '../../../src/join/copies/pair-checks.ts';
import { tableOf } from '../../../src/sketch/sketch-table.ts';
import { wordSimhash } from '../../../src/sketch/word-simhash.ts';
import { readTokens } from '../../../src/text/tokens.ts';

const texts = [
  'one two three four five six',
  'six five four three two one',
  'other words than those above here',
];
const simhashes = Uint32Array.from(texts.flatMap((text) => [...wordSimhash(readTokens(text))]));
const noKeys = { keys: new Float64Array(0), limit: Infinity, shingleCount: 0 };
const table = tableOf([noKeys, noKeys, noKeys]);
const pairs = {
  a: Uint32Array.of(0, 0, 1),
  b: Uint32Array.of(1, 2, 2),
  shared: Uint32Array.of(5, 6, 7),
  ofA: Uint32Array.of(9, 9, 9),
  ofB: Uint32Array.of(8, 8, 8),
};
const OPTIONS = {
  measure: 'containment',
  threshold: 0.4,
  minimumSample: 10,
  sameSiteAgreement: 355,
  sure: 1,
} as const;
const check = (
  facts: CopyFacts,
  options: Partial<typeof OPTIONS | { sure: number; threshold: number }> = {},
) => checkPairs(table, pairs, null, facts, { ...OPTIONS, ...options });

test('pages of one site must agree in their words, pages of two sites need not', () => {
  const { pairs: kept, report } = check({ siteOfPage: Uint32Array.of(1, 1, 1), simhashes });
  assert.deepEqual([...kept.a, ...kept.b, ...kept.shared], [0, 1, 5]);
  assert.deepEqual(report, {
    sameSiteCount: 1,
    crossSiteCount: 0,
    templateRejectedCount: 0,
    translationCount: 0,
    sameSiteRejectedCount: 2,
  });
  assert.equal(check({ siteOfPage: Uint32Array.of(1, 2, 3), simhashes }).report.crossSiteCount, 3);
});

test('the words of a page and of an excerpt of it are not held against each other', () => {
  // Resemblances 5/12, 6/11 and 7/10: the first is no more than one page in the other.
  const { pairs: kept } = check({ siteOfPage: new Uint32Array(3), simhashes }, { threshold: 0.5 });
  assert.deepEqual([...kept.shared], [5]);
});

test('pages that declare two languages are no copies, silence is no language', () => {
  const { pairs: kept, report } = check({
    siteOfPage: Uint32Array.of(1, 1, 2),
    languageOfPage: Uint32Array.of(4, 0, 5),
  });
  assert.deepEqual([...kept.a, ...kept.b, ...kept.ofB], [0, 1, 1, 2, 8, 8]);
  assert.equal(report.translationCount, 1);
});

test('without facts to check by all pairs stay', () => {
  const { template, ...kept } = check({ siteOfPage: new Uint32Array(3) }).pairs;
  assert.deepEqual(kept, pairs);
  assert.deepEqual([...template], [0, 0, 0]);
});

test('a pair of one site that is sure needs no second opinion', () => {
  const facts = { siteOfPage: new Uint32Array(3), simhashes };
  const { pairs: kept, report } = check(facts, { sure: 0.7, sameSiteAgreement: 384 } as object);
  assert.deepEqual([...kept.shared], [5, 7]);
  assert.equal(report.sameSiteRejectedCount, 1);
});

test('a pair reaches a threshold with and without the template of both, whatever the measure', () => {
  const pair = { shared: 80, ofA: 100, ofB: 100, limitOfA: 1, limitOfB: 1 };
  const reaches = (template: number, measure: 'resemblance' | 'containment', threshold: number) =>
    isCopy({ ...pair, template }, { measure, threshold, minimumSample: 10 });
  // 80 of 120, and without 60 keys of template 20 of 60.
  assert.deepEqual(
    [reaches(0, 'resemblance', 0.6), reaches(60, 'resemblance', 0.6), reaches(60, 'resemblance', 0.3)],
    [true, false, true],
  );
  // 80 of 100, and without the template 20 of 40.
  assert.deepEqual(
    [reaches(60, 'containment', 0.5), reaches(60, 'containment', 0.6), reaches(0, 'containment', 0.6)],
    [true, false, true],
  );
});

test('eleven shingles of twenty are a resemblance of .55, and a containment', () => {
  const whole = { template: 0, limitOfA: Infinity, limitOfB: Infinity };
  const likeHalf = { ...whole, shared: 11, ofA: 15, ofB: 16 };
  const excerpt = { ...whole, shared: 11, ofA: 20, ofB: 400 };
  const bound = { threshold: 0.55, minimumSample: 10 };
  assert.equal(isCopy(likeHalf, { ...bound, measure: 'resemblance' }), true);
  assert.equal(isCopy({ ...likeHalf, ofB: 17 }, { ...bound, measure: 'resemblance' }), false);
  assert.equal(isCopy(excerpt, { ...bound, measure: 'containment' }), true);
  assert.equal(isCopy({ ...excerpt, ofA: 21 }, { ...bound, measure: 'containment' }), false);
});
