/**
 * Names of features: of a word the stem, and the form in which most pages use it; of a pair of words those of both (see
 * pair-names.ts); of a link the id of the page that it joins; of a feature of one's own its name.
 *
 *   pages: (word, form used first) ─> votes ─┐
 *   forms met, by bucket of the stem ────────┴─> of each stem the form with the most votes ─> names, by range of ids
 *
 * The forms are the texts; pages hold only hashes of them.
 */

import { NO_WORD } from '../../cluster/label.ts';
import { featureHash, formHash } from '../../features/feature-hash.ts';
import { unpackFeatures } from '../../features/own-features.ts';
import { isGroup, isOfLinks, isOfPairs, isOfWords, type Part } from '../../features/parts.ts';
import { NONE } from '../../lib/columns/indexes.ts';
import { KeyTable, key53, key53OfBytes } from '../../lib/keys/key-table.ts';
import { ByteReader } from '../files/records/bytes.ts';
import { FEATURE_HASHES, FEATURE_WORDS, formsOfBucket, namesOfRange } from '../files/records/stage-files.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import { pageUrls } from '../gather/records/collapsed-pages.ts';
import { namesBefore } from '../steps/names.ts';
import type { FeatureTable } from './frequencies.ts';
import { pairNames } from './pair-names.ts';
import { linkKey, ownFeatures, partCounts } from './part-counts.ts';

/** Ids per file while the names of features are sorted by id: bounds what is held at once. */
const RANGE = 1 << 18;

/** The feature of each word in each part, for making bags. */
export class FeatureLookup {
  /** Positions of the parts that are made of words. */
  readonly wordParts: readonly number[];
  readonly #tables: KeyTable[];

  constructor(table: Pick<FeatureTable, 'parts' | 'keys'>, parts: readonly Part[]) {
    this.wordParts = [...parts.keys()].filter((part) => isOfWords(parts[part]!));
    this.#tables = parts.map(() => new KeyTable());
    for (let id = 0; id < table.keys.length; id++) this.#tables[table.parts[id]!]!.set(table.keys[id]!, id);
  }

  /** Feature id, or -1 where the word was dropped. */
  find(part: number, key: number): number {
    const id = this.#tables[part]!.get(key, NONE);
    return id === NONE ? -1 : id;
  }
}

/**
 * Names every feature: its stem, and of the stem's forms the one that most pages use first, of equals the first in string
 * order. Writes the names in id order with the stable hash of each.
 *
 * Only pages that are there count, so a word of a page that is gone names nothing.
 *
 * Memory  some 20 bytes a form of a feature, within `budgetBytes`; where they do not fit, the pages are read several
 *         times, each time for a share of the words.
 */
export function nameFeatures(
  folder: WorkFiles,
  table: FeatureTable,
  parts: readonly Part[],
  bucketCount: number,
  budgetBytes: number,
): void {
  const words = wordIds(table, parts);
  const names = new NameFiles(folder, table, parts);
  for (let passCount = 1, pass = 0; pass < passCount; pass++) {
    const votes = countVotes(folder, names.lookup, words, pass, passCount);
    const mostBytes = Math.max(budgetBytes, new KeyTable().sizeBytes);
    if (pass === 0 && votes.sizeBytes > mostBytes && passCount < MAX_PASSES) {
      passCount *= 2;
      pass = -1;
      continue;
    }
    for (let bucket = 0; bucket < bucketCount; bucket++) {
      const forms = formsOfBucket(bucket).records(folder);
      for (const [stem, form] of chosenForms(forms, (word) => names.wordOf(word, words), votes)) {
        names.write(stem, form);
      }
    }
  }
  if (parts.some(isOfLinks)) {
    let id = 0;
    for (const url of pageUrls(folder)) names.writeLinks(id++, url);
  }
  if (parts.some(isOfPairs)) names.writePairs(bucketCount);
  if (parts.some(isGroup)) for (const own of ownFeatures(folder)) names.writeOwn(own);
  names.close();
  FEATURE_WORDS.write(folder, words);
}

const MAX_PASSES = 64;
/** Values of `formHash`. */
const HASHES = 2 ** 21;

/** How many pages use each form first, by word id and hash of the form; of the words of one pass. */
function countVotes(
  folder: WorkFiles,
  lookup: FeatureLookup,
  words: Uint32Array,
  pass: number,
  passCount: number,
): KeyTable {
  const votes = new KeyTable();
  for (const own of partCounts({ folder, parts: ['content', 'title'], titleInAnchor: false })) {
    for (const { keys, forms, length } of own) {
      for (let i = 0; i < length; i++) {
        const word = wordOfKey(lookup, words, keys[i]!);
        if (word >= 0 && word % passCount === pass) votes.add(word * HASHES + forms[i]!, 1);
      }
    }
  }
  return votes;
}

/** Id of a word that has a feature in some part, or -1. */
function wordOfKey(lookup: FeatureLookup, words: Uint32Array, key: number): number {
  for (const part of lookup.wordParts) {
    const id = lookup.find(part, key);
    if (id >= 0) return words[id]!;
  }
  return -1;
}

