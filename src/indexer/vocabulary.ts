import { PARTS, type Part } from '../features/bag.ts';
import { featureHash } from '../features/feature-hash.ts';
import { KeyTable, key53 } from '../lib/key-table.ts';
import type { FeatureRecord } from '../store/records.ts';
import { readArray, writeArray } from './array-file.ts';
import { bucketName } from './bucket-files.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import type { FeatureTable } from './frequencies.ts';
import { RecordWriter, readRecords } from './record-file.ts';
import type { WorkFiles, WorkFolder } from './work-folder.ts';

/** Ids per file while the names of features are sorted by id: bounds what is held at once. */
const RANGE = 1 << 18;
const ABSENT = 0xffffffff;

export interface FeatureName {
  readonly id: number;
  readonly part: Part;
  readonly stem: string;
  /** The stem's most frequent form. */
  readonly term: string;
}

/** The feature of each word in each part, for making bags. */
export class FeatureLookup {
  readonly #tables: KeyTable[];

  constructor(table: Pick<FeatureTable, 'parts' | 'keys'>) {
    this.#tables = PARTS.map(() => new KeyTable());
    for (let id = 0; id < table.keys.length; id++) this.#tables[table.parts[id]!]!.set(table.keys[id]!, id);
  }

  /** Feature id, or -1 where the word was dropped. */
  find(part: number, key: number): number {
    const id = this.#tables[part]!.get(key, ABSENT);
    return id === ABSENT ? -1 : id;
  }
}

export function saveFeatureTable(folder: WorkFolder, table: FeatureTable): void {
  writeArray(folder.file('feature-parts'), table.parts);
  writeArray(folder.file('feature-keys'), table.keys);
  writeArray(folder.file('feature-page-counts'), table.pageCounts);
}

export function loadFeatureTable(folder: WorkFiles): Omit<FeatureTable, 'partPageCounts'> {
  return {
    parts: readArray(folder.file('feature-parts'), Uint8Array),
    keys: readArray(folder.file('feature-keys'), Float64Array),
    pageCounts: readArray(folder.file('feature-page-counts'), Uint32Array),
  };
}

/**
 * Names every feature: finds its stem and its most frequent form among the forms met, bucket by bucket,
 * and writes the names in id order with the stable hash of each.
 */
export function nameFeatures(folder: WorkFolder, table: FeatureTable, bucketCount: number): void {
  const lookup = new FeatureLookup(table);
  const rangeCount = Math.ceil(table.keys.length / RANGE);
  const ranges = Array.from(
    { length: rangeCount },
    (_, r) => new RecordWriter(folder.file(`names-${r}`), 1 << 16),
  );
  const hashes = new Uint32Array(table.keys.length);
  const out = new ByteWriter();
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    for (const [stem, term] of mostFrequentForms(folder.file(bucketName('forms', bucket)), lookup)) {
      const key = key53(stem);
      for (const [part, name] of PARTS.entries()) {
        const id = lookup.find(part, key);
        if (id < 0) continue;
        hashes[id] = featureHash(name, stem);
        out.clear();
        out.varint(id);
        out.u8(part);
        out.text(stem);
        out.text(term);
        ranges[Math.floor(id / RANGE)]!.append(out.view());
      }
    }
  }
  for (const range of ranges) range.close();
  writeArray(folder.file('feature-hashes'), hashes);
  writeArray(folder.file('feature-words'), wordIds(table));
}

/** Brings the features of an index back to the files that `nameFeatures` and `saveFeatureTable` leave. */
export function restoreFeatures(folder: WorkFolder, features: Iterable<FeatureRecord>): void {
  const parts: number[] = [];
  const keys: number[] = [];
  const pageCounts: number[] = [];
  const hashes: number[] = [];
  const out = new ByteWriter();
  let range: RecordWriter | undefined;
  for (const { id, part, stem, term, pageCount } of features) {
    if (id % RANGE === 0) {
      range?.close();
      range = new RecordWriter(folder.file(`names-${id / RANGE}`), 1 << 16);
    }
    const partNumber = PARTS.indexOf(part);
    parts.push(partNumber);
    keys.push(key53(stem));
    pageCounts.push(pageCount);
    hashes.push(featureHash(part, stem));
    out.clear();
    out.varint(id);
    out.u8(partNumber);
    out.text(stem);
    out.text(term);
    range!.append(out.view());
  }
  range?.close();
  const table = {
    parts: Uint8Array.from(parts),
    keys: Float64Array.from(keys),
    pageCounts: Uint32Array.from(pageCounts),
    partPageCounts: { content: 0, title: 0, anchor: 0 },
  };
  saveFeatureTable(folder, table);
  writeArray(folder.file('feature-hashes'), Uint32Array.from(hashes));
  writeArray(folder.file('feature-words'), wordIds(table));
}

/** Of each stem that has a feature: the form used most, of equals the first in string order. */
function mostFrequentForms(path: string, lookup: FeatureLookup): Map<string, string> {
  const uses = new Map<string, Map<string, number>>();
  for (const bytes of readRecords(path)) {
    const from = new ByteReader(bytes);
    const stem = from.text();
    const form = from.text();
    const count = from.varint();
    let forms = uses.get(stem);
    if (forms === undefined) {
      const key = key53(stem);
      if (!PARTS.some((_, part) => lookup.find(part, key) >= 0)) continue;
      forms = new Map();
      uses.set(stem, forms);
    }
    forms.set(form, (forms.get(form) ?? 0) + count);
  }
  const best = new Map<string, string>();
  for (const [stem, forms] of uses) {
    const [form] = [...forms].reduce((a, b) => (b[1] > a[1] || (b[1] === a[1] && b[0] < a[0]) ? b : a));
    best.set(stem, form);
  }
  return best;
}

/** The names in id order. */
export function* featureNames(folder: WorkFiles, featureCount: number): IterableIterator<FeatureName> {
  for (let range = 0; range * RANGE < featureCount; range++) {
    const names: FeatureName[] = [];
    for (const bytes of readRecords(folder.file(`names-${range}`))) {
      const from = new ByteReader(bytes);
      names.push({ id: from.varint(), part: PARTS[from.u8()]!, stem: from.text(), term: from.text() });
    }
    names.sort((a, b) => a.id - b.id || (a.stem < b.stem ? -1 : 1));
    // Two stems of one key would share a feature: the first in string order gives it its name.
    yield* names.filter((name, i) => i === 0 || name.id !== names[i - 1]!.id);
  }
}

/** Feature id to word id: the features of one word in several parts share it. */
function wordIds(table: FeatureTable): Uint32Array {
  const words = new KeyTable(table.keys.length);
  return Uint32Array.from(table.keys, (key) => {
    const word = words.get(key, words.size);
    words.set(key, word);
    return word;
  });
}
