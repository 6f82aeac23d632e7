/**
 * Words to stems: stop words out, Porter's stemmer for English words of a-z, every other word as it is.
 *
 * Stemming a word costs 20 times what looking it up does, so each word of the lexicon is stemmed once, and stems
 * have numbers of their own. The forms that were met are spilled when asked for, and before the lexicon's forgetting
 * makes the numbers void: a stem is later shown as one of its forms ("databases", not "databas").
 *
 * Source  Porter 1980, see porter.ts.
 */
import { key53 } from '../lib/key-table.ts';
import { lexiconGeneration, makeRoom, wordForms, wordNumber } from '../text/lexicon.ts';
import type { WordSequence } from '../text/word-sequence.ts';
import { formHash } from './feature-hash.ts';
import { porterStem } from './porter.ts';

/** A form and its stem. */
interface MetForm {
  readonly form: string;
  readonly stem: string;
  /** `key53` of the stem. */
  readonly key: number;
}

interface AnalyzerOptions {
  /** Forms left out, as `forEachWord` gives them; they hold for every language. */
  readonly stopWords: ReadonlySet<string>;
  /**
   * Takes the forms met for the first time, stop words left out; what the lexicon has forgotten is met anew. `forms` is to be
   * read before it returns.
   */
  readonly spill: (forms: Iterable<MetForm>) => void;
}

/** Stands in place of a stem's number. */
export const STOP_WORD = -1;

/** How stems are kept, so that 0 means a word that was not met yet: a stop word is 1, stem n is n + 2. */
const UNKNOWN = 0;
const FIRST_STEM = 2;

export class Analyzer {
  readonly #stopWords: ReadonlySet<string>;
  readonly #spill: AnalyzerOptions['spill'];
  #generation = -1;
  #forms: readonly string[] = [];
  /** Stem of word w: at 2 w as an English one, at 2 w + 1 as any other. */
  #stemOf = new Int32Array(1 << 12);
  /** The places in `#stemOf` that were learned since the last spill. */
  #met: number[] = [];
  /** `formHash` of word w, 0 where it was not asked for yet. */
  #hashOf = new Uint32Array(1 << 12);
  #numbers = new Map<string, number>();
  #stems: string[] = [];
  #keys = new Float64Array(1 << 12);

  constructor(options: AnalyzerOptions) {
    this.#stopWords = options.stopWords;
    this.#spill = options.spill;
  }

  /** Between two pages: makes room in the lexicon. Numbers of stems that were given out may be void behind it. */
  beginPage(): void {
    makeRoom();
    if (this.#generation === lexiconGeneration()) return;
    this.drain();
    this.#generation = lexiconGeneration();
    this.#forms = wordForms();
    this.#stemOf.fill(UNKNOWN);
    this.#hashOf.fill(0);
    this.#numbers = new Map();
    this.#stems = [];
  }

  /** Above all numbers of stems given out so far. */
  get stemCount(): number {
    return this.#stems.length;
  }

  /** Writes the number of the stem of each word to `stems`, STOP_WORD for a stop word. */
  takeStems(words: WordSequence, english: boolean, stems: Int32Array): void {
    const { count, numbers } = words;
    const other = english ? 0 : 1;
    this.#reserve(2 * this.#forms.length);
    const stemOf = this.#stemOf;
    for (let i = 0; i < count; i++) {
      const at = 2 * numbers[i]! + other;
      stems[i] = (stemOf[at]! || this.#learn(at)) - FIRST_STEM;
    }
  }

  /** The stem of one form, or null for a stop word. */
  stemOf(form: string, english: boolean): string | null {
    const at = 2 * wordNumber(form) + (english ? 0 : 1);
    this.#reserve(2 * this.#forms.length);
    const stem = (this.#stemOf[at]! || this.#learn(at)) - FIRST_STEM;
    return stem === STOP_WORD ? null : this.#stems[stem]!;
  }

  stem(number: number): string {
    return this.#stems[number]!;
  }

  /** `key53` of the stem. */
  key(number: number): number {
    return this.#keys[number]!;
  }

  /** `formHash` of the words of a text at these places among its words. */
  formHashes({ numbers }: WordSequence, places: Uint32Array): Uint32Array {
    if (this.#forms.length > this.#hashOf.length) {
      const hashes = new Uint32Array(2 * this.#forms.length);
      hashes.set(this.#hashOf);
      this.#hashOf = hashes;
    }
    const hashOf = this.#hashOf;
    const hashes = new Uint32Array(places.length);
    for (let i = 0; i < places.length; i++) {
      const word = numbers[places[i]!]!;
      hashes[i] = hashOf[word] ||= formHash(this.#forms[word]!);
    }
    return hashes;
  }

  /** Spills the forms met for the first time since it was last called; to be called once more when all pages are through. */
  drain(): void {
    if (this.#met.length === 0) return;
    this.#spill(this.#held());
    this.#met = [];
  }

  *#held(): Generator<MetForm> {
    for (const at of this.#met) {
      const stem = this.#stemOf[at]! - FIRST_STEM;
      if (stem === STOP_WORD) continue;
      yield {
        form: this.#forms[at >>> 1]!,
        stem: this.#stems[stem]!,
        key: this.#keys[stem]!,
      };
    }
  }

  #learn(at: number): number {
    const form = this.#forms[at >>> 1]!;
    const isEnglish = (at & 1) === 0;
    this.#met.push(at);
    const stem = this.#stopWords.has(form)
      ? STOP_WORD
      : this.#number(isEnglish && isAsciiWord(form) ? porterStem(form) : form);
    return (this.#stemOf[at] = stem + FIRST_STEM);
  }

  #number(stem: string): number {
    const known = this.#numbers.get(stem);
    if (known !== undefined) return known;
    const number = this.#stems.push(stem) - 1;
    this.#numbers.set(stem, number);
    if (number >= this.#keys.length) {
      const keys = new Float64Array(2 * number);
      keys.set(this.#keys);
      this.#keys = keys;
    }
    this.#keys[number] = key53(stem);
    return number;
  }

  #reserve(size: number): void {
    if (size <= this.#stemOf.length) return;
    const stemOf = new Int32Array(2 * size);
    stemOf.set(this.#stemOf);
    this.#stemOf = stemOf;
  }
}

function isAsciiWord(form: string): boolean {
  for (let i = 0; i < form.length; i++) {
    const code = form.charCodeAt(i);
    if (code < 0x61 || code > 0x7a) return false;
  }
  return true;
}
