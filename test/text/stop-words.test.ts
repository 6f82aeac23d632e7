import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInStopWords, parseStopWords } from '../../src/text/stop-words.ts';
import { forEachWord } from '../../src/text/words.ts';

test('there are about 750 built-in stop words', () => {
  const { size } = builtInStopWords();
  assert.ok(size >= 700 && size <= 800, `${size} words`);
});

test('every built-in stop word is a word as the tokenizer gives it', () => {
  for (const stopWord of builtInStopWords()) {
    const found: string[] = [];
    forEachWord(stopWord, (word) => found.push(word));
    assert.deepEqual(found, [stopWord]);
  }
});

test('function words are stop words, contracted or not', () => {
  const text = "You shouldn't have been there, but we've all said what isn't theirs; doesn t it? Whoever’s.";
  const kept: string[] = [];
  forEachWord(text, (word) => builtInStopWords().has(word) || kept.push(word));
  assert.deepEqual(kept, ['whoevers']);
});

test('words that name what a page is about are kept', () => {
  for (const word of ['system', 'shell', 'ill', 'computer', 'web', 'function', 'string', 'search']) {
    assert.ok(!builtInStopWords().has(word), word);
  }
});

test('a stop word file has one word a line, comments and any case', () => {
  const words = parseStopWords("# a comment\nThe\r\ndon't # said often\n\nÜBER\n  of  \nl’eau\n");
  assert.deepEqual([...words].sort(), ['don', 'dont', 'eau', 'leau', 'of', 'the', 'über']);
});

test('an empty stop word file stops nothing', () => {
  assert.equal(parseStopWords('').size, 0);
  assert.equal(parseStopWords('# only this').size, 0);
});