/** Of each stem that has votes, the form with the most. */
function* chosenForms(
  forms: Iterable<Buffer>,
  wordOf: (stem: string) => number,
  votes: KeyTable,
): IterableIterator<[stem: string, form: string]> {
  const seen = new KeyTable();
  const best = new Map<string, { form: string; count: number }>();
  for (const bytes of forms) {
    const key = key53OfBytes(bytes, 0, bytes.length);
    if (seen.has(key)) continue;
    seen.set(key, 1);
    const from = new ByteReader(bytes);
    const stem = from.text();
    const word = wordOf(stem);
    if (word < 0) continue;
    const form = from.text();
    const count = votes.get(word * HASHES + formHash(form), 0);
    const other = best.get(stem);
    const isBest = other === undefined || namesBefore({ form, count }, other);
    if (count > 0 && isBest) best.set(stem, { form, count });
  }
  for (const [stem, { form }] of best) yield [stem, form];
}

/** Writes the name of each feature to the file of its range of ids. */
class NameFiles {
  readonly lookup: FeatureLookup;
  readonly #folder: WorkFiles;
  readonly #parts: readonly Part[];
  readonly #ranges: ReturnType<ReturnType<typeof namesOfRange>['writer']>[];
  readonly #hashes: Uint32Array;
  readonly #isNamed: Uint8Array;

  constructor(folder: WorkFiles, table: FeatureTable, parts: readonly Part[]) {
    const rangeCount = Math.ceil(table.keys.length / RANGE);
    this.lookup = new FeatureLookup(table, parts);
    this.#parts = parts;
    this.#folder = folder;
    this.#hashes = new Uint32Array(table.keys.length);
    this.#isNamed = new Uint8Array(table.keys.length);
    this.#ranges = Array.from({ length: rangeCount }, (_, range) =>
      namesOfRange(range).writer(folder, 1 << 16),
    );
  }

  wordOf(stem: string, words: Uint32Array): number {
    return wordOfKey(this.lookup, words, key53(stem));
  }

  write(stem: string, form: string): void {
    const key = key53(stem);
    for (const part of this.lookup.wordParts) {
      const id = this.lookup.find(part, key);
      if (id >= 0) this.#write(id, this.#parts[part]!, stem, stem, form);
    }
  }

  /** The features that pages share who link to this one, or that it links to. */
  writeLinks(pageId: number, url: string): void {
    for (const [part, name] of this.#parts.entries()) {
      if (!isOfLinks(name)) continue;
      const id = this.lookup.find(part, linkKey(pageId));
      if (id >= 0) this.#write(id, name, url, String(pageId), '');
    }
  }

  /** The pairs of words. */
  writePairs(bucketCount: number): void {
    const part = this.#parts.findIndex(isOfPairs);
    const find = (key: number) => this.lookup.find(part, key);
    for (const { id, stem, form } of pairNames(this.#folder, find, this.#hashes.length, bucketCount)) {
      this.#write(id, this.#parts[part]!, stem, stem, form);
    }
  }

  /** Those of one page; each is named once. */
  writeOwn(own: string): void {
    const groups = unpackFeatures(own);
    for (const [part, name] of this.#parts.entries()) {
      if (!isGroup(name)) continue;
      for (const feature of Object.keys(groups[name] ?? {})) {
        const id = this.lookup.find(part, key53(feature));
        if (id < 0 || this.#isNamed[id] === 1) continue;
        this.#isNamed[id] = 1;
        this.#write(id, name, feature, feature, feature);
      }
    }
  }

  /** `lasting`: what names the feature in every index. */
  #write(id: number, part: Part, lasting: string, stem: string, form: string): void {
    this.#hashes[id] = featureHash(part, lasting);
    this.#ranges[Math.floor(id / RANGE)]!.push({ id, part, stem, term: form });
  }

  close(): void {
    for (const range of this.#ranges) range.close();
    FEATURE_HASHES.write(this.#folder, this.#hashes);
  }
}

/** The names in id order. */
export function* featureNames(folder: WorkFiles, featureCount: number) {
  for (let range = 0; range * RANGE < featureCount; range++) {
    const names = [...namesOfRange(range).records(folder)];
    names.sort((a, b) => a.id - b.id || (a.stem < b.stem ? -1 : 1));
    // Two stems of one key would share a feature: the first in string order gives it its name.
    yield* names.filter((name, i) => i === 0 || name.id !== names[i - 1]!.id);
  }
}

/** Feature id to word id: the features of one word in several parts share it; a pair has its own; NO_WORD for what is none. */
function wordIds({ keys, parts: partOf }: FeatureTable, parts: readonly Part[]): Uint32Array {
  const words = new KeyTable(keys.length);
  return Uint32Array.from(keys, (key, id) => {
    const part = parts[partOf[id]!]!;
    if (!isOfWords(part) && !isOfPairs(part)) return NO_WORD;
    const word = words.get(key, words.size);
    words.set(key, word);
    return word;
  });
}
