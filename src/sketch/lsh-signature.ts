import { mix32 } from '../lib/hash.ts';
import { Random } from '../lib/random.ts';

/** Length m of MH-signatures, size k of LSH-signatures, number l of sweeps. */
export interface SignatureShape {
  readonly m: number;
  readonly k: number;
  readonly l: number;
}

/** Which k of the m values make the LSH-signature of each sweep: k distinct columns from j * k. */
export interface BandChoice extends SignatureShape {
  /** Uint32Array(l * k). */
  readonly columns: Uint32Array;
}

/** Draws l random sets of k of the m columns, 1 <= k <= m; the same for every page. */
export function chooseBands(m: number, k: number, l: number, seed: number): BandChoice {
  const random = new Random(seed);
  const columns = new Uint32Array(l * k);
  const deck = Uint32Array.from({ length: m }, (_, column) => column);
  for (let band = 0; band < l; band++) {
    for (let i = 0; i < k; i++) {
      const drawn = i + random.below(m - i);
      const column = deck[drawn]!;
      deck[drawn] = deck[i]!;
      deck[i] = column;
      columns[band * k + i] = column;
    }
  }
  return { m, k, l, columns };
}

/**
 * The LSH-signatures of the given pages for sweep `band`: the k chosen values of each, mixed into 32 bits.
 *
 * Two pages of similarity s agree with probability s^k; different values may fall on one number (one pair in
 * 2^32), so `sameBand` has the last word.
 *
 * Shape   signatures Uint32Array(pages * m) row-major; out Uint32Array(pageIds.length).
 * Source  Haveliwala, Gionis, Indyk, WebDB 2000, section 4.
 */
export function lshSignatures(
  signatures: Uint32Array,
  choice: BandChoice,
  band: number,
  pageIds: Uint32Array,
  out: Uint32Array,
): void {
  const { m, k, columns } = choice;
  for (let i = 0; i < pageIds.length; i++) {
    const row = pageIds[i]! * m;
    let key = 0;
    for (let c = band * k; c < band * k + k; c++) key = mix32(key ^ signatures[row + columns[c]!]!) + c;
    out[i] = key;
  }
}

/** Whether two pages have the same LSH-signature in sweep `band`, value by value. */
export function sameBand(
  signatures: Uint32Array,
  choice: BandChoice,
  band: number,
  pageA: number,
  pageB: number,
): boolean {
  const { m, k, columns } = choice;
  for (let c = band * k; c < band * k + k; c++) {
    const column = columns[c]!;
    if (signatures[pageA * m + column] !== signatures[pageB * m + column]) return false;
  }
  return true;
}
