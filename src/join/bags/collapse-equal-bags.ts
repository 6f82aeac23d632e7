/**
 * Pages with equal bags become one group, so that a thousand mirrors are compared once.
 *
 *   page   bag              group
 *   0      rose 2           0, its first page
 *   1      keel 1, rose 2   1, its first page
 *   2      rose 2           0
 *
 * A hash of each bag leads to a place in a table; bags of one hash are compared entry by entry, so groups are exact.
 */
import type { BagMatrix } from '../../features/bag.ts';
import { type Groups, groupBy } from '../../lib/groups.ts';
import { mix32 } from '../../lib/hash.ts';
import type { EntrySource } from './entry-source.ts';

/** Entries of the largest bag: each weighs 1 at least, and a sum has 16 bits. */
const MAX_ENTRIES = 65_535;

/** Where the bags of a collection lie among its entries. */
export interface BagRanges {
  /** Float64Array(n): bag b owns the entries starts[b] .. ends[b] - 1; `starts` ascends. */
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  /** Uint16Array(n): sum of the weights of each bag. */
  readonly sums: Uint16Array;
  readonly featureCount: number;
}

/** Pages with equal bags, as groups in order of their first pages. */
export interface CollapsedBags extends Groups {
  /** One bag a group, that of its first page. */
  readonly bags: BagRanges;
  /** Uint32Array(n): the group of each page. */
  readonly groupOf: Uint32Array;
}

/**
 * Groups pages whose bags are equal. The bags stay where they are.
 *
 * Cost    two passes; 30 bytes a page, of which 12 stay, and 18 more where some are equal.
 */
export function collapseEqualBags(
  pages: Pick<BagMatrix, 'offsets' | 'sums' | 'featureCount'>,
  entries: EntrySource,
): CollapsedBags {
  const pageCount = pages.sums.length;
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, pageCount * 2)));
  const slots = new Int32Array(size).fill(-1);
  const groupOf = new Uint32Array(pageCount);
  const firsts = new Uint32Array(pageCount);
  const hashes = new Uint32Array(pageCount);
  const isEqual = equality(pages, entries);
  let groups = 0;
  for (let page = 0; page < pageCount; page++) {
    const hash = (hashes[page] = hashBag(pages, entries, page));
    let slot = hash & (size - 1);
    for (; slots[slot]! >= 0; slot = (slot + 1) & (size - 1)) {
      const first = firsts[slots[slot]!]!;
      if (hashes[first] === hash && isEqual(first, page)) break;
    }
    if (slots[slot]! < 0) {
      slots[slot] = groups;
      firsts[groups++] = page;
    }
    groupOf[page] = slots[slot]!;
  }
  return {
    bags: rangesOfFirsts(pages, firsts.subarray(0, groups)),
    groupOf,
    ...groupBy(groupOf, groups),
  };
}

function hashBag(
  { offsets, sums }: Pick<BagMatrix, 'offsets' | 'sums'>,
  entries: EntrySource,
  page: number,
): number {
  const size = offsets[page + 1]! - offsets[page]!;
  const at = entries.locate(offsets[page]!, offsets[page + 1]!);
  const { features, weights } = entries;
  let hash = sums[page]!;
  for (let i = at; i < at + size; i++) {
    hash = Math.imul(((hash << 7) | (hash >>> 25)) ^ features[i]!, 0x9e3779b1) + weights[i]!;
  }
  return mix32(hash) >>> 0;
}

/** Compares the bags of two pages; one is copied, as only one at a time can be read. */
function equality({ offsets, sums }: Pick<BagMatrix, 'offsets' | 'sums'>, entries: EntrySource) {
  const features = new Uint32Array(MAX_ENTRIES);
  const weights = new Uint8Array(MAX_ENTRIES);
  return (a: number, b: number): boolean => {
    const size = offsets[a + 1]! - offsets[a]!;
    if (sums[a] !== sums[b] || size !== offsets[b + 1]! - offsets[b]!) return false;
    const atA = entries.locate(offsets[a]!, offsets[a + 1]!);
    features.set(entries.features.subarray(atA, atA + size));
    weights.set(entries.weights.subarray(atA, atA + size));
    const atB = entries.locate(offsets[b]!, offsets[b + 1]!);
    for (let i = 0; i < size; i++) {
      if (features[i] !== entries.features[atB + i] || weights[i] !== entries.weights[atB + i]) return false;
    }
    return true;
  };
}

/** The bags of a matrix as ranges. */
export function rangesOf({
  offsets,
  sums,
  featureCount,
}: Omit<BagMatrix, 'features' | 'weights'>): BagRanges {
  return { starts: offsets, ends: offsets.subarray(1), sums, featureCount };
}

function rangesOfFirsts(matrix: Omit<BagMatrix, 'features' | 'weights'>, pages: Uint32Array): BagRanges {
  const { offsets, sums, featureCount } = matrix;
  if (pages.length === sums.length) return rangesOf(matrix);
  const starts = new Float64Array(new SharedArrayBuffer(8 * pages.length));
  const ends = new Float64Array(new SharedArrayBuffer(8 * pages.length));
  const groupSums = new Uint16Array(new SharedArrayBuffer(2 * pages.length));
  for (const [group, page] of pages.entries()) {
    starts[group] = offsets[page]!;
    ends[group] = offsets[page + 1]!;
    groupSums[group] = sums[page]!;
  }
  return { starts, ends, sums: groupSums, featureCount };
}

/** One bag a group as a matrix of its own, moved to the front of the memory of `matrix`, which is spent by it. */
export function keepDistinct(matrix: BagMatrix, { bags }: CollapsedBags): BagMatrix {
  const groupCount = bags.sums.length;
  if (groupCount === matrix.sums.length) return matrix;
  const offsets = new Float64Array(new SharedArrayBuffer(8 * (groupCount + 1)));
  for (let group = 0; group < groupCount; group++) {
    const [start, end] = [bags.starts[group]!, bags.ends[group]!];
    matrix.features.copyWithin(offsets[group]!, start, end);
    matrix.weights.copyWithin(offsets[group]!, start, end);
    offsets[group + 1] = offsets[group]! + end - start;
  }
  const { features, weights, featureCount } = matrix;
  return { offsets, features, weights, sums: bags.sums, featureCount };
}
