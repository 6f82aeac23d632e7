import { mostTypos, TypoMeter } from '../../../text/search/typos.ts';
import { type BlockWord, readWords, visitWords } from '../../blobs/search-blobs.ts';
import type { IndexFile } from '../../index-file.ts';
import { rowShape } from '../../stored-values.ts';

/** A word that is in the index; its posting lies in a row from `from` to `to`. */
export interface KnownWord extends BlockWord {
  readonly row: number;
}

/** Words, and where in which row their postings begin. */
interface StoredBlock {
  readonly row: number;
  readonly start: number;
  readonly blob: Uint8Array;
}

const BLOCK_ROW = rowShape<StoredBlock>('search_word', {
  row: ['count', 'posting_id'],
  start: ['count', 'posting_start'],
  blob: ['bytes', 'words'],
});
/** Blocks that are kept unpacked: a word and those that begin with it are asked for several times. */
const KEPT_BLOCKS = 64;

/** The words of an index in order. Memory  the first word of each block of 128. */
export class Dictionary {
  readonly #file: IndexFile;
  #firstWords: readonly string[] | null = null;
  readonly #blocks = new Map<number, readonly KnownWord[]>();

  constructor(file: IndexFile) {
    this.#file = file;
  }

  find(word: string): KnownWord | null {
    const block = this.#blockOf(word);
    if (block < 0) return null;
    const known = this.#words(block).find((one) => one.word === word);
    return known ?? null;
  }

  /** Words that begin with `start`, in order. */
  *from(start: string): IterableIterator<KnownWord> {
    const blockCount = this.#first().length;
    for (let block = Math.max(0, this.#blockOf(start)); block < blockCount; block++) {
      for (const known of this.#words(block)) {
        if (known.word < start) continue;
        if (!known.word.startsWith(start)) return;
        yield known;
      }
    }
  }

  /** Words with the fewest typos in comparison with one, if that are no more than `mostTypos`; without the word itself. */
  similar(word: string): { readonly typos: number; readonly words: readonly KnownWord[] } {
    const most = mostTypos(word);
    let typos = most;
    let words: KnownWord[] = [];
    if (most === 0) return { typos, words };
    const meter = new TypoMeter(word, most);
    const firstWords = this.#first();
    let dead = '';
    for (const [block, first] of firstWords.entries()) {
      // No word of the block is alive.
      if (dead !== '' && first.startsWith(dead) && firstWords[block + 1]?.startsWith(dead)) continue;
      const { row, start, blob } = this.#stored(block);
      this.#file.decode('a dictionary', () =>
        visitWords(blob, start, (known) => {
          const measured = meter.measure(known.word);
          dead = known.word.slice(0, measured.dead);
          const { distance } = measured;
          if (distance > typos || distance === 0 || mostTypos(known.word) === 0) return measured.dead;
          if (distance < typos) words = [];
          typos = distance;
          words.push({ ...known, row });
          return measured.dead;
        }),
      );
    }
    return { typos, words };
  }

  /** Every block, in order. */
  *blocks(): IterableIterator<readonly KnownWord[]> {
    for (const block of this.#first().keys()) yield this.#words(block, false);
  }

  /** The block that has a word, if any has it; -1 where it lies before all. */
  #blockOf(word: string): number {
    const firstWords = this.#first();
    let low = 0;
    let high = firstWords.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (firstWords[middle]! <= word) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #first(): readonly string[] {
    return (this.#firstWords ??= this.#file.values<string>(
      'SELECT first_word FROM search_word ORDER BY block_id',
    ));
  }

  #words(block: number, isKept = true): readonly KnownWord[] {
    const kept = this.#blocks.get(block);
    if (kept !== undefined) return kept;
    const { row, start, blob } = this.#stored(block);
    const words = this.#file.decode('a dictionary', () =>
      readWords(blob, start).map((word) => ({ ...word, row })),
    );
    if (!isKept) return words;
    if (this.#blocks.size === KEPT_BLOCKS) this.#blocks.delete(this.#blocks.keys().next().value!);
    this.#blocks.set(block, words);
    return words;
  }

  #stored(block: number): StoredBlock {
    const stored = this.#file.get(BLOCK_ROW, 'WHERE block_id = ?', block);
    if (stored === undefined) throw this.#file.corrupt(`block ${block} of the dictionary is missing`);
    return stored;
  }
}
