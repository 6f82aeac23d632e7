import { indexes } from '../../lib/columns/indexes.ts';
import { createRadixScratch, radixSort } from '../../lib/columns/radix-sort.ts';
import { mix32 } from '../../lib/hash.ts';

/**
 * For every page the least page with an equal signature.
 *
 * Shape   signatures Uint32Array(pageCount * m) row-major. Cost one sort by a 32-bit hash, then a comparison a page.
 */
export function findTwins(signatures: Uint32Array, m: number, pageCount: number): Uint32Array {
  const keys = new Uint32Array(pageCount);
  const pages = indexes(pageCount);
  for (let page = 0; page < pageCount; page++) {
    let key = 0;
    for (let i = page * m; i < (page + 1) * m; i++) key = mix32(key ^ signatures[i]!) + 1;
    keys[page] = key;
  }
  radixSort(keys, pages, createRadixScratch(pageCount));
  const representative = new Uint32Array(pageCount);
  for (let start = 0, end = 0; start < pageCount; start = end) {
    while (end < pageCount && keys[end] === keys[start]) end++;
    // Different signatures may share a hash: a run holds one representative for each.
    const found: number[] = [];
    for (let i = start; i < end; i++) {
      const page = pages[i]!;
      let owner = found.find((other) => equalRows(signatures, m, page, other));
      if (owner === undefined) found.push((owner = page));
      representative[page] = owner;
    }
  }
  return representative;
}

function equalRows(signatures: Uint32Array, m: number, pageA: number, pageB: number): boolean {
  for (let i = 0; i < m; i++) {
    if (signatures[pageA * m + i] !== signatures[pageB * m + i]) return false;
  }
  return true;
}
