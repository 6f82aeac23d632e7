import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mix32 } from '../../src/lib/hash.ts';
import { Random } from '../../src/lib/random.ts';
import { SIMHASH_LANES, simhashAgreement, wordSimhash } from '../../src/sketch/word-simhash.ts';
import { readTokens } from '../../src/text/tokens.ts';

const SIMHASH_BITS = 32 * SIMHASH_LANES;

const SEED = 19970407;

/** The slow twin: one counter a bit. */
function countedBits(text: string): string {
  const { count, high, low } = readTokens(text);
  let bits = '';
  for (let lane = 0; lane < SIMHASH_LANES; lane++) {
    for (let bit = 0; bit < 32; bit++) {
      let set = 0;
      for (let i = 0; i < count; i++) {
        set += (mix32(low[i]! ^ Math.imul(high[i]! + lane, 0x9e3779b1)) >>> bit) & 1;
      }
      bits += set > Math.floor(count / 2) ? '1' : '0';
    }
  }
  return bits;
}

function bitsOf(simhash: Uint32Array): string {
  return Array.from(simhash, (lane) => lane.toString(2).padStart(32, '0').split('').reverse().join('')).join(
    '',
  );
}

test('vertical counters count as single ones do', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 70 }), (words) => {
      const text = words.join(' ');
      assert.equal(bitsOf(wordSimhash(readTokens(text))), countedBits(text));
    }),
    { seed: SEED, numRuns: 50 },
  );
});

test('agreement counts equal bits', () => {
  const a = wordSimhash(readTokens('some words of a page'));
  const b = wordSimhash(readTokens('and those of another one'));
  const [left, right] = [bitsOf(a), bitsOf(b)];
  assert.equal(simhashAgreement(a, b), [...left].filter((bit, i) => bit === right[i]).length);
  assert.equal(simhashAgreement(a, a), SIMHASH_BITS);
});

test('the order of words does not matter, their exchange does, by the angle of the counts', () => {
  const random = new Random(4);
  const words = Array.from({ length: 2000 }, (_, i) => `w${i}`);
  const simhash = (list: string[]) => wordSimhash(readTokens(list.join(' ')));
  assert.deepEqual(simhash(words), simhash(words.toReversed()));
  for (const changed of [40, 400]) {
    const other = words.map((word, i) => (i < changed ? `v${random.below(1_000_000)}` : word));
    const share = 1 - Math.acos(1 - changed / words.length) / Math.PI;
    const agreement = simhashAgreement(simhash(words), simhash(other)) / SIMHASH_BITS;
    const error = Math.sqrt((share * (1 - share)) / SIMHASH_BITS);
    assert.ok(Math.abs(agreement - share) < 3.5 * error, `${agreement} for ${share}`);
  }
});
