import assert from 'node:assert/strict';
import { test } from 'node:test';
import { neighborsFromPairs } from '../../../src/join/pairs/similar-pairs.ts';
import { filterOf } from '../../../src/join/printed/extract-similar-pairs.ts';
import { pairsOfPage } from '../../../src/join/printed/pairs-of-page.ts';
import { chooseBands } from '../../../src/sketch/lsh-signature.ts';
import { extractSimilarPairs } from '../../twins/printed-pairs.ts';
import { randomSignatures } from './random-signatures.ts';

test('the pairs of a page are those that the join of all pages gives it, nearest first', () => {
  const pageCount = 240;
  const signatures = randomSignatures(pageCount, 20, 5);
  const choice = chooseBands(20, 3, 15, 9);
  let pairCount = 0;
  for (const options of [
    { leastAgreement: 0.2 },
    { leastAgreement: 0.3, bytesPerValue: 1 as const, valuesCompared: 12 },
  ]) {
    const pairs = extractSimilarPairs(signatures, choice, options);
    const { k, counts, ids, shared, total } = neighborsFromPairs(pairs, pageCount);
    const filter = filterOf(signatures, 20, options);
    for (let page = 0; page < pageCount; page++) {
      const [from, to] = [page * k, page * k + counts[page]!];
      const list = { ids: ids.slice(from, to), shared: shared.slice(from, to), total: total.slice(from, to) };
      assert.deepEqual(pairsOfPage(signatures, choice, filter, page, pageCount, null), list);
      const isOdd = (id: number) => id % 2 === 1;
      const odd = pairsOfPage(signatures, choice, filter, page, 3, isOdd);
      assert.deepEqual(odd.ids, list.ids.filter(isOdd).slice(0, 3));
      pairCount += list.ids.length;
    }
  }
  assert.ok(pairCount > 1000, `${pairCount} pairs`);
});
