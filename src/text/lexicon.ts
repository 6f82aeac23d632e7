/**
 * The distinct tokens and words that a thread has met, by number, so that what is known of a token is worked out
 * once and then read from an array.
 *
 * Tokens get their numbers ("entries") in the kernel. Words, which are normalized, have numbers of their own; that of
 * a token is kept by the kernel with its entry. Both are forgotten, and all numbers given out void, when `makeRoom` finds that they are
 * too many; the generation shows it.
 */
import { KeyTable, key53 } from '../lib/keys/key-table.ts';
import { ENTRY_LIMIT, entryCount, forgetEntries } from './text-kernel.ts';

/** Above this many entries or words all are forgotten before the next page: some 20 MB, the stems of an analyzer with them. */
const ROOM = ENTRY_LIMIT - (ENTRY_LIMIT >> 2);

let generation = 0;
/** By `key53` of each word. */
let numbers = new KeyTable();
let forms: string[] = [];

/** Grows by one whenever numbers become void. */
export function lexiconGeneration(): number {
  return generation;
}

/** Forgets all where it has grown too much; to be called between pages, when nothing holds a number. */
export function makeRoom(): void {
  if (entryCount() <= ROOM && forms.length <= ROOM) return;
  forgetEntries();
  numbers = new KeyTable();
  forms = [];
  generation++;
}

/** The number of a word; a new one where it has none. */
export function wordNumber(form: string): number {
  const key = key53(form);
  const known = numbers.get(key, forms.length);
  if (known < forms.length) return known;
  numbers.set(key, known);
  return forms.push(detached(form)) - 1;
}

/** The words of this generation by number. */
export function wordForms(): readonly string[] {
  return forms;
}

/** A slice of 13 units or more keeps its whole page alive, and a word outlives its page. */
function detached(form: string): string {
  return form.length < 13 ? form : ` ${form}`.slice(1);
}
