import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge } from '../../bench/quality/judge.ts';
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
