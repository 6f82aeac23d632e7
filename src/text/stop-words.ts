import { ENGLISH_FUNCTION_WORDS } from './english-function-words.ts';
import { forEachWord } from './words.ts';

let builtIn: ReadonlySet<string> | undefined;

/** English stop words, about 750, as many as Haveliwala, Gionis and Indyk used (2000, section 2). */
export function builtInStopWords(): ReadonlySet<string> {
  builtIn ??= stopWordSet(ENGLISH_FUNCTION_WORDS);
  return builtIn;
}

/**
 * The stop words of a file: one a line, `#` begins a comment. They are normalized as the words of a text
 * are; of "don't" come both "dont" and the piece "don", for pages that lost their apostrophes either way.
 */
export function parseStopWords(fileText: string): ReadonlySet<string> {
  return stopWordSet(fileText.split(/\r\n|\r|\n/).map((line) => line.replace(/#.*/, '')));
}

/** The words of a file in order: the same for files that say the same. */
export function sortedStopWords(fileText: string): string[] {
  return [...parseStopWords(fileText)].sort();
}

/** As the words of a text are. */
export function stopWordSet(entries: Iterable<string>): Set<string> {
  const words = new Set<string>();
  for (const entry of entries) {
    for (const form of [entry, entry.replace(/['\u2019\u02bc]/g, ' ')]) {
      forEachWord(form, (word) => words.add(word));
    }
  }
  return words;
}
