import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clusteringsOf } from '../../src/indexer/options/copy-parameters.ts';
import { MAX_CLUSTERINGS, parseClusterings } from '../../src/relations/copy.ts';

const named = (list: string) => parseClusterings(list)?.map(({ name }) => name);

test('a list of clusterings is read in its order, each once, under one name', () => {
  assert.deepEqual(parseClusterings('0.9, .80c'), [
    { name: '0.9', measure: 'resemblance', threshold: 0.9 },
    { name: '0.8c', measure: 'containment', threshold: 0.8 },
  ]);
  assert.deepEqual(named('0.5,0.50,.5,0.5c'), ['0.5', '0.5c']);
});

test('what is no list of clusterings is refused', () => {
  for (const list of ['', ',', '0.5,', '1.1', '-0.5', '0.5d', 'c', '.', '0.5 0.9', 'NaN', '0x1'])
    assert.equal(parseClusterings(list), undefined, list);
  const many = Array.from({ length: MAX_CLUSTERINGS + 1 }, (_, i) => `0.${i + 1}1`);
  assert.equal(parseClusterings(many.join(',')), undefined);
  assert.equal(named(many.slice(1).join(','))?.length, MAX_CLUSTERINGS);
});

test('the names of clusterings read as themselves, the one of any threshold by default too', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (threshold) => {
      const copySimilarity = Math.abs(threshold);
      const [first] = clusteringsOf({ copySimilarity, copyClusterings: [] });
      assert.deepEqual(clusteringsOf({ copySimilarity, copyClusterings: [first!.name] }), [first]);
    }),
    { seed: 19970407 },
  );
});
