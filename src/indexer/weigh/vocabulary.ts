import { PARTS, type Part } from '../../features/bag.ts';
import { featureHash } from '../../features/feature-hash.ts';
import { KeyTable, key53, key53OfBytes } from '../../lib/key-table.ts';
import type { FeatureRecord } from '../../store/records.ts';
import { ArrayWriter, readArray, writeArray } from '../files/array-file.ts';
import { bucketName } from '../files/bucket-files.ts';
import { ByteReader, ByteWriter } from '../files/bytes.ts';
import { RecordWriter, readRecords } from '../files/record-file.ts';
import type { WorkFiles, WorkFolder } from '../files/work-folder.ts';
import type { FeatureTable } from './frequencies.ts';

/** Ids per file while the names of features are sorted by id: bounds what is held at once. */
const RANGE = 1 << 18;
const ABSENT = 0xffffffff;
/** Stands for a form whose stem has no feature. */
const UNUSED = 0xfffffffe;

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
  writeArray(folder.file('feature-words'), wordIds(table.keys));
}

/** Brings the features of an index back to the files that `nameFeatures` and `saveFeatureTable` leave. */
export function restoreFeatures(folder: WorkFolder, features: Iterable<FeatureRecord>): void {
  const parts = new ArrayWriter(folder.file('feature-parts'), Uint8Array);
  const keys = new ArrayWriter(folder.file('feature-keys'), Float64Array);
  const pageCounts = new ArrayWriter(folder.file('feature-page-counts'), Uint32Array);
  const hashes = new ArrayWriter(folder.file('feature-hashes'), Uint32Array);
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
  for (const file of [parts, keys, pageCounts, hashes]) file.close();
  writeArray(folder.file('feature-words'), wordIds(readArray(folder.file('feature-keys'), Float64Array)));
}

/** Stem and form of a record that was met for the first time, and how often they came together. */
interface UsedForm {
  readonly stem: string;
  readonly form: string;
  useCount: number;
}

/**
 * Of each stem that has a feature: the form used most, of equals the first in string order. Stem and form come together
 * in many records: they are told apart by the key of their bytes, and read as text once.
 */
function mostFrequentForms(path: string, lookup: FeatureLookup): Map<string, string> {
  const numbers = new KeyTable();
  const used: UsedForm[] = [];
  for (const bytes of readRecords(path)) {
    const from = new ByteReader(bytes);
    from.skip(from.varint());
    from.skip(from.varint());
    const key = key53OfBytes(bytes, 0, from.at);
    let number = numbers.get(key, ABSENT);
    if (number === ABSENT) {
      number = takeForm(bytes, lookup, used);
      numbers.set(key, number);
    }
    if (number !== UNUSED) used[number]!.useCount += from.varint();
  }
  const best = new Map<string, UsedForm>();
  for (const one of used) {
    const other = best.get(one.stem);
    const isBetter =
      other === undefined ||
      one.useCount > other.useCount ||
      (one.useCount === other.useCount && one.form < other.form);
    if (isBetter) best.set(one.stem, one);
  }
  return new Map(Array.from(best, ([stem, { form }]) => [stem, form]));
}

/** Number of the form that a record is of, UNUSED where its stem has no feature. */
function takeForm(bytes: Uint8Array, lookup: FeatureLookup, used: UsedForm[]): number {
  const from = new ByteReader(bytes);
  const stem = from.text();
  const key = key53(stem);
  if (!PARTS.some((_, part) => lookup.find(part, key) >= 0)) return UNUSED;
  return used.push({ stem, form: from.text(), useCount: 0 }) - 1;
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
function wordIds(keys: Float64Array): Uint32Array {
  const words = new KeyTable(keys.length);
  return Uint32Array.from(keys, (key) => {
    const word = words.get(key, words.size);
    words.set(key, word);
    return word;
  });
}
