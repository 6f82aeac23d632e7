/**
 * BM25 as SQLite's FTS5 has it, with figures of more pages than one file holds: how many pages there are, how long they are
 * and how many have each phrase. So shards weigh a page as the whole index would.
 *
 * FTS5 gives the score of one phrase by the figures of its own file; how often a page has the phrase is read back from it.
 *
 * Source  https://www.sqlite.org/fts5.html#the_bm25_function
 */
import type { IndexFile } from '../index-file.ts';

const K1 = 1.2;
const B = 0.75;
const LEAST_IDF = 1e-6;
/** Where FTS5 keeps the number of rows and of the tokens of each column. */
const AVERAGES_SQL = 'SELECT block FROM page_text_data WHERE id = 1';

/** Sums over the pages that are weighed together. */
export interface SearchWeights {
  readonly pageCount: number;
  /** Words of all titles and texts. */
  readonly wordCount: number;
  /** Pages that have each phrase. */
  readonly hitCounts: readonly number[];
}

/** The figures of one file for these phrases, each an expression of FTS5. */
export function weightsOf(file: IndexFile, phrases: readonly string[]): SearchWeights {
  const block = file.value<Uint8Array>(AVERAGES_SQL);
  const [pageCount = 0, ...wordCounts] = block === undefined ? [] : varintsOf(block);
  return {
    pageCount,
    wordCount: wordCounts.reduce((sum, count) => sum + count, 0),
    hitCounts: phrases.map(
      (phrase) => file.value<number>('SELECT count(*) FROM page_text WHERE page_text MATCH ?', phrase)!,
    ),
  };
}

export function sumOfWeights(all: readonly SearchWeights[]): SearchWeights {
  return all.reduce((a, b) => ({
    pageCount: a.pageCount + b.pageCount,
    wordCount: a.wordCount + b.wordCount,
    hitCounts: a.hitCounts.map((count, i) => count + b.hitCounts[i]!),
  }));
}

/** Scores by page id of the pages that match, by the figures `whole`; `titleWeight` as for `bm25()`. */
export function scoresBy(
  file: IndexFile,
  { match, phrases }: { readonly match: string; readonly phrases: readonly string[] },
  whole: SearchWeights,
  titleWeight: number,
): Map<number, number> {
  const own = weightsOf(file, phrases);
  const lengths = new Map<number, number>();
  const sizes = file.tuples<[number, Uint8Array]>(
    'SELECT id, sz FROM page_text_docsize WHERE id IN (SELECT rowid FROM page_text WHERE page_text MATCH ?)',
    match,
  );
  for (const [id, sz] of sizes)
    lengths.set(
      id,
      varintsOf(sz).reduce((sum, count) => sum + count, 0),
    );
  const scores = new Map<number, number>();
  for (const id of lengths.keys()) scores.set(id, 0);
  for (const [i, phrase] of phrases.entries()) {
    const [ownIdf, idf] = [idfOf(own, i), idfOf(whole, i)];
    const rows = file.tuples<[number, number]>(
      `SELECT rowid, -bm25(page_text, ${titleWeight}, 1) FROM page_text WHERE page_text MATCH ?`,
      phrase,
    );
    for (const [id, score] of rows) {
      const length = lengths.get(id);
      if (length === undefined) continue;
      const share = score / ownIdf;
      const ownLengthFactor = lengthFactor(own, length);
      const frequency = Math.round((share * ownLengthFactor) / (K1 + 1 - share));
      const weighed = (frequency * (K1 + 1)) / (frequency + lengthFactor(whole, length));
      scores.set(id, scores.get(id)! + idf * weighed);
    }
  }
  return scores;
}

function idfOf({ pageCount, hitCounts }: SearchWeights, phrase: number): number {
  const hitCount = hitCounts[phrase]!;
  const idf = Math.log((pageCount - hitCount + 0.5) / (hitCount + 0.5));
  return idf <= 0 ? LEAST_IDF : idf;
}

function lengthFactor({ pageCount, wordCount }: SearchWeights, length: number): number {
  return K1 * (1 - B + (B * length) / (wordCount / pageCount));
}

/** SQLite's variable-length integers, one after the other: seven bits a byte, the highest first. */
function varintsOf(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    let value = 0;
    let byte: number;
    do {
      byte = bytes[at++]!;
      value = value * 128 + (byte & 0x7f);
    } while (byte >= 0x80 && at < bytes.length);
    numbers.push(value);
  }
  return numbers;
}
