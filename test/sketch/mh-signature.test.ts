import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Bag, BagMatrix } from '../../src/features/bag.ts';
import { mix32 } from '../../src/lib/hash.ts';
import { Random } from '../../src/lib/random.ts';
import { BagSigner, createHashFamily, EMPTY_VALUE } from '../../src/sketch/mh-signature.ts';
import { plainSimilarity } from '../twins/plain-similarity.ts';

const FEATURES = 2000;
const hashes = Uint32Array.from({ length: FEATURES }, (_, feature) => mix32(feature + 77));

function bagOf(entries: ReadonlyMap<number, number>): Bag {
  const sorted = [...entries].sort((x, y) => x[0] - y[0]);
  return {
    features: Uint32Array.from(sorted, (entry) => entry[0]),
    weights: Uint8Array.from(sorted, (entry) => entry[1]),
    sum: sorted.reduce((sum, entry) => sum + entry[1], 0),
  };
}

function matrixOfBag({ features, weights, sum }: Bag): BagMatrix {
  const offsets = Float64Array.of(0, features.length);
  return { offsets, features, weights, sums: Uint16Array.of(sum), featureCount: FEATURES };
}

function randomEntries(random: Random, size: number): Map<number, number> {
  return new Map(Array.from({ length: size }, () => [random.below(FEATURES), 1 + random.below(6)]));
}

function sign(bag: Bag, m = 80, seed = 1): Uint32Array {
  const out = new Uint32Array(m);
  new BagSigner(createHashFamily(m, seed), hashes).sign(matrixOfBag(bag), 0, 1, out);
  return out;
}

test('agreeing values are binomial in the weighted Jaccard', () => {
  const random = new Random(5);
  for (const kept of [3, 10, 20, 30]) {
    let agreed = 0;
    let expected = 0;
    let variance = 0;
    for (let pair = 0; pair < 100; pair++) {
      const left = randomEntries(random, 40);
      const right = new Map([...[...left].slice(0, kept), ...randomEntries(random, 40 - kept)]);
      const [a, b] = [bagOf(left), bagOf(right)];
      const similarity = plainSimilarity(a, b);
      const [signatureA, signatureB] = [sign(a, 80, pair), sign(b, 80, pair)];
      agreed += signatureA.filter((value, i) => value === signatureB[i]).length;
      expected += 80 * similarity;
      variance += 80 * similarity * (1 - similarity);
    }
    const deviation = (agreed - expected) / Math.sqrt(variance);
    assert.ok(Math.abs(deviation) < 2.58, `${kept} kept: ${agreed} agreed, ${expected} expected`);
  }
});

test('every value is the least of the linear hashes, as the slow twin finds it', () => {
  const bag = bagOf(randomEntries(new Random(9), 30));
  for (const m of [1, 6, 80]) {
    const family = createHashFamily(m, 3);
    const out = sign(bag, m, 3);
    const truth = Array.from({ length: m }, (_, i) => {
      let least = 2 ** 32;
      bag.features.forEach((feature, at) => {
        for (let copy = 0; copy < bag.weights[at]!; copy++) {
          const x = mix32(mix32(hashes[feature]!) ^ Math.imul(copy, 0x9e3779b1));
          const shift = family.b[i]!;
          least = Math.min(least, Number((BigInt(family.a[i]!) * BigInt(x) + BigInt(shift)) % 2n ** 32n));
        }
      });
      return Math.floor(least / 256);
    });
    assert.deepEqual(Array.from(out), truth);
  }
});

test('the signature of a bag does not depend on other features of the collection', () => {
  const bag = bagOf(
    new Map([
      [3, 2],
      [8, 1],
    ]),
  );
  const moved = bagOf(
    new Map([
      [0, 2],
      [1, 1],
    ]),
  );
  const out = new Uint32Array(80);
  const signer = new BagSigner(createHashFamily(80, 1), Uint32Array.of(hashes[3]!, hashes[8]!));
  signer.sign(matrixOfBag(moved), 0, 1, out);
  assert.deepEqual(out, sign(bag));
});

test('an empty bag has the empty value throughout', () => {
  assert.ok(sign(bagOf(new Map())).every((value) => value === EMPTY_VALUE));
});

test('MH_V1 is frozen: a checksum over two thousand signatures', () => {
  const random = new Random(1);
  const digest = createHash('sha256');
  for (let page = 0; page < 2000; page++) {
    for (const value of sign(bagOf(randomEntries(random, 1 + random.below(40))))) digest.update(`${value},`);
  }
  assert.equal(digest.digest('hex'), '5dd0f3622fce8ce887f1a371aba32524e4322ac0af789c8025701d9d0516e56b');
});
