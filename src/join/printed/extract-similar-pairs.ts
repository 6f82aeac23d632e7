/**
 * EXTRACTSIMILARPAIRS as printed, in the three steps that Table 1 of the paper times: for each of the l sweeps sort
 * (LSH-signature, page); pages with equal LSH-signatures are candidates (pair generation); a candidate pair is kept if
 * its MH-signatures agree in at least 20 % of the values compared (filter); the pairs are sorted.
 *
 *   sweep j:   [key 17: page 4, 9, 30] [key 21: page 2, 9] ...    ->  (4,9) (4,30) (9,30) (2,9)
 *
 * The filter's two ways to save memory are the paper's: one byte of each value, or the first values only.
 * A pair that met in an earlier sweep is passed over there and then, by looking at its earlier sweeps again, so
 * no set of all pairs is needed. Twins are joined once, by their representative; empty bags not at all.
 *
 * Finds a pair of similarity s with the probability of s-curve.ts: .398 at s = .2 with m = 80, k = 3, l = 125.
 * Cost      a sort of all pages a sweep and some 0.1 us a candidate pair; candidates are quadratic in a run of
 *           like (not equal) pages.
 * Source    Haveliwala, Gionis, Indyk, WebDB 2000, section 4.
 */
import { indexes } from '../../lib/columns/indexes.ts';
import { createRadixScratch, radixSort, sortedOrder } from '../../lib/columns/radix-sort.ts';
import { mix32 } from '../../lib/hash.ts';
import { leastReaching } from '../../lib/reaches-share.ts';
import { type BandChoice, lshSignatures, sameBand } from '../../sketch/lsh-signature.ts';
import { EMPTY_VALUE } from '../../sketch/mh-signature.ts';
import type { SimilarPairs } from '../pairs/similar-pairs.ts';

interface FilterOptions {
  /** Share of the compared values that must agree; 0.2 in the paper. */
  readonly leastAgreement: number;
  /** Compare all three bytes of a value, or one. Default 3. */
  readonly bytesPerValue?: 1 | 3;
  /** Compare the first values only, at most m. Default m. */
  readonly valuesCompared?: number;
}

/**
 * Pair generation: hands over each pair of representatives a < b that shares an LSH-signature, once, sweep by sweep.
 *
 * Shape   signatures Uint32Array(pageCount * m) row-major, 24-bit values of `BagSigner`. Returns the representative of
 *         each page; a page with an empty bag is its own, whatever other empty pages there are.
 */
export function generatePairs(
  signatures: Uint32Array,
  choice: BandChoice,
  take: (a: number, b: number) => void,
): Uint32Array {
  const { m } = choice;
  const pageCount = signatures.length / m;
  const representative = findTwins(signatures, m, pageCount);
  const joined = indexes(pageCount).filter(
    (page) => representative[page] === page && !isEmpty(signatures, m, page),
  );
  const keys = new Uint32Array(joined.length);
  const scratch = createRadixScratch(joined.length);
  for (let band = 0; band < choice.l; band++) {
    const pages = joined.slice();
    lshSignatures(signatures, choice, band, pages, keys);
    radixSort(keys, pages, scratch);
    for (let start = 0, end = 0; start < pages.length; start = end) {
      while (end < pages.length && keys[end] === keys[start]) end++;
      for (let i = start; i < end; i++) {
        for (let j = i + 1; j < end; j++) {
          // The sort is stable: pages ascend within a run.
          // Very similar pairs are most of the candidates, and have met in one of the first sweeps.
          if (meetFirstIn(signatures, choice, band, pages[i]!, pages[j]!)) take(pages[i]!, pages[j]!);
        }
      }
    }
  }
  return withoutEmpty(representative, signatures, m);
}

/** The filter: hands over the pairs that agree in enough of the compared values. */
export function filterPairs(
  filter: FilterRows,
  a: Uint32Array,
  b: Uint32Array,
  take: (a: number, b: number, agreement: number) => void,
): void {
  for (let i = 0; i < a.length; i++) {
    const agreement = countAgreement(filter, a[i]!, b[i]!);
    if (agreement >= filter.least) take(a[i]!, b[i]!, agreement);
  }
}

/** The sort: the same pairs by (a, b). */
export function sortPairs(
  a: Uint32Array,
  b: Uint32Array,
  agreement: Uint16Array,
): Pick<SimilarPairs, 'a' | 'b' | 'agreement'> {
  const order = sortedOrder(a, b);
  return {
    a: order.map((i) => a[i]!),
    b: order.map((i) => b[i]!),
    agreement: Uint16Array.from(order, (i) => agreement[i]!),
  };
}

/** A page as the filter compares it. */
export interface FilterRows {
  readonly rows: Uint8Array | Uint32Array;
  /** Values compared, and how many of them must agree. */
  readonly total: number;
  readonly least: number;
}

export function filterOf(
  signatures: Uint32Array,
  m: number,
  { leastAgreement, bytesPerValue = 3, valuesCompared = m }: FilterOptions,
): FilterRows {
  const total = Math.min(valuesCompared, m);
  const rows = filterRows(signatures, signatures.length / m, m, total, bytesPerValue);
  return { rows, total, least: leastReaching(leastAgreement, total) };
}

/** What the filter holds in memory. One byte of a value is taken after mixing: the raw bits are not uniform. */
function filterRows(
  signatures: Uint32Array,
  pageCount: number,
  m: number,
  total: number,
  bytesPerValue: 1 | 3,
): Uint8Array | Uint32Array {
  if (bytesPerValue === 3 && total === m) return signatures;
  const rows = bytesPerValue === 1 ? new Uint8Array(pageCount * total) : new Uint32Array(pageCount * total);
  for (let page = 0; page < pageCount; page++) {
    for (let i = 0; i < total; i++) {
      const value = signatures[page * m + i]!;
      rows[page * total + i] = bytesPerValue === 1 ? mix32(value) : value;
    }
  }
  return rows;
}

export function countAgreement({ rows, total }: FilterRows, pageA: number, pageB: number): number {
  const from = pageA * total;
  const shift = (pageB - pageA) * total;
  let count = 0;
  for (let i = from; i < from + total; i++) if (rows[i] === rows[i + shift]) count++;
  return count;
}

function meetFirstIn(
  signatures: Uint32Array,
  choice: BandChoice,
  band: number,
  pageA: number,
  pageB: number,
): boolean {
  if (!sameBand(signatures, choice, band, pageA, pageB)) return false;
  for (let earlier = 0; earlier < band; earlier++) {
    if (sameBand(signatures, choice, earlier, pageA, pageB)) return false;
  }
  return true;
}

export function isEmpty(signatures: Uint32Array, m: number, page: number): boolean {
  for (let i = page * m; i < (page + 1) * m; i++) if (signatures[i] !== EMPTY_VALUE) return false;
  return true;
}

/** Empty pages have equal signatures, yet nothing in common. */
function withoutEmpty(representative: Uint32Array, signatures: Uint32Array, m: number): Uint32Array {
  return representative.map((owner, page) => (isEmpty(signatures, m, owner) ? page : owner));
}

/**
 * For every page the least page with an equal signature.
 *
 * Shape   signatures Uint32Array(pageCount * m) row-major. Cost one sort by a 32-bit hash, then a comparison a page.
 */
function findTwins(signatures: Uint32Array, m: number, pageCount: number): Uint32Array {
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
