/**
 * MH-signatures: m min-hash values of a weighted set, as printed.
 *
 * A bag with integer weights is a set of elements (feature, copy number); two such sets meet in
 * sum of min(w, w') elements, so plain min-hash estimates the weighted Jaccard.
 *
 *   feature f, weight 3  ->  x = mix32(mix32(h(f)) ^ 0), mix32(.. ^ GOLDEN), mix32(.. ^ 2 GOLDEN)     an element each
 *   value i              =   the top 24 bits of  min over x of (a_i x + b_i mod 2^32),  a_i odd
 *
 * Linear hashes are pairwise independent only; the elements are mixed before, and the agreement of two
 * signatures is then binomial (m, s) as far as tests tell (rmse .0456 against .0462 at m = 80).
 *
 * The SIMD kernel computes 16 functions at a time (page-kernel.ts): m is best a multiple of 16.
 *
 * Cost    m multiplications an element: a bag of sum 100 takes 1.3 µs with m = 80 and 1.8 with 128, one of sum 400 3.7
 *         and 5.8. A loop in plain JavaScript takes ten times as long.
 * Limits  a value is 24 bits: two bags agree by accident in about one value of 2^24 / (sum of weights). The work grows
 *         with the sum of the weights: at sums of 100 and 800 the sketches for real weights that came after 2000 take 8
 *         times as long or more, at the same error (bench/weighted-min-hash.bench.ts).
 * Source  Haveliwala, Gionis, Indyk, WebDB 2000, section 3.2; Broder et al., STOC 1998. Bit-stable: a test pins the
 *         checksum of two thousand signatures.
 */
import type { BagMatrix } from '../features/bag.ts';
import { Random } from '../lib/random.ts';
import { createKernelMemory } from '../lib/wasm.ts';
import { createKernel, GROUP_FUNCTIONS, type PageKernel } from './page-kernel.ts';

/** Stored with the signatures: signatures of different versions do not mix. */
export const MH_V1 = 'mh-1';

/** Every value of an empty bag, which is similar to nothing. */
export const EMPTY_VALUE = 0xff_ffff;

/** m functions x -> a x + b mod 2^32. */
export interface HashFamily {
  readonly m: number;
  /** Odd, so that each function is a bijection. */
  readonly a: Uint32Array;
  readonly b: Uint32Array;
}

export function createHashFamily(m: number, seed: number): HashFamily {
  const random = new Random(seed);
  const a = new Uint32Array(m);
  const b = new Uint32Array(m);
  for (let i = 0; i < m; i++) {
    a[i] = random.nextUint32() | 1;
    b[i] = random.nextUint32();
  }
  return { m, a, b };
}

const BATCH_ENTRIES = 131_072;
const BATCH_PAGES = 256;
const MAX_SUM = 65_535;

/**
 * Draws the MH-signatures of bags, batch by batch in the memory of the kernel.
 *
 * Shape   family of any m; featureHashes Uint32Array(featureCount), by feature id: hashes of the words, not the ids, so
 *         that signatures do not depend on the collection. Page p's values are at out[(p - from) * m].
 * Memory  2.5 MB a signer.
 */
export class BagSigner {
  readonly #kernel: PageKernel;
  readonly #words: Uint32Array;
  readonly #bytes: Uint8Array;
  readonly #m: number;
  readonly #groups: number;
  readonly #featureHashes: Uint32Array;
  readonly #at: Record<'features' | 'weights' | 'starts' | 'functions' | 'elements' | 'out', number>;

  constructor(family: HashFamily, featureHashes: Uint32Array) {
    this.#m = family.m;
    this.#groups = Math.ceil(family.m / GROUP_FUNCTIONS);
    this.#featureHashes = featureHashes;
    const features = 1024;
    const weights = features + 4 * BATCH_ENTRIES;
    const starts = weights + BATCH_ENTRIES;
    const functions = starts + 4 * (BATCH_PAGES + 4);
    const elements = functions + 128 * this.#groups;
    const out = elements + 4 * (MAX_SUM + 1) + 64;
    const memory = createKernelMemory(out + 4 * GROUP_FUNCTIONS * this.#groups * BATCH_PAGES);
    this.#at = { features, weights, starts, functions, elements, out };
    this.#kernel = createKernel(memory);
    this.#words = new Uint32Array(memory.buffer);
    this.#bytes = new Uint8Array(memory.buffer);
    for (let i = 0; i < family.m; i++) {
      const lane = (functions >>> 2) + 32 * (i >>> 4) + (i & 15);
      this.#words[lane] = family.a[i]!;
      this.#words[lane + GROUP_FUNCTIONS] = family.b[i]!;
    }
  }

  /** Signs pages from .. to-1; `out` has room for (to - from) * m values. */
  sign(matrix: BagMatrix, from: number, to: number, out: Uint32Array): void {
    const { offsets, features, weights } = matrix;
    const at = this.#at;
    for (let first = from; first < to; ) {
      const origin = offsets[first]!;
      let page = first;
      while (page < to && page - first < BATCH_PAGES && offsets[page + 1]! - origin <= BATCH_ENTRIES) page++;
      const size = offsets[page]! - origin;
      for (let p = first; p <= page; p++) this.#words[(at.starts >>> 2) + p - first] = offsets[p]! - origin;
      for (let i = 0; i < size; i++) {
        this.#words[(at.features >>> 2) + i] = this.#featureHashes[features[origin + i]!]!;
      }
      this.#bytes.set(weights.subarray(origin, origin + size), at.weights);
      const count = page - first;
      const { features: f, weights: w, starts, functions, elements } = at;
      this.#kernel.signPages(f, w, starts, count, functions, this.#groups, elements, at.out, 0);
      this.#copyOut(out, (first - from) * this.#m, count);
      first = page;
    }
  }

  #copyOut(out: Uint32Array, start: number, pageCount: number): void {
    const width = GROUP_FUNCTIONS * this.#groups;
    const values = this.#at.out >>> 2;
    for (let page = 0; page < pageCount; page++) {
      for (let i = 0; i < this.#m; i++) {
        out[start + page * this.#m + i] = this.#words[values + page * width + i]! >>> 8;
      }
    }
  }
}
