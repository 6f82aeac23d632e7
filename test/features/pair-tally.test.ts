/** Pairs of words against a slow twin that cuts a text into sentences. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Analyzer } from '../../src/features/counts/analyzer.ts';
import { countPage } from '../../src/features/counts/page-counts.ts';
import { pairKey, pairText, wordsOfPair } from '../../src/features/counts/pair-tally.ts';
import { key53 } from '../../src/lib/keys/key-table.ts';

const STOP_WORDS = new Set(['the', 'to', 'of']);
const analyzer = new Analyzer({ stopWords: STOP_WORDS, spill: () => {} });

/** Pair of stems to uses, and the two words of its first use. */
function pairsOf(text: string): [pair: string, uses: number, first: string][] {
  const page = { title: 'Some other title', text, lang: 'ja' };
  const { bigram, content, words } = countPage(page, [], analyzer, { windowWords: 0, bigrams: true });
  const { lefts, rights, tfs, leftWords, rightWords } = bigram!;
  const wordAt = (word: number) => text.slice(words.starts[word], words.ends[word]).toLowerCase();
  return Array.from(tfs, (uses, i) => [
    pairText(content.stem(lefts[i]!), content.stem(rights[i]!)),
    uses,
    pairText(wordAt(leftWords[i]!), wordAt(rightWords[i]!)),
  ]);
}

/** German is not stemmed, so that stems are words. */
function twin(text: string): Map<string, number> {
  const pairs = new Map<string, number>();
  for (const sentence of text.split(/\n|[.!?;:]\s/)) {
    const words = (sentence.toLowerCase().match(/[a-z]{2,}/g) ?? []).filter((word) => !STOP_WORDS.has(word));
    for (const [i, word] of words.entries()) {
      if (i > 0) pairs.set(`${words[i - 1]} ${word}`, (pairs.get(`${words[i - 1]} ${word}`) ?? 0) + 1);
    }
  }
  return pairs;
}

test('pairs are neighbors that are no stop words, within a sentence and a block', () => {
  assert.deepEqual(pairsOf('Guide to growing roses. Best guide growing'), [
    ['guide growing', 2, 'guide growing'],
    ['growing roses', 1, 'growing roses'],
    ['best guide', 1, 'best guide'],
  ]);
  assert.deepEqual(pairsOf('red\nroses grow'), [['roses grow', 1, 'roses grow']]);
  assert.deepEqual(pairsOf('the of to'), []);
  assert.deepEqual(pairsOf(''), []);
});

test('stems are paired, and the words of the first use are known', () => {
  const page = { title: '', text: 'Operating systems; an operating system', lang: 'en' };
  const { bigram, content } = countPage(page, [], analyzer, { windowWords: 0, bigrams: true });
  const stems = Array.from(bigram!.lefts, (left, i) => [
    content.stem(left),
    content.stem(bigram!.rights[i]!),
  ]);
  assert.deepEqual(stems, [
    ['oper', 'system'],
    ['an', 'oper'],
  ]);
  assert.deepEqual([...bigram!.tfs], [2, 1]);
  assert.deepEqual([bigram!.leftWords[0], bigram!.rightWords[0]], [0, 1]);
});

test('random texts have the pairs of the twin, page after page', () => {
  const piece = fc.constantFrom(
    'rose',
    'keel',
    'of',
    'the',
    'Dough',
    'sail',
    '.',
    '. ',
    '\n',
    ', ',
    '! ',
    ' - ',
    'x',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 400 }), (pieces) => {
      const text = pieces.join(' ');
      const found = pairsOf(text);
      assert.deepEqual(new Map(found.map(([pair, uses]) => [pair, uses])), twin(text));
    }),
    { seed: 20271, numRuns: 300 },
  );
});

test('a long text after a short one has all its pairs', () => {
  const letters = 'abcdefghij';
  const word = (n: number) =>
    [...String(n)]
      .map((digit) => letters[Number(digit)])
      .concat('q')
      .join('');
  const text = Array.from({ length: 9000 }, (_, n) => word(n % 5000)).join(' ');
  assert.equal(pairsOf('one two').length, 1);
  assert.deepEqual(new Map(pairsOf(text).map(([pair, uses]) => [pair, uses])), twin(text));
  assert.equal(pairsOf('one two').length, 1);
});

test('keys of pairs tell words and their order apart, and hold 53 bits', () => {
  const keys = Array.from({ length: 300 }, (_, i) => key53(`word${i}`));
  const pairs = new Set(keys.flatMap((left) => keys.map((right) => pairKey(left, right))));
  assert.equal(pairs.size, 90_000);
  let bits = 0n;
  for (const key of pairs) {
    assert.ok(Number.isSafeInteger(key) && key > 0);
    bits |= BigInt(key);
  }
  assert.equal(bits, 2n ** 53n - 1n);
  assert.deepEqual(wordsOfPair(pairText('ab', 'cd')), ['ab', 'cd']);
});
