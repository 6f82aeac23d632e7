import { wordNumber } from './lexicon.ts';
import * as kernel from './text-kernel.ts';
import type { WordSequence } from './word-sequence.ts';
import { forEachWord } from './words.ts';

/** Writes the words of a text to `into`, those that `forEachWord` visits; `spans` is what `internTokens` gave for it. */
export function takeWords(text: string, spans: Uint32Array, into: WordSequence): void {
  kernel.takeWords(text, spans, into, { learn, read });
}

function read(span: string, add: kernel.AddWord): void {
  forEachWord(span, (form, start, end) => add(wordNumber(form), start, end));
}

function learn(span: string): kernel.LearnedWord {
  let word: kernel.LearnedWord = null;
  forEachWord(span, (form, start, end) => {
    word = word === null ? { number: wordNumber(form), start, end } : kernel.SEVERAL;
  });
  return word;
}
