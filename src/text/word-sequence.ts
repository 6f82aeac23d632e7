import { placeOfEntry, wordNumber, wordOfEntry } from './lexicon.ts';
import { NO_ENTRY, SPAN_SIZE } from './text-kernel.ts';
import { forEachWord } from './words.ts';

/** Words of one text, in order, by their numbers in the lexicon. Arrays as in a `TokenSequence`. */
export class WordSequence {
  count = 0;
  numbers = new Uint32Array(1024);
  /** Word i stands at `text.slice(starts[i], ends[i])`. */
  starts = new Uint32Array(1024);
  ends = new Uint32Array(1024);

  /** Makes room for `capacity` words; what is there stays. */
  grow(capacity: number): void {
    if (capacity <= this.numbers.length) return;
    const length = Math.max(capacity, 2 * this.numbers.length);
    this.numbers = grown(this.numbers, length);
    this.starts = grown(this.starts, length);
    this.ends = grown(this.ends, length);
  }

  push(number: number, start: number, end: number): void {
    this.grow(this.count + 1);
    this.numbers[this.count] = number;
    this.starts[this.count] = start;
    this.ends[this.count++] = end;
  }
}

function grown(from: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(length);
  to.set(from);
  return to;
}

/** Of an entry: there is no word in it; it has the one of number `entry - FIRST_WORD`; it has several. */
const NO_WORD = 1;
const FIRST_WORD = 2;
const SEVERAL = -1;

/** Writes the words of a text to `into`, those that `forEachWord` visits; `spans` is what `internTokens` gave for it. */
export function takeWords(text: string, spans: Uint32Array, into: WordSequence): void {
  const spanCount = spans.length / SPAN_SIZE;
  into.count = 0;
  into.grow(spanCount);
  let { numbers, starts, ends } = into;
  const wordOf = wordOfEntry;
  const placeOf = placeOfEntry;
  let count = 0;
  for (let i = 0, at = 0; i < spanCount; i++, at += SPAN_SIZE) {
    const start = spans[at]!;
    const entry = spans[at + 2]!;
    const word = entry === NO_ENTRY ? SEVERAL : wordOf[entry]! || learn(text, start, spans[at + 1]!, entry);
    if (word === NO_WORD) continue;
    if (word !== SEVERAL) {
      const place = placeOf[entry]!;
      numbers[count] = word - FIRST_WORD;
      starts[count] = start + (place & 15);
      ends[count++] = start + (place >>> 4) + 1;
      continue;
    }
    into.count = count;
    readSpan(text, start, spans[at + 1]!, into);
    count = into.count;
    into.grow(count + spanCount - i);
    ({ numbers, starts, ends } = into);
  }
  into.count = count;
}

function readSpan(text: string, from: number, to: number, into: WordSequence): void {
  forEachWord(text.slice(from, to), (form, start, end) =>
    into.push(wordNumber(form), from + start, from + end),
  );
}

/** Keeps the word of an entry, of 16 units at most: its first unit and its last share a byte. */
function learn(text: string, from: number, to: number, entry: number): number {
  let word = NO_WORD;
  forEachWord(text.slice(from, to), (form, start, end) => {
    word = word === NO_WORD ? wordNumber(form) + FIRST_WORD : SEVERAL;
    placeOfEntry[entry] = start | ((end - 1) << 4);
  });
  return (wordOfEntry[entry] = word);
}
