import type { BagMatrix } from '../features/bag.ts';
import { mix32 } from '../lib/hash.ts';

/** Pages with equal bags, as groups in order of their first pages. */
export interface CollapsedBags {
  /** One bag a group. */
  readonly matrix: BagMatrix;
  /** Uint32Array(n): the group of each page. */
  readonly groupOf: Uint32Array;
  /** Pages of group g: members[offsets[g]] .. members[offsets[g + 1] - 1], ascending. */
  readonly offsets: Uint32Array;
  readonly members: Uint32Array;
}

/**
 * Groups pages whose bags are equal, so that a thousand mirrors are compared once. The group's bags lie in
 * memory that threads can share.
 *
 * Cost    two passes; a second copy of the bags.
 */
export function collapseEqualBags(matrix: BagMatrix): CollapsedBags {
  const { offsets, features, weights, sums, featureCount } = matrix;
  const pageCount = sums.length;
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, pageCount * 2)));
  const slots = new Int32Array(size).fill(-1);
  const groupOf = new Uint32Array(pageCount);
  const firsts = new Uint32Array(pageCount);
  let groups = 0;
  let entries = 0;
  for (let page = 0; page < pageCount; page++) {
    let hash = sums[page]!;
    for (let i = offsets[page]!; i < offsets[page + 1]!; i++) {
      hash = Math.imul(((hash << 7) | (hash >>> 25)) ^ features[i]!, 0x9e3779b1) + weights[i]!;
    }
    let slot = mix32(hash) & (size - 1);
    while (slots[slot]! >= 0 && !equalBags(matrix, firsts[slots[slot]!]!, page))
      slot = (slot + 1) & (size - 1);
    if (slots[slot]! < 0) {
      slots[slot] = groups;
      firsts[groups++] = page;
      entries += offsets[page + 1]! - offsets[page]!;
    }
    groupOf[page] = slots[slot]!;
  }
  const memberOffsets = new Uint32Array(groups + 1);
  for (let page = 0; page < pageCount; page++) memberOffsets[groupOf[page]! + 1]!++;
  for (let group = 0; group < groups; group++) memberOffsets[group + 1]! += memberOffsets[group]!;
  const next = memberOffsets.slice(0, groups);
  const members = new Uint32Array(pageCount);
  for (let page = 0; page < pageCount; page++) members[next[groupOf[page]!]!++] = page;
  return {
    matrix: gather(matrix, firsts.subarray(0, groups), entries, featureCount),
    groupOf,
    offsets: memberOffsets,
    members,
  };
}

function equalBags(matrix: BagMatrix, a: number, b: number): boolean {
  const { offsets, features, weights, sums } = matrix;
  const size = offsets[a + 1]! - offsets[a]!;
  if (sums[a] !== sums[b] || size !== offsets[b + 1]! - offsets[b]!) return false;
  for (let i = 0; i < size; i++) {
    if (features[offsets[a]! + i] !== features[offsets[b]! + i]) return false;
    if (weights[offsets[a]! + i] !== weights[offsets[b]! + i]) return false;
  }
  return true;
}

function gather(matrix: BagMatrix, pages: Uint32Array, entries: number, featureCount: number): BagMatrix {
  const offsets = new Float64Array(new SharedArrayBuffer(8 * (pages.length + 1)));
  const features = new Uint32Array(new SharedArrayBuffer(4 * entries));
  const weights = new Uint8Array(new SharedArrayBuffer(entries));
  const sums = new Uint16Array(new SharedArrayBuffer(2 * pages.length));
  let at = 0;
  for (const [group, page] of pages.entries()) {
    const from = matrix.offsets[page]!;
    const to = matrix.offsets[page + 1]!;
    features.set(matrix.features.subarray(from, to), at);
    weights.set(matrix.weights.subarray(from, to), at);
    at += to - from;
    offsets[group + 1] = at;
    sums[group] = matrix.sums[page]!;
  }
  return { offsets, features, weights, sums, featureCount };
}
