import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatRecall,
  missedRecall,
  neighboursText,
  pairsText,
} from '../../../src/cli/terminal/recall-text.ts';

test('a recall is rounded down, never up', () => {
  const written = [0, 0.029, 0.97, 0.9729, 0.99849, 0.9999999, 1, Number.NaN].map(formatRecall);
  assert.deepEqual(written, ['0.000', '0.029', '0.970', '0.972', '0.998', '0.999', '1.000', '-']);
});

test('neighbours and pairs are described with the method and the sample of their recall', () => {
  assert.equal(
    neighboursText({ method: 'graph', recall: 0.97299, sampleCount: 1256 }),
    'graph, recall@10 0.972 of 1,256 sampled pages',
  );
  assert.equal(neighboursText({ method: 'exact', recall: 1, sampleCount: 0 }), 'exact');
  assert.equal(
    pairsText({ method: 'buckets', recall: 0.98, sampleCount: 1512 }),
    'buckets, recall 0.980 of 1,512 sampled pages',
  );
  assert.equal(
    pairsText({ method: 'buckets', recall: null, sampleCount: 9 }),
    'buckets, recall not measured: none of 9 sampled pages has a pair',
  );
  assert.equal(pairsText({ method: 'exact', recall: 1, sampleCount: 0 }), 'exact');
});

test('a recall below the one asked for is a warning, one that meets it is none', () => {
  assert.equal(missedRecall('neighbours', 0.97, 0.97), null);
  assert.equal(
    missedRecall('neighbours', 0.9984, 0.999),
    'warning: recall of neighbours is 0.998, below --recall 0.999',
  );
});
