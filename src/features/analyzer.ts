/**
 * Words to stems: stop words out, Porter's stemmer for English words of a-z, every other word as it is.
 *
 * Stemming a word costs 20 times what looking it up does, so forms are kept with their stems, and each keeps
 * count of its uses: a stem is later shown as its most frequent form ("databases", not "databas").
 * When more than `maxForms` forms are held they are spilled and forgotten, so memory stays bounded; the
 * counts of all spills of a form add up to its uses. Frequent forms, nine uses of ten, are found in a small
 * direct-mapped table before the map is asked (1.3 times as fast on English text).
 *
 * Source  Porter 1980, see porter.ts.
 */
import { hash32 } from '../lib/hash.ts';
import { porterStem } from './porter.ts';

export interface FormCount {
  readonly form: string;
  readonly stem: string;
  /** Uses since the form was last spilled. */
  readonly count: number;
}

export interface AnalyzerOptions {
  /** Forms left out, as `forEachWord` gives them; they hold for every language. */
  readonly stopWords: ReadonlySet<string>;
  readonly maxForms: number;
  /** Takes the counts, stop words left out; `forms` is to be read before it returns. */
  readonly spill: (forms: Iterable<FormCount>) => void;
}

interface Entry {
  readonly form: string;
  readonly stem: string;
  readonly english: boolean;
  count: number;
}

const RECENT_BITS = 16;

export class Analyzer {
  readonly #stopWords: ReadonlySet<string>;
  readonly #maxForms: number;
  readonly #spill: AnalyzerOptions['spill'];
  readonly #english = new Map<string, Entry>();
  readonly #other = new Map<string, Entry>();
  /** The form last met of each hash. */
  readonly #recent: (Entry | undefined)[] = new Array(1 << RECENT_BITS).fill(undefined);

  constructor(options: AnalyzerOptions) {
    this.#stopWords = options.stopWords;
    this.#maxForms = options.maxForms;
    this.#spill = options.spill;
  }

  /** The stem of a word as `forEachWord` gives it, '' for a stop word; counts one use. */
  stem(form: string, english: boolean): string {
    const slot = hash32(form) >>> (32 - RECENT_BITS);
    let entry = this.#recent[slot];
    if (entry === undefined || entry.form !== form || entry.english !== english) {
      entry = this.#entry(form, english);
      this.#recent[slot] = entry;
    }
    entry.count++;
    return entry.stem;
  }

  #entry(form: string, english: boolean): Entry {
    const forms = english ? this.#english : this.#other;
    const known = forms.get(form);
    if (known !== undefined) return known;
    if (this.#english.size + this.#other.size >= this.#maxForms) this.drain();
    const kept = detached(form);
    const entry = { form: kept, stem: this.#stemAnew(kept, english), english, count: 0 };
    forms.set(kept, entry);
    return entry;
  }

  /** Spills what is held; to be called once more when all pages are through. */
  drain(): void {
    if (this.#english.size + this.#other.size === 0) return;
    this.#spill(this.#held());
    this.#english.clear();
    this.#other.clear();
    this.#recent.fill(undefined);
  }

  *#held(): Generator<FormCount> {
    for (const forms of [this.#english, this.#other]) {
      for (const { form, stem, count } of forms.values()) if (stem !== '') yield { form, stem, count };
    }
  }

  #stemAnew(form: string, english: boolean): string {
    if (this.#stopWords.has(form)) return '';
    return english && isAsciiWord(form) ? porterStem(form) : form;
  }
}

function isAsciiWord(form: string): boolean {
  for (let i = 0; i < form.length; i++) {
    const code = form.charCodeAt(i);
    if (code < 0x61 || code > 0x7a) return false;
  }
  return true;
}

/** A slice of 13 units or more keeps its whole page alive, and a form outlives its page. */
function detached(form: string): string {
  return form.length < 13 ? form : ` ${form}`.slice(1);
}
