/**
 * Names of pairs of words: their stems, and the forms in which the first page that has the pair uses it first.
 *
 *   pages: pair ─> stems and forms of its words, as hashes ─┐
 *   forms met, by bucket of the stem ───────────────────────┴─> texts of these forms ─> name of each pair
 *
 * Only pages that are there count; they come in the order of their URLs, so that the names depend on the pages alone.
 *
 * Memory  24 bytes a feature, and some 60 for each form of a word that a pair is named by.
 */

import { pairKey, pairText } from '../../features/counts/pair-tally.ts';
import { formHash } from '../../features/feature-hash.ts';
import { KeyTable, key53 } from '../../lib/keys/key-table.ts';
import { ByteReader, ByteWriter } from '../files/records/bytes.ts';
import { formsOfBucket } from '../files/records/stage-files.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import { collapsedWords } from './part-counts.ts';

interface PairName {
  readonly id: number;
  readonly stem: string;
  readonly form: string;
}

const UNMET = 0xffffffff;

/** `find` gives the feature of the key of a pair, -1 for none; `featureCount` is above all of them. */
export function* pairNames(
  folder: WorkFiles,
  find: (key: number) => number,
  featureCount: number,
  bucketCount: number,
): IterableIterator<PairName> {
  const wanted = new WantedForms();
  const words = new Uint32Array(2 * featureCount).fill(UNMET);
  for (const { bigram } of collapsedWords(folder)) {
    const { keys, stemKeys, wordForms, length } = bigram;
    for (let i = 0; i < length; i++) {
      const id = find(keys[i]!);
      if (id < 0 || words[2 * id] !== UNMET) continue;
      for (const side of [0, 1]) {
        words[2 * id + side] = wanted.add(stemKeys[2 * i + side]!, wordForms[2 * i + side]!);
      }
    }
  }
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    for (const bytes of formsOfBucket(bucket).records(folder)) wanted.meet(bytes);
  }
  for (let id = 0; id < featureCount; id++) {
    if (words[2 * id] === UNMET) continue;
    const [left, right] = [wanted.texts(words[2 * id]!), wanted.texts(words[2 * id + 1]!)];
    yield { id, stem: pairText(left.stem, right.stem), form: pairText(left.form, right.form) };
  }
}

/** Forms of words, by numbers: first their hashes, then their texts. */
class WantedForms {
  readonly #numbers = new KeyTable();
  readonly #texts = new ByteWriter();
  /** Where the texts of each form stand; behind all where they were not met. */
  #starts = new Float64Array(0);

  /** Its number. */
  add(stemKey: number, form: number): number {
    const key = pairKey(stemKey, form);
    const number = this.#numbers.get(key, this.#numbers.size);
    this.#numbers.set(key, number);
    return number;
  }

  /** A stem and its form, as they were met. */
  meet(record: Buffer): void {
    if (this.#starts.length === 0) this.#starts = new Float64Array(this.#numbers.size).fill(-1);
    const from = new ByteReader(record);
    const stem = from.text();
    const form = from.text();
    const number = this.#numbers.get(pairKey(key53(stem), formHash(form)), UNMET);
    if (number === UNMET) return;
    // Forms of one hash: the first in string order.
    const start = this.#starts[number]!;
    if (start >= 0 && this.#read(start).form <= form) return;
    this.#starts[number] = this.#texts.length;
    this.#texts.raw(record);
  }

  texts(number: number): { readonly stem: string; readonly form: string } {
    return this.#read(this.#starts[number]!);
  }

  #read(start: number): { readonly stem: string; readonly form: string } {
    const from = new ByteReader(this.#texts.view());
    from.at = start;
    return { stem: from.text(), form: from.text() };
  }
}
