import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatRecall,
  missedRecall,
  neighborsText,
  pairsText,
} from '../../../src/cli/terminal/recall-text.ts';
import { FULL_RECALL } from '../../../src/join/pairs/measured-recall.ts';

test('a recall is rounded down, never up', () => {
  const written = [0, 0.029, 0.97, 0.9729, 0.99849, 0.9999999, 1, Number.NaN].map(formatRecall);
  assert.deepEqual(written, ['0.000', '0.029', '0.970', '0.972', '0.998', '0.999', '1.000', '-']);
});

test('neighbors and pairs are described with the method and the sample of their recall', () => {
  assert.equal(
    neighborsText({
      method: 'graph',
      recall: 0.97299,
      recallLow: 0.9691,
      recallHigh: 0.9779,
      sampleCount: 1256,
    }),
    'graph, recall@10 0.972 (0.969 to 0.977) of 1,256 sampled pages',
  );
  assert.equal(neighborsText({ method: 'exact', ...FULL_RECALL }), 'exact');
  assert.equal(
    pairsText({ method: 'buckets', recall: 0.98, recallLow: 0.975, recallHigh: 0.985, sampleCount: 1512 }),
    'buckets, recall 0.980 (0.975 to 0.985) of 1,512 sampled pages',
  );
  assert.equal(
    pairsText({ method: 'buckets', recall: null, recallLow: null, recallHigh: null, sampleCount: 9 }),
    'buckets, recall not measured: none of 9 sampled pages has a pair',
  );
  assert.equal(pairsText({ method: 'exact', ...FULL_RECALL }), 'exact');
});

test('a recall surely below the one asked for is a warning, one that may meet it is none', () => {
  assert.equal(missedRecall('neighbors', { recall: 0.969, recallHigh: 0.972 }, 0.97), null);
  assert.equal(missedRecall('pairs', { recall: null, recallHigh: null }, 0.97), null);
  assert.equal(
    missedRecall('neighbors', { recall: 0.9984, recallHigh: 0.9987 }, 0.999),
    'warning: recall of neighbors is 0.998, below --recall 0.999',
  );
});
