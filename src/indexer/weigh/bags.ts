/**
 * The stage `bags`: the weights of the features of each page, as small whole numbers.
 *
 *   counts of words ─> tf · idf ─> each part scaled to its share of the total ─> rounded up or down by hash ─> bag
 *
 *   content  rose 9, keel 1        rose 212, keel 31
 *   title    rose 1                rose 90                a word in two parts is two features
 *
 * Whole numbers make a similarity an exact fraction: overlap / union. A feature is rounded alike on all pages, so that
 * equal weights stay equal.
 *
 * Cost    one pass over the pages.
 * Source  Haveliwala, Gionis, Indyk 2000, section 2.3; features/weigh.ts for the weights.
 */

import { type BagRecipe, ofLinksAlone, roundWeights, weighPart } from '../../features/weigh.ts';
import { longer } from '../../lib/columns/longer.ts';
import { sortFirst } from '../../lib/columns/sort-first.ts';
import { FEATURE_HASHES } from '../files/records/stage-files.ts';
import type { CountsBuffer } from '../gather/records/counts-buffer.ts';
import { BagWriter } from './bag-files.ts';
import type { FeatureTable } from './frequencies.ts';
import { type CountedPages, partCounts } from './part-counts.ts';
import { FeatureLookup } from './vocabulary.ts';

/** Room for the words of one part of one page; grown when a page has more. */
export class Scratch {
  /** Id and position in one number. */
  found = new Float64Array(1024);
  ids = new Uint32Array(1024);
  tfs = new Float64Array(1024);
  pageCounts = new Uint32Array(1024);
  hashes = new Uint32Array(1024);
  reals = new Float64Array(1024);
  rounded = new Uint8Array(1024);

  fit(length: number): void {
    if (length <= this.ids.length) return;
    const size = length * 2;
    this.found = new Float64Array(size);
    this.ids = new Uint32Array(size);
    this.tfs = new Float64Array(size);
    this.pageCounts = new Uint32Array(size);
    this.hashes = new Uint32Array(size);
    this.reals = new Float64Array(size);
    this.rounded = new Uint8Array(size);
  }
}

/** Weighs and rounds every page and writes the bags as a matrix on disk. */
export function makeBags(
  pages: CountedPages,
  table: FeatureTable,
  recipe: BagRecipe,
  onPages: (done: number) => void,
): void {
  const { folder, parts } = pages;
  const { partPageCounts } = table;
  const lookup = new FeatureLookup(table, parts);
  const featureHashes = FEATURE_HASHES.read(folder);
  const writer = new BagWriter(folder);
  const scratch = new Scratch();
  const bag = new MergedBag();
  const unread = ofLinksAlone(recipe);
  for (const counts of partCounts(pages)) {
    bag.clear();
    let used = unread;
    for (const [part, name] of parts.entries()) {
      if (partPageCounts[part] === 0) continue;
      const length = findFeatures(lookup, part, counts[part]!, table.pageCounts, featureHashes, scratch);
      if (name === 'content' && length > 0) used = recipe;
      const { reals, rounded, ids } = scratch;
      weighPart(name, used, partPageCounts[part]!, scratch.tfs, scratch.pageCounts, length, reals);
      roundWeights(reals, scratch.hashes, rounded, length);
      bag.merge(ids, rounded, length);
    }
    writer.append(bag.ids, bag.weights, bag.length);
    if (writer.pageCount % 4096 === 0) onPages(writer.pageCount);
  }
  writer.close(table.keys.length);
}

/** The entries of one page, ascending by id; each part comes in that order, and no two parts share an id. */
class MergedBag {
  length = 0;
  ids = new Uint32Array(1024);
  weights = new Uint8Array(1024);

  clear(): void {
    this.length = 0;
  }

  /** Merges in the first `count` entries of more weight than 0, from the ends, so that each moves once. */
  merge(ids: Uint32Array, weights: Uint8Array, count: number): void {
    let added = 0;
    for (let i = 0; i < count; i++) if (weights[i]! > 0) added++;
    this.#fit(this.length + added);
    let own = this.length - 1;
    let to = this.length + added - 1;
    this.length += added;
    for (let i = count - 1; i >= 0; i--) {
      if (weights[i] === 0) continue;
      for (; own >= 0 && this.ids[own]! > ids[i]!; own--, to--) {
        this.ids[to] = this.ids[own]!;
        this.weights[to] = this.weights[own]!;
      }
      this.ids[to] = ids[i]!;
      this.weights[to--] = weights[i]!;
    }
  }

  #fit(length: number): void {
    if (length <= this.ids.length) return;
    this.ids = longer(this.ids, 2 * length);
    this.weights = longer(this.weights, 2 * length);
  }
}

/** Fills the scratch with the known words of one part in ascending feature id; returns how many. */
export function findFeatures(
  lookup: FeatureLookup,
  part: number,
  counts: CountsBuffer,
  pageCounts: Uint32Array,
  featureHashes: Uint32Array,
  scratch: Scratch,
): number {
  const { keys, tfs, length: stride } = counts;
  scratch.fit(stride);
  const { found } = scratch;
  let length = 0;
  for (let i = 0; i < stride; i++) {
    const id = lookup.find(part, keys[i]!);
    if (id >= 0) found[length++] = id * stride + i;
  }
  sortFirst(found, length);
  for (let j = 0; j < length; j++) {
    const id = Math.floor(found[j]! / stride);
    scratch.ids[j] = id;
    // Not the remainder: that of large doubles is a slow call.
    scratch.tfs[j] = tfs[found[j]! - id * stride]!;
    scratch.pageCounts[j] = pageCounts[id]!;
    scratch.hashes[j] = featureHashes[id]!;
  }
  return length;
}
