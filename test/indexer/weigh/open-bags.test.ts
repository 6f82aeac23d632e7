/** What is written of bags is the same whether their entries are in memory or in their files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeatedWords } from '../../../src/cluster/host-words.ts';
import { labelClusters } from '../../../src/cluster/label.ts';
import { similarityOfBags } from '../../../src/indexer/relate/center-similarity.ts';
import { openBags } from '../../../src/indexer/weigh/open-bags.ts';
import { postingRows } from '../../../src/indexer/write/posting-rows.ts';
import { writeBags } from '../../../src/indexer/write/write-index.ts';
import type { IndexWriter } from '../../../src/store/write/writer.ts';
import { randomMatrix } from '../../join/bags.ts';
import { folderOfBags } from '../bag-folder.ts';

test('bags on disk are named, compared and written as those in memory', (t) => {
  const matrix = randomMatrix(300, 80, 11);
  const folder = folderOfBags(t, matrix);
  const { featureCount } = matrix;
  const centers = Uint32Array.from({ length: 300 }, (_, page) => page - (page % 7));
  const words = Uint32Array.from({ length: featureCount }, (_, feature) => feature);
  const entryBytes = 5 * matrix.features.length;
  const [here, there] = [entryBytes, entryBytes - 1].map((budgetBytes) => {
    const bags = openBags(folder, budgetBytes);
    assert.equal(bags.matrix.features.length === 0, budgetBytes < entryBytes);
    const similarity = similarityOfBags(bags.matrix, bags.entries);
    const written: unknown[] = [];
    const sink = {
      bag: (...[, page, features, weights]: Parameters<IndexWriter['bag']>) =>
        written.push([page, [...features], [...weights]]),
      bagSums: (...[, block, ofBlock]: Parameters<IndexWriter['bagSums']>) =>
        written.push([block, [...ofBlock]]),
    };
    writeBags(sink as unknown as IndexWriter, 1, bags.matrix, bags.entries);
    const repeated = repeatedWords(bags.matrix, bags.entries, Uint32Array.of(0));
    const found = {
      labels: Array.from(
        labelClusters(bags.matrix, centers, words, 4, repeated, bags.entries),
        ([center, label]) => [center, ...label],
      ),
      similarities: Array.from(centers, (center, page) => similarity(page, center, 0)),
      postings: Array.from(postingRows(bags.matrix, 1000, bags.entries), ({ feature, block, entries }) => [
        feature,
        block,
        [...entries],
      ]),
      written,
    };
    bags.close();
    return found;
  });
  assert.equal(here!.labels.length, 43);
  assert.ok(here!.similarities.some((value) => value > 0 && value < 1));
  assert.deepEqual(there, here);
});
