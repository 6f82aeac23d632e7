/**
 * Counts of pairs of neighboring words by their stems: the features of the part `bigram`.
 *
 *   ... growing roses. The best guide to roses ...      grow rose · best guide · guide rose
 *
 * Stop words are passed over, so that `guide to roses` has the pair that `guide roses` has. No pair reaches over the end
 * of a sentence or a block.
 */
import { mix32 } from '../../lib/hash.ts';
import { STOP_WORD } from './analyzer.ts';

/** Pairs in the order of their first uses; valid until the next page is counted. */
export interface PairCounts {
  /** Of each pair the places of its two stems among those of the text. */
  readonly lefts: Uint32Array;
  readonly rights: Uint32Array;
  /** How often it was met. */
  readonly tfs: Uint32Array;
  /** The places of its first two words among those of the text. */
  readonly leftWords: Uint32Array;
  readonly rightWords: Uint32Array;
}

/** The stem of a pair, and its form, from those of its two words; no word has a space. */
export function pairText(left: string, right: string): string {
  return `${left} ${right}`;
}

/** The two words of a pair. */
export function wordsOfPair(pair: string): [left: string, right: string] {
  const space = pair.indexOf(' ');
  return [pair.slice(0, space), pair.slice(space + 1)];
}

const HIGH = 2 ** 32;
const SEEDS = [0x3c6ef372, 0x1f83d9ab] as const;

/** 53 bits of the keys of the two stems, never 0. */
export function pairKey(left: number, right: number): number {
  const low = mix32(left ^ mix32(right ^ SEEDS[0]));
  const high = mix32((left / HIGH) ^ mix32((right / HIGH) ^ SEEDS[1]));
  return (high & 0x1fffff) * HIGH + low || 1;
}

/** Ends of sentences and blocks. */
const BREAK = /\n|[.!?;:]\s|[。！？]/;

/** Room for the pairs of a page, grown and reused. */
export class PairTally {
  #lefts = new Uint32Array(4096);
  #rights = new Uint32Array(4096);
  #tfs = new Uint32Array(4096);
  #leftWords = new Uint32Array(4096);
  #rightWords = new Uint32Array(4096);
  /** Number of a pair + 1; 0 where empty. */
  #slots = new Uint32Array(8192);

  /**
   * The pairs of a text: word i, of `count`, has the stem `stems[i]`, STOP_WORD for none, and stands from `starts[i]` to
   * `ends[i]`; `placeOf` gives the place of a stem among those of the text.
   */
  count(
    text: string,
    stems: Int32Array,
    {
      count,
      starts,
      ends,
    }: { readonly count: number; readonly starts: Uint32Array; readonly ends: Uint32Array },
    placeOf: (stem: number) => number,
  ): PairCounts {
    this.#begin(count);
    const mask = this.#slots.length - 1;
    let size = 0;
    let before = -1;
    let left = 0;
    for (let word = 0; word < count; word++) {
      if (word > 0 && isBreak(text, ends[word - 1]!, starts[word]!)) before = -1;
      if (stems[word] === STOP_WORD) continue;
      const right = placeOf(stems[word]!);
      if (before >= 0) {
        let slot = mix32(left ^ Math.imul(right, 0x9e3779b1)) & mask;
        let pair = this.#slots[slot]! - 1;
        while (pair >= 0 && (this.#lefts[pair] !== left || this.#rights[pair] !== right)) {
          slot = (slot + 1) & mask;
          pair = this.#slots[slot]! - 1;
        }
        if (pair >= 0) this.#tfs[pair]!++;
        else {
          this.#lefts[size] = left;
          this.#rights[size] = right;
          this.#tfs[size] = 1;
          this.#leftWords[size] = before;
          this.#rightWords[size] = word;
          this.#slots[slot] = ++size;
        }
      }
      before = word;
      left = right;
    }
    return {
      lefts: this.#lefts.subarray(0, size),
      rights: this.#rights.subarray(0, size),
      tfs: this.#tfs.subarray(0, size),
      leftWords: this.#leftWords.subarray(0, size),
      rightWords: this.#rightWords.subarray(0, size),
    };
  }

  #begin(count: number): void {
    if (count > this.#lefts.length) {
      const size = 2 * count;
      this.#lefts = new Uint32Array(size);
      this.#rights = new Uint32Array(size);
      this.#tfs = new Uint32Array(size);
      this.#leftWords = new Uint32Array(size);
      this.#rightWords = new Uint32Array(size);
      this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * size)));
    } else this.#slots.fill(0);
  }
}

/** Most words have a space between them. */
function isBreak(text: string, from: number, to: number): boolean {
  if (to <= from) return false;
  if (to - from === 1) {
    const unit = text.charCodeAt(from);
    return unit !== 0x20 && BREAK.test(text[from]!);
  }
  return BREAK.test(text.slice(from, to));
}
