import { statSync } from 'node:fs';
import { type BagMatrix, PARTS } from '../features/bag.ts';
import type { BagRecipe } from '../features/document-bag.ts';
import { roundWeights, weighPart } from '../features/weigh.ts';
import { ArrayWriter, readArray } from './array-file.ts';
import { ByteReader } from './bytes.ts';
import type { FeatureTable } from './frequencies.ts';
import { PAGES_FILE } from './merge.ts';
import { readCollapsed } from './page-record.ts';
import { partCounts } from './part-counts.ts';
import { readRecords } from './record-file.ts';
import { FeatureLookup } from './vocabulary.ts';
import type { WorkFolder } from './work-folder.ts';

/** Room for the words of one part of one page; grown when a page has more. */
class Scratch {
  ids = new Uint32Array(1024);
  tfs = new Uint32Array(1024);
  pageCounts = new Uint32Array(1024);
  hashes = new Uint32Array(1024);
  reals = new Float64Array(1024);
  rounded = new Uint8Array(1024);

  fit(length: number): void {
    if (length <= this.ids.length) return;
    const size = length * 2;
    this.ids = new Uint32Array(size);
    this.tfs = new Uint32Array(size);
    this.pageCounts = new Uint32Array(size);
    this.hashes = new Uint32Array(size);
    this.reals = new Float64Array(size);
    this.rounded = new Uint8Array(size);
  }
}

/** Weighs and rounds every page and writes the bags as a matrix on disk. Returns the number of entries. */
export function makeBags(
  folder: WorkFolder,
  table: Omit<FeatureTable, 'partPageCounts'>,
  partPageCounts: FeatureTable['partPageCounts'],
  recipe: BagRecipe,
  titleInAnchor: boolean,
  onPages: (done: number) => void,
): number {
  const lookup = new FeatureLookup(table);
  const featureHashes = readArray(folder.file('feature-hashes'), Uint32Array);
  const features = new ArrayWriter(folder.file('bag-features'), Uint32Array);
  const weights = new ArrayWriter(folder.file('bag-weights'), Uint8Array);
  const offsets = new ArrayWriter(folder.file('bag-offsets'), Float64Array);
  const sums = new ArrayWriter(folder.file('bag-sums'), Uint16Array);
  const scratch = new Scratch();
  const bag: { id: number; weight: number }[] = [];
  offsets.push(0);
  for (const bytes of readRecords(folder.file(PAGES_FILE))) {
    const counts = partCounts(readCollapsed(new ByteReader(bytes)), titleInAnchor);
    bag.length = 0;
    for (const [part, name] of PARTS.entries()) {
      const share = recipe.parts[name] ?? 0;
      if (share === 0) continue;
      const { keys, tfs } = counts[name];
      const length = findFeatures(lookup, part, keys, tfs, table.pageCounts, featureHashes, scratch);
      const { reals, rounded, ids } = scratch;
      weighPart(
        scratch.tfs,
        scratch.pageCounts,
        length,
        partPageCounts[name],
        recipe,
        share * recipe.total,
        reals,
      );
      roundWeights(reals, scratch.hashes, rounded, length);
      for (let i = 0; i < length; i++) if (rounded[i]! > 0) bag.push({ id: ids[i]!, weight: rounded[i]! });
    }
    bag.sort((a, b) => a.id - b.id);
    let sum = 0;
    for (const { id, weight } of bag) {
      features.push(id);
      weights.push(weight);
      sum += weight;
    }
    sums.push(sum);
    offsets.push(features.length);
    if (sums.length % 4096 === 0) onPages(sums.length);
  }
  for (const file of [features, weights, offsets, sums]) file.close();
  return features.length;
}

/** Fills the scratch with the known words of one part in ascending feature id; returns how many. */
function findFeatures(
  lookup: FeatureLookup,
  part: number,
  keys: Float64Array,
  tfs: Uint32Array,
  pageCounts: Uint32Array,
  featureHashes: Uint32Array,
  scratch: Scratch,
): number {
  scratch.fit(keys.length);
  // id and position in one number: sorting a Float64Array is quicker than sorting pairs.
  const found = new Float64Array(keys.length);
  const stride = keys.length;
  let length = 0;
  for (let i = 0; i < keys.length; i++) {
    const id = lookup.find(part, keys[i]!);
    if (id >= 0) found[length++] = id * stride + i;
  }
  found.subarray(0, length).sort();
  for (let j = 0; j < length; j++) {
    const id = Math.floor(found[j]! / stride);
    scratch.ids[j] = id;
    scratch.tfs[j] = tfs[found[j]! % stride]!;
    scratch.pageCounts[j] = pageCounts[id]!;
    scratch.hashes[j] = featureHashes[id]!;
  }
  return length;
}

/** The bags of all pages, in shared memory. */
export function loadBags(folder: WorkFolder): BagMatrix {
  return { ...loadBagRanges(folder), ...loadEntries(folder) };
}

/** What of the bags is of one size a page. */
export function loadBagRanges(folder: WorkFolder): Pick<BagMatrix, 'offsets' | 'sums' | 'featureCount'> {
  return {
    offsets: readArray(folder.file('bag-offsets'), Float64Array),
    sums: readArray(folder.file('bag-sums'), Uint16Array),
    featureCount: statSync(folder.file('feature-parts')).size,
  };
}

export function loadEntries(folder: WorkFolder): Pick<BagMatrix, 'features' | 'weights'> {
  return {
    features: readArray(folder.file('bag-features'), Uint32Array),
    weights: readArray(folder.file('bag-weights'), Uint8Array),
  };
}
