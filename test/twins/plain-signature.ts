import type { Bag } from '../../src/features/bag.ts';
import { mix32 } from '../../src/lib/hash.ts';
import type { HashFamily } from '../../src/sketch/mh-signature.ts';

const GOLDEN = 0x9e3779b1;
/** Turned over in both, signed comparison orders hashes as unsigned numbers. */
const SIGN = 0x8000_0000;

/** Writes the m values of a bag to out[at] .. out[at + m - 1]: what the kernel does, four functions at a time. */
export function mhSignature(
  bag: Bag,
  featureHashes: Uint32Array,
  family: HashFamily,
  out: Uint32Array,
  at = 0,
): void {
  const elements = flatten(bag, featureHashes);
  const { m, a, b } = family;
  for (let i = 0; i < m; i += 4) {
    const a0 = a[i]!;
    const a1 = a[i + 1] ?? 1;
    const a2 = a[i + 2] ?? 1;
    const a3 = a[i + 3] ?? 1;
    const b0 = b[i]! ^ SIGN;
    const b1 = (b[i + 1] ?? 0) ^ SIGN;
    const b2 = (b[i + 2] ?? 0) ^ SIGN;
    const b3 = (b[i + 3] ?? 0) ^ SIGN;
    let least0 = 0x7fff_ffff;
    let least1 = 0x7fff_ffff;
    let least2 = 0x7fff_ffff;
    let least3 = 0x7fff_ffff;
    for (let e = 0; e < elements.length; e++) {
      const x = elements[e]!;
      const hash0 = (Math.imul(a0, x) + b0) | 0;
      const hash1 = (Math.imul(a1, x) + b1) | 0;
      const hash2 = (Math.imul(a2, x) + b2) | 0;
      const hash3 = (Math.imul(a3, x) + b3) | 0;
      if (hash0 < least0) least0 = hash0;
      if (hash1 < least1) least1 = hash1;
      if (hash2 < least2) least2 = hash2;
      if (hash3 < least3) least3 = hash3;
    }
    out[at + i] = (least0 ^ SIGN) >>> 8;
    if (i + 1 < m) out[at + i + 1] = (least1 ^ SIGN) >>> 8;
    if (i + 2 < m) out[at + i + 2] = (least2 ^ SIGN) >>> 8;
    if (i + 3 < m) out[at + i + 3] = (least3 ^ SIGN) >>> 8;
  }
}

function flatten(bag: Bag, featureHashes: Uint32Array): Int32Array {
  const elements = new Int32Array(bag.sum);
  let count = 0;
  for (let i = 0; i < bag.features.length; i++) {
    const base = mix32(featureHashes[bag.features[i]!]!);
    for (let copy = 0; copy < bag.weights[i]!; copy++) {
      elements[count++] = mix32(base ^ Math.imul(copy, GOLDEN));
    }
  }
  return elements;
}
