import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sharedRecall } from '../../../src/join/printed/s-curve.ts';
import { mix32 } from '../../../src/lib/hash.ts';
import { Random } from '../../../src/lib/random.ts';
import { type BandChoice, chooseBands, sameBand } from '../../../src/sketch/lsh-signature.ts';
import { EMPTY_VALUE } from '../../../src/sketch/mh-signature.ts';
import { longTest } from '../../long-test.ts';
import { extractSimilarPairs, type FilterOptions } from '../../twins/printed-pairs.ts';
import { expandTwins } from '../expand-twins.ts';
import { randomSignatures } from './random-signatures.ts';

/** The slow twin: every pair of pages, twins included. */
function allPairs(signatures: Uint32Array, pageCount: number, choice: BandChoice, options: FilterOptions) {
  const { m, l } = choice;
  const total = options.valuesCompared ?? m;
  const seen = (page: number, i: number) => {
    const value = signatures[page * m + i]!;
    return options.bytesPerValue === 1 ? mix32(value) & 255 : value;
  };
  const isEmpty = (page: number) =>
    signatures.subarray(page * m, (page + 1) * m).every((value) => value === EMPTY_VALUE);
  const rows: number[][] = [];
  for (let a = 0; a < pageCount; a++) {
    for (let b = a + 1; b < pageCount; b++) {
      let agreement = 0;
      for (let i = 0; i < total; i++) if (seen(a, i) === seen(b, i)) agreement++;
      const meet = Array.from({ length: l }, (_, band) => band).some((j) =>
        sameBand(signatures, choice, j, a, b),
      );
      const empty = isEmpty(a) || isEmpty(b);
      if (meet && !empty && agreement >= options.leastAgreement * total) rows.push([a, b, agreement]);
    }
  }
  return rows;
}

test('the join finds what all pairs of pages give, each once, sorted, twins included', () => {
  const cases = fc.record({
    pages: fc.integer({ min: 0, max: 60 }),
    bytesPerValue: fc.constantFrom(1 as const, 3 as const),
    valuesCompared: fc.constantFrom(20, 12),
    seed: fc.integer(),
  });
  fc.assert(
    fc.property(cases, ({ pages, bytesPerValue, valuesCompared, seed }) => {
      const signatures = randomSignatures(pages, 20, seed);
      const choice = chooseBands(20, 3, 15, seed);
      const options = { leastAgreement: 0.2, bytesPerValue, valuesCompared };
      const pairs = expandTwins(extractSimilarPairs(signatures, choice, options));
      const rows = Array.from(pairs.a, (a, i) => [a, pairs.b[i], pairs.agreement[i]]);
      assert.deepEqual(rows, allPairs(signatures, pages, choice, options));
    }),
    { seed: 21, numRuns: 120 },
  );
});

longTest('a thousand mirrors are one representative, not half a million pairs', () => {
  const signatures = new Uint32Array(1001 * 80);
  const random = new Random(4);
  for (let i = 0; i < 80; i++) signatures[i] = random.below(EMPTY_VALUE);
  for (let page = 1; page < 1001; page++) signatures.copyWithin(page * 80, 0, 80);
  for (let i = 0; i < 40; i++) signatures[i] = random.below(EMPTY_VALUE);
  const pairs = extractSimilarPairs(signatures, chooseBands(80, 3, 125, 1), { leastAgreement: 0.2 });
  assert.deepEqual([Array.from(pairs.a), Array.from(pairs.b), Array.from(pairs.agreement)], [[0], [1], [40]]);
  assert.equal(expandTwins(pairs).a.length, (1001 * 1000) / 2);
});

test('pairs are found as often as the S-curve says', () => {
  const pairCount = 1500;
  const choice = chooseBands(80, 3, 125, 17);
  for (const similarity of [0.15, 0.2, 0.3]) {
    const random = new Random(similarity * 100);
    const signatures = new Uint32Array(2 * pairCount * 80);
    for (let i = 0; i < signatures.length; i++) {
      const isSecond = Math.floor(i / 80) % 2 === 1;
      const agrees = isSecond && random.nextUint32() < similarity * 2 ** 32;
      signatures[i] = agrees ? signatures[i - 80]! : random.below(EMPTY_VALUE);
    }
    const { a, b } = extractSimilarPairs(signatures, choice, { leastAgreement: 0.2 });
    const found = a.filter((page, i) => page % 2 === 0 && b[i] === page + 1).length;
    const recall = sharedRecall(similarity, { m: 80, k: 3, l: 125, leastAgreement: 16, valuesCompared: 80 });
    const deviation = (found - pairCount * recall) / Math.sqrt(pairCount * recall * (1 - recall));
    assert.ok(Math.abs(deviation) < 3, `${found} of ${pairCount} at ${similarity}, ${recall} expected`);
  }
});
