import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bm25 } from '../../bench/quality/bm25.ts';
import { judge, pairedRow } from '../../bench/quality/judge.ts';
import { TfIdfCosine } from '../../bench/quality/tf-idf-cosine.ts';

const LABELS = new Map([
  ['a', new Set(['red', 'round'])],
  ['b', new Set(['red'])],
  ['c', new Set(['round'])],
  ['d', new Set(['blue'])],
]);

test('precision is over ten, and a page without a label is not relevant', () => {
  const answers = new Map([['a', ['unknown', 'b', 'd', 'c']]]);
  assert.deepEqual(judge(answers, LABELS, ['a']), {
    p10: 0.2,
    p1: 0,
    hit10: 1,
    p10Labelled: 0.2,
    tenAnswers: 0,
  });
});

test('among labelled pages those without a label give their places up', () => {
  const unknown = Array.from({ length: 9 }, (_, i) => `unknown ${i}`);
  const { p10, p10Labelled, tenAnswers } = judge(new Map([['a', [...unknown, 'b', 'c']]]), LABELS, ['a']);
  assert.deepEqual([p10, p10Labelled, tenAnswers], [0.1, 0.2, 1]);
});

test('a query without an answer counts as a failure', () => {
  assert.equal(judge(new Map([['a', ['b']]]), LABELS, ['a', 'b']).p1, 0.5);
});

test('the cosine of a page finds the page of the same words, and words of most pages do not count', () => {
  const words = (text: string) => new Map(text.split(' ').map((word) => [word, 1]));
  const filler = Array.from(
    { length: 8 },
    (_, i) => [`page ${i}`, words(`common word${i} word${i + 1}`)] as const,
  );
  const cosine = new TfIdfCosine(
    new Map([['a', words('common rose thorn')], ['b', words('common rose thorn')], ...filler]),
  );
  assert.deepEqual(cosine.answers(['a'], 10).get('a'), ['b']);
  assert.ok(Math.abs(cosine.similarity('a', 'b') - 1) < 1e-12);
  assert.equal(cosine.similarity('a', 'page 0'), 0);
});

test('BM25 is as by hand: rarer words and shorter pages count more', () => {
  const pages = new Map([
    [
      'a',
      new Map([
        ['rose', 1],
        ['thorn', 2],
      ]),
    ],
    ['b', new Map([['rose', 1]])],
    [
      'c',
      new Map([
        ['thorn', 1],
        ['leaf', 3],
      ]),
    ],
    ['d', new Map([['leaf', 1]])],
  ]);
  // By a: N = 4, df of rose and thorn 2, idf ln 2 each; mean length 2.25.
  const score = (count: number, length: number, query: number) =>
    (query * Math.log(2) * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / 2.25));
  const b = score(1, 1, 1);
  const c = score(1, 4, 1 + Math.log(2));
  assert.deepEqual(new Bm25(pages).answers(['a'], 10).get('a'), b > c ? ['b', 'c'] : ['c', 'b']);
  assert.deepEqual(
    new Bm25(pages).answers(['a', 'd'], 1),
    new Map([
      ['a', [b > c ? 'b' : 'c']],
      ['d', ['c']],
    ]),
  );
});

test('a difference from a baseline has the standard error of its pairs', () => {
  const ours = new Map([
    ['a', ['b', 'c']],
    ['b', ['a']],
  ]);
  const theirs = new Map([
    ['a', ['b']],
    ['b', ['a']],
  ]);
  // Of P@10: .1 and 0, so the mean is .05, and its error sqrt(.0025 * 2 / 1 / 2) = .05.
  assert.deepEqual(pairedRow(ours, theirs, LABELS, ['a', 'b']), [
    '+0.0500 ± 0.0500',
    '+0.0000 ± 0.0000',
    '+0.0000 ± 0.0000',
  ]);
});
