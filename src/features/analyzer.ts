/**
 * Words to stems: stop words out, Porter's stemmer for English words of a-z, every other word as it is.
 *
 * Stemming a word costs 20 times what looking it up does, so forms are kept with their stems, and each keeps
 * count of its uses: a stem is later shown as its most frequent form ("databases", not "databas").
 * When more than `maxForms` forms are held they are spilled and forgotten, so memory stays bounded; the
 * counts of all spills of a form add up to its uses.
 *
 * Source  Porter 1980, see porter.ts.
 */
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
  count: number;
}

export class Analyzer {
  readonly #stopWords: ReadonlySet<string>;
  readonly #maxForms: number;
  readonly #spill: AnalyzerOptions['spill'];
  readonly #english = new Map<string, Entry>();
  readonly #other = new Map<string, Entry>();

  constructor(options: AnalyzerOptions) {
    this.#stopWords = options.stopWords;
    this.#maxForms = options.maxForms;
    this.#spill = options.spill;
  }

  /** The stem of a word as `forEachWord` gives it, '' for a stop word; counts one use. */
  stem(form: string, english: boolean): string {
    const forms = english ? this.#english : this.#other;
    let entry = forms.get(form);
    if (entry === undefined) {
      if (this.#english.size + this.#other.size >= this.#maxForms) this.drain();
      const kept = detached(form);
      entry = { form: kept, stem: this.#stemAnew(kept, english), count: 0 };
      forms.set(kept, entry);
    }
    entry.count++;
    return entry.stem;
  }

  /** Spills what is held; to be called once more when all pages are through. */
  drain(): void {
    if (this.#english.size + this.#other.size === 0) return;
    this.#spill(this.#held());
    this.#english.clear();
    this.#other.clear();
  }

  *#held(): Generator<FormCount> {
    for (const forms of [this.#english, this.#other]) {
      for (const entry of forms.values()) if (entry.stem !== '') yield entry;
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
