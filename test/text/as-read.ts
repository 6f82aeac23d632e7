/** Tokens and words of a text against reading it unit by unit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeWords } from '../../src/text/take-words.ts';
import { internTokens, takeTokens } from '../../src/text/text-kernel.ts';
import { TokenSequence } from '../../src/text/token-sequence.ts';
import { readTokens } from '../../src/text/tokens.ts';
import { WordSequence } from '../../src/text/word-sequence.ts';
import { forEachWord } from '../../src/text/words.ts';
import { tokensOneByOne } from './token-twin.ts';

function listed(tokens: TokenSequence): number[][] {
  const { count, high, low, starts, ends } = tokens;
  return Array.from({ length: count }, (_, i) => [starts[i]!, ends[i]!, high[i]!, low[i]!]);
}

/** Tokens and words of a text are what reading it unit by unit gives, the first time and the second. */
export function assertAsRead(text: string): void {
  const slow = tokensOneByOne(text);
  assert.deepEqual(listed(readTokens(text)), slow);
  const tokens = new TokenSequence();
  const words: [string, number, number][] = [];
  forEachWord(text, (word, start, end) => words.push([word, start, end]));
  const numbers = new Map<number, string>();
  for (let round = 0; round < 2; round++) {
    const spans = internTokens(text);
    takeTokens(text, spans, tokens);
    assert.deepEqual(listed(tokens), slow);
    const sequence = new WordSequence();
    takeWords(text, spans, sequence);
    assert.equal(sequence.count, words.length);
    for (const [i, [word, start, end]] of words.entries()) {
      const number = sequence.numbers[i]!;
      assert.equal(numbers.get(number) ?? word, word);
      numbers.set(number, word);
      assert.deepEqual([sequence.starts[i], sequence.ends[i]], [start, end]);
    }
    assert.equal(new Set(sequence.numbers.subarray(0, words.length)).size, new Set(numbers.values()).size);
  }
}

/** Declares the test of the units of UTF-16 that are chosen. */
export function testUnits(isChosen: (unit: number) => boolean): void {
  test('a unit does to the letters beside it what it does when units are read one by one', () => {
    let text = '';
    for (let unit = 0; unit < 0x10000; unit++) {
      if (!isChosen(unit)) continue;
      const character = String.fromCharCode(unit);
      text += `x${character}Y ${character}z ${character}${character}1`;
    }
    assertAsRead(text);
  });
}
