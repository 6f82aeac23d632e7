/**
 * Words of a language to stems: its function words out, Snowball's stemmer for the others; Porter's for English.
 *
 * A stem that is more than three letters shorter is not taken: it joins what a page is about with what it speaks like
 * ("Benutzung", "benutzbar").
 *
 * Measured   Debian's handbook in eight languages (115 sections each), mean of words as they are, without function words, with
 *            stems, with stems of this rule: share of the same chapter among the ten first .424 .424 .443 .443, first of the
 *            same chapter .566 .548 .581 .580, share of the list of the English page .653 .667 .682 .681. LibreOffice's
 *            help (2,401 pages), pages that are linked among the ten first: de .505 .512 .511 .512, fr .508 .510 .497 .502,
 *            es .498 .504 .487 .495, it .505 .506 .491 .498, ru .515 .520 .506 .508; en .513 as they are, .500 by Porter.
 * Source     Porter 1980; snowballstem.org, of which @orama/stemmers is a translation. Lists of function words are those of
 *            @orama/stopwords; for English a longer one of our own.
 */
import { createRequire } from 'node:module';
import { stopWordSet } from '../../text/stop-words.ts';
import { porterStem } from './porter.ts';

export interface Language {
  /** Null where a word is its own stem. */
  readonly stem: ((form: string) => string) | null;
  readonly functionWords: ReadonlySet<string>;
}

/** By primary subtag, the names that the packages have for them. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['da', 'danish'],
  ['de', 'german'],
  ['es', 'spanish'],
  ['fi', 'finnish'],
  ['fr', 'french'],
  ['hu', 'hungarian'],
  ['it', 'italian'],
  ['nb', 'norwegian'],
  ['nl', 'dutch'],
  ['nn', 'norwegian'],
  ['no', 'norwegian'],
  ['pt', 'portuguese'],
  ['ro', 'romanian'],
  ['ru', 'russian'],
  ['sv', 'swedish'],
  ['tr', 'turkish'],
]);

const MOST_LETTERS_OFF = 3;
const NO_WORDS: ReadonlySet<string> = new Set();
/** Porter's stemmer is for words of a-z alone. */
const ENGLISH: Language = {
  stem: (form) => (isAsciiWord(form) ? porterStem(form) : form),
  functionWords: NO_WORDS,
};
const OTHER: Language = { stem: null, functionWords: NO_WORDS };

const require = createRequire(import.meta.url);
const known = new Map<string | null, Language>([
  [null, ENGLISH],
  ['', ENGLISH],
  ['en', ENGLISH],
]);

/** By primary subtag; English where a page does not say. Loaded when it is first met: all take 35 ms. */
export function languageOf(lang: string | null): Language {
  const language = known.get(lang);
  if (language !== undefined) return language;
  const name = NAMES.get(lang!);
  if (name === undefined) return OTHER;
  const loaded = load(name);
  known.set(lang, loaded);
  return loaded;
}

function load(name: string): Language {
  const { stemmer } = require(`@orama/stemmers/${name}`) as typeof import('@orama/stemmers/german');
  const { stopwords } = require(`@orama/stopwords/${name}`) as typeof import('@orama/stopwords/german');
  const stem = (form: string) => {
    const short = stemmer(form);
    return form.length - short.length > MOST_LETTERS_OFF ? form : short;
  };
  return { stem, functionWords: stopWordSet(stopwords) };
}

function isAsciiWord(form: string): boolean {
  for (let i = 0; i < form.length; i++) {
    const code = form.charCodeAt(i);
    if (code < 0x61 || code > 0x7a) return false;
  }
  return true;
}
