import assert from 'node:assert/strict';
import type { Bag, BagMatrix } from '../src/features/bag.ts';
import { mix32 } from '../src/lib/hash.ts';
import { BagSigner, createHashFamily, type HashFamily } from '../src/sketch/mh-signature.ts';
import { mhSignature } from '../test/twins/plain-signature.ts';
import { round } from './bench.ts';

/** Values of a signature. */
export const M = 80;
const ROUNDS = 5;

/** Signs all bags in three ways, rounds of them in turn: the best of each, processor microseconds a bag. Asserts that they agree. */
export function signInTurn(matrix: BagMatrix): [way: string, us: number][] {
  const pageCount = matrix.sums.length;
  const hashes = Uint32Array.from({ length: matrix.featureCount }, (_, feature) => mix32(feature));
  const family = createHashFamily(M, 1);
  const signer = new BagSigner(family, hashes);
  const ways: [name: string, sign: (out: Uint32Array) => void][] = [
    [
      'loop as defined, a function at a time',
      (out) => {
        for (let page = 0; page < pageCount; page++) {
          signPlainly(bagOf(matrix, page), hashes, family, out, page * M);
        }
      },
    ],
    [
      'plain loop, four functions at a time',
      (out) => {
        for (let page = 0; page < pageCount; page++) {
          mhSignature(bagOf(matrix, page), hashes, family, out, page * M);
        }
      },
    ],
    ['SIMD kernel', (out) => signer.sign(matrix, 0, pageCount, out)],
  ];
  const best = ways.map(() => Number.POSITIVE_INFINITY);
  const values = ways.map(() => new Uint32Array(pageCount * M));
  for (let i = 0; i < ROUNDS; i++) {
    for (const [way, [, sign]] of ways.entries()) {
      const startedCpu = process.cpuUsage();
      sign(values[way]!);
      const { user, system } = process.cpuUsage(startedCpu);
      best[way] = Math.min(best[way]!, (user + system) / pageCount);
      assert.deepEqual(values[way], values[0]);
    }
  }
  return ways.map(([name], way) => [name, round(best[way]!)]);
}

/** The values as they are defined. */
function signPlainly(
  bag: Bag,
  hashes: Uint32Array,
  { m, a, b }: HashFamily,
  out: Uint32Array,
  at: number,
): void {
  const elements = new Int32Array(bag.sum);
  let count = 0;
  for (const [i, feature] of bag.features.entries()) {
    const base = mix32(hashes[feature]!);
    for (let copy = 0; copy < bag.weights[i]!; copy++) {
      elements[count++] = mix32(base ^ Math.imul(copy, 0x9e3779b1));
    }
  }
  for (let i = 0; i < m; i++) {
    const factor = a[i]!;
    const shift = b[i]! ^ 0x8000_0000;
    let least = 0x7fff_ffff;
    for (let e = 0; e < elements.length; e++) {
      const hash = (Math.imul(factor, elements[e]!) + shift) | 0;
      if (hash < least) least = hash;
    }
    out[at + i] = (least ^ 0x8000_0000) >>> 8;
  }
}

export function bagOf(matrix: BagMatrix, page: number): Bag {
  const [from, to] = [matrix.offsets[page]!, matrix.offsets[page + 1]!];
  return {
    features: matrix.features.subarray(from, to),
    weights: matrix.weights.subarray(from, to),
    sum: matrix.sums[page]!,
  };
}
