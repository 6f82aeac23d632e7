import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hash32, hash64, mix32 } from '../../src/lib/hash.ts';

const SEED = 20260;

function words(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, i) => {
    let word = '';
    for (let rest = from + i + 26; rest > 0; rest = Math.floor(rest / 26))
      word += String.fromCharCode(97 + (rest % 26));
    return word;
  });
}

test('the hashes are what they have always been', () => {
  const out = new Uint32Array(2);
  let sum = 0;
  for (const word of [...words(5000), '', 'é', '東京', '\ud83d\ude00']) {
    hash64(word, out);
    sum = mix32(sum ^ out[0]!) ^ mix32(sum ^ out[1]!) ^ hash32(word, 7);
  }
  assert.equal(sum >>> 0, 1038119555);
  assert.equal(mix32(1), 0x514e28b7);
  assert.equal(hash32('related'), 2375931572);
});

test('mix32 is a bijection on a sample and fixes zero alone', () => {
  const seen = new Set<number>();
  for (let i = 0; i < 100_000; i++) seen.add(mix32(i));
  assert.equal(seen.size, 100_000);
  assert.equal(mix32(0), 0);
});

test('hash64 writes at the place it is given and nowhere else', () => {
  const out = new Uint32Array(6);
  hash64('page', out, 2);
  const alone = new Uint32Array(2);
  hash64('page', alone);
  assert.deepEqual([...out], [0, 0, alone[0], alone[1], 0, 0]);
});

const MANY: Record<string, (i: number) => string> = {
  'short words': (i) => words(1, i)[0]!,
  addresses: (i) => `https://example.org/page/${i * 7919}.html`,
  'padded numbers': (i) => String(i).padStart(30, '0'),
};

for (const [name, make] of Object.entries(MANY)) {
  test(`300,000 ${name} collide in 32 bits no more than chance has it and never in 53`, () => {
    const count = 300_000;
    const out = new Uint32Array(2);
    const low = new Uint32Array(count);
    const high = new Uint32Array(count);
    const wide = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      hash64(make(i), out);
      low[i] = out[0]!;
      high[i] = out[1]!;
      wide[i] = (out[1]! & 0x1fffff) * 2 ** 32 + out[0]!;
    }
    assert.equal(duplicates(wide.sort()), 0);
    // Chance: n² / 2^33 = 10.5, standard deviation 3.2.
    assert.ok(duplicates(low.sort()) < 30);
    assert.ok(duplicates(high.sort()) < 30);
  });
}

function duplicates(sorted: Float64Array | Uint32Array): number {
  let count = 0;
  for (let i = 1; i < sorted.length; i++) if (sorted[i] === sorted[i - 1]) count++;
  return count;
}

test('every bit of both lanes is set in half of the words, and the lanes do not move together', () => {
  const all = words(40_000);
  const out = new Uint32Array(2);
  const set = new Float64Array(64);
  const together = new Float64Array(32);
  for (const word of all) {
    hash64(word, out);
    for (let bit = 0; bit < 32; bit++) {
      const low = (out[0]! >>> bit) & 1;
      const high = (out[1]! >>> bit) & 1;
      set[bit]! += low;
      set[32 + bit]! += high;
      together[bit]! += low ^ high;
    }
  }
  // Binomial(40,000, 1/2): standard deviation 100; five of them.
  for (const count of [...set, ...together]) assert.ok(Math.abs(count - 20_000) < 500, `${count}`);
});

test('changing one letter changes about half of the 64 bits', () => {
  const a = new Uint32Array(2);
  const b = new Uint32Array(2);
  let flipped = 0;
  let trials = 0;
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z]{1,12}$/),
      fc.nat(),
      fc.integer({ min: 1, max: 25 }),
      (word, at, by) => {
        const i = at % word.length;
        const letter = String.fromCharCode(97 + ((word.charCodeAt(i) - 97 + by) % 26));
        hash64(word, a);
        hash64(word.slice(0, i) + letter + word.slice(i + 1), b);
        flipped += bitCount(a[0]! ^ b[0]!) + bitCount(a[1]! ^ b[1]!);
        trials++;
      },
    ),
    { seed: SEED, numRuns: 2000 },
  );
  assert.ok(Math.abs(flipped / trials - 32) < 0.5, `${flipped / trials} bits`);
});

function bitCount(x: number): number {
  let count = 0;
  for (let rest = x >>> 0; rest !== 0; rest &= rest - 1) count++;
  return count;
}

test('a seed gives another hash', () => {
  const same = words(1000).filter((word) => hash32(word, 1) === hash32(word, 2));
  assert.deepEqual(same, []);
});
