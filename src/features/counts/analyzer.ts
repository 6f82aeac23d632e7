/**
 * Words to stems, by the language of their page (language.ts); stop words out.
 *
 * Stemming a word costs 20 times what looking it up does, so each word of the lexicon is stemmed once, and stems
 * have numbers of their own. The forms that were met are spilled when asked for, and before the lexicon's forgetting
 * makes the numbers void: a stem is later shown as one of its forms ("databases", not "databas").
 */
import { longer } from '../../lib/columns/longer.ts';
import { keptIn } from '../../lib/kept.ts';
import { KeyTable, key53 } from '../../lib/keys/key-table.ts';
import { lexiconGeneration, makeRoom, wordForms, wordNumber } from '../../text/lexicon.ts';
import { builtInStopWords } from '../../text/stop-words.ts';
import type { WordSequence } from '../../text/word-sequence.ts';
import { formHash } from '../feature-hash.ts';
import type { Language } from './language.ts';

/** A form and its stem. */
interface MetForm {
  readonly form: string;
  readonly stem: string;
  /** `key53` of the stem. */
  readonly key: number;
}

interface AnalyzerOptions {
  /** Forms left out, as `forEachWord` gives them; they hold for every language. Null: the built-in ones, and those of each language. */
  readonly stopWords: ReadonlySet<string> | null;
  /**
   * Takes the forms met for the first time, stop words left out; what the lexicon has forgotten is met anew. `forms` is to be
   * read before it returns.
   */
  readonly spill: (forms: Iterable<MetForm>) => void;
}

/** Stands in place of a stem's number. */
export const STOP_WORD = -1;

/** How stems are kept, so that 0 means a word that was not met yet: a stop word is 1, stem n is n + 2. */
const FIRST_STEM = 2;

interface LearnedStems {
  readonly language: Language;
  /** Of each word. */
  stemOf: Int32Array;
  /** The words that were learned since the last spill. */
  met: number[];
}

export class Analyzer {
  readonly #stopWords: ReadonlySet<string>;
  /** Whether function words of languages are stop words too. */
  readonly #byLanguage: boolean;
  readonly #spill: AnalyzerOptions['spill'];
  #generation = -1;
  #forms: readonly string[] = [];
  readonly #learned = new Map<Language, LearnedStems>();
  /** `formHash` of word w, 0 where it was not asked for yet. */
  #hashOf = new Uint32Array(1 << 12);
  /** By the key of each stem. */
  #numbers = new KeyTable();
  #stems: string[] = [];
  #keys = new Float64Array(1 << 12);

  constructor(options: AnalyzerOptions) {
    this.#stopWords = options.stopWords ?? builtInStopWords();
    this.#byLanguage = options.stopWords === null;
    this.#spill = options.spill;
  }

  /** Between two pages: makes room in the lexicon. Numbers of stems that were given out may be void behind it. */
  beginPage(): void {
    makeRoom();
    if (this.#generation === lexiconGeneration()) return;
    this.drain();
    this.#generation = lexiconGeneration();
    this.#forms = wordForms();
    this.#learned.clear();
    this.#hashOf.fill(0);
    this.#numbers = new KeyTable();
    this.#stems = [];
  }

  /** Above all numbers of stems given out so far. */
  get stemCount(): number {
    return this.#stems.length;
  }

  /** Writes the number of the stem of each word to `stems`, STOP_WORD for a stop word. */
  takeStems(words: WordSequence, language: Language, stems: Int32Array): void {
    const { count, numbers } = words;
    const learned = this.#of(language);
    const { stemOf } = learned;
    for (let i = 0; i < count; i++) {
      const word = numbers[i]!;
      stems[i] = (stemOf[word]! || this.#learn(learned, word)) - FIRST_STEM;
    }
  }

  /** The stem of one form, or null for a stop word. */
  stemOf(form: string, language: Language): string | null {
    const word = wordNumber(form);
    const learned = this.#of(language);
    const stem = (learned.stemOf[word]! || this.#learn(learned, word)) - FIRST_STEM;
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
    const { length } = this.#forms;
    if (length > this.#hashOf.length) this.#hashOf = longer(this.#hashOf, 2 * length);
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
    const met = [...this.#learned.values()].filter((learned) => learned.met.length > 0);
    if (met.length === 0) return;
    this.#spill(this.#held(met));
    for (const learned of met) learned.met = [];
  }

  *#held(learned: readonly LearnedStems[]): Generator<MetForm> {
    for (const { stemOf, met } of learned) {
      for (const word of met) {
        const stem = stemOf[word]! - FIRST_STEM;
        if (stem === STOP_WORD) continue;
        yield { form: this.#forms[word]!, stem: this.#stems[stem]!, key: this.#keys[stem]! };
      }
    }
  }

  #learn({ language, stemOf, met }: LearnedStems, word: number): number {
    const form = this.#forms[word]!;
    met.push(word);
    const isStopWord = this.#stopWords.has(form) || (this.#byLanguage && language.functionWords.has(form));
    const stem = isStopWord ? STOP_WORD : this.#number(language.stem?.(form) ?? form);
    return (stemOf[word] = stem + FIRST_STEM);
  }

  /** With room for every word met so far. */
  #of(language: Language): LearnedStems {
    const learned = keptIn(this.#learned, language, () => {
      return { language, stemOf: new Int32Array(1 << 12), met: [] };
    });
    const { length } = this.#forms;
    if (length > learned.stemOf.length) learned.stemOf = longer(learned.stemOf, 2 * length);
    return learned;
  }

  #number(stem: string): number {
    const key = key53(stem);
    const number = this.#numbers.get(key, this.#stems.length);
    if (number < this.#stems.length) return number;
    this.#stems.push(stem);
    this.#numbers.set(key, number);
    if (number >= this.#keys.length) this.#keys = longer(this.#keys, 2 * number);
    this.#keys[number] = key;
    return number;
  }
}
