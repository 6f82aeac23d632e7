import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Random } from '../../src/lib/random.ts';
import {
  keyLimitOf,
  levelOf,
  limitForShare,
  MAX_LEVEL,
  shareBelow,
  shingleCount,
  shingleKeys,
} from '../../src/text/shingle.ts';
import { TokenSequence } from '../../src/text/token-sequence.ts';
import { readTokens } from '../../src/text/tokens.ts';

/** M of a level: a key is kept at it where M divides its selector. */
const modulusOf = (level: number) => [1, 5][level] ?? 25 * 2 ** (level - 2);

const SEED = 19970407;
const POLYNOMIAL = (1n << 64n) | 0b11011n;

function keysOf(tokens: TokenSequence, shingleSize: number): Float64Array {
  const keys = new Float64Array(shingleCount(tokens.count, shingleSize));
  assert.equal(shingleKeys(tokens, shingleSize, keys), keys.length);
  return keys;
}

/** The slow twin: each shingle by itself, by long division of its polynomial. */
function directKey(tokens: TokenSequence, from: number, to: number): number {
  let polynomial = 0n;
  for (let i = from; i < to; i++) {
    const token = (BigInt(tokens.high[i]! >>> 0) << 32n) | BigInt(tokens.low[i]! >>> 0);
    polynomial = (polynomial << 1n) ^ token;
  }
  for (let bit = 127n; bit >= 64n; bit--) {
    if ((polynomial >> bit) & 1n) polynomial ^= POLYNOMIAL << (bit - 64n);
  }
  const selector = Number(polynomial >> 40n);
  let level = 0;
  while (level < MAX_LEVEL && selector % modulusOf(level + 1) === 0) level++;
  return (15 - level) * 2 ** 40 + Number(polynomial & 0xffffffffffn);
}

function randomTokens(seed: number, count: number): TokenSequence {
  const random = new Random(seed);
  const tokens = new TokenSequence();
  tokens.count = count;
  tokens.high = Int32Array.from({ length: count }, () => random.nextUint32());
  tokens.low = Int32Array.from({ length: count }, () => random.nextUint32());
  return tokens;
}

test('a rolling fingerprint is the direct one at every place and for every shingle size', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 28 }),
      fc.integer({ min: 1, max: 90 }),
      fc.nat(),
      (shingleSize, count, seed) => {
        const tokens = randomTokens(seed, count);
        const keys = keysOf(tokens, shingleSize);
        for (let i = 0; i < keys.length; i++) {
          assert.equal(keys[i], directKey(tokens, i, Math.min(i + shingleSize, count)));
        }
      },
    ),
    { seed: SEED, numRuns: 200 },
  );
});

test('the polynomial is irreducible', () => {
  const reduce = (value: bigint, modulus: bigint, degree: bigint): bigint => {
    let rest = value;
    for (let bit = 2n * degree; bit >= degree; bit--)
      if ((rest >> bit) & 1n) rest ^= modulus << (bit - degree);
    return rest;
  };
  const square = (value: bigint): bigint => {
    let result = 0n;
    for (let bit = 0n; bit < 64n; bit++) if ((value >> bit) & 1n) result |= 1n << (2n * bit);
    return reduce(result, POLYNOMIAL, 64n);
  };
  const powers = [2n];
  for (let i = 0; i < 64; i++) powers.push(square(powers[i]!));
  // Rabin's test: x^(2^64) = x, and x^(2^32) - x has no factor in common with P.
  assert.equal(powers[64], 2n);
  let [a, b] = [POLYNOMIAL, powers[32]! ^ 2n];
  while (b !== 0n) {
    const degree = BigInt(b.toString(2).length - 1);
    let rest = a;
    for (let bit = BigInt(a.toString(2).length - 1); bit >= degree; bit--) {
      if ((rest >> bit) & 1n) rest ^= b << (bit - degree);
    }
    [a, b] = [b, rest];
  }
  assert.equal(a, 1n);
});

test('a text shorter than a shingle is one shingle of all its tokens, and an empty one has none', () => {
  assert.equal(keysOf(readTokens(''), 10).length, 0);
  assert.equal(keysOf(readTokens('two words'), 10).length, 1);
  assert.notDeepEqual(keysOf(readTokens('two words'), 10), keysOf(readTokens('words two'), 10));
  assert.equal(keysOf(readTokens('a b c d e f g h i j k l'), 10).length, 3);
});

test('the wording counts, its place does not', () => {
  const keys = keysOf(readTokens('x y z the quick brown fox jumps over the quick brown fox runs'), 4);
  assert.equal(keys[3], keys[9]);
  assert.equal(new Set(keys).size, keys.length - 1);
});

test('each level is selected as often as its modulus says, and the kept bits know nothing of it', () => {
  const keys = keysOf(randomTokens(7, 400_000), 10);
  for (const level of [1, 2, 3, 5, 8]) {
    const chosen = keys.filter((key) => key < keyLimitOf(level));
    const expected = keys.length / modulusOf(level);
    assert.ok(Math.abs(chosen.length - expected) < 4 * Math.sqrt(expected), `${level}: ${chosen.length}`);
    assert.ok(chosen.every((key) => levelOf(key) >= level));
    const mean = chosen.reduce((sum, key) => sum + (key % 2 ** 40), 0) / chosen.length / 2 ** 40;
    assert.ok(Math.abs(mean - 0.5) < 4 / Math.sqrt(12 * chosen.length), `${level}: mean ${mean}`);
    for (let bit = 0; bit < 40; bit += 13) {
      const set = chosen.filter((key) => Math.floor(key / 2 ** bit) % 2 === 1).length;
      assert.ok(Math.abs(set - chosen.length / 2) < 2 * Math.sqrt(chosen.length), `${level}, bit ${bit}`);
    }
  }
});

test('share and limit are each other’s inverse, and coarser moduli divide finer ones', () => {
  for (const share of [1, 0.9, 0.3, 0.2, 0.11, 1 / 25, 0.013, 1 / 400]) {
    assert.ok(Math.abs(shareBelow(limitForShare(share)) - share) < 1e-9, String(share));
  }
  for (let level = 0; level < MAX_LEVEL; level++) {
    assert.equal(modulusOf(level + 1) % modulusOf(level), 0);
    assert.ok(keyLimitOf(level + 1) < keyLimitOf(level));
  }
});
