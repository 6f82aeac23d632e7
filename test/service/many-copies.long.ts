import { join } from 'node:path';
import { splitIndex } from '../../src/indexer/shards/split-index.ts';
import { noting } from '../indexer/build.ts';
import { folder, indexPath, NEAR, testListed, urlOf } from './many-copies.ts';

testListed('one file', indexPath, [urlOf(5), NEAR]);

const options = { source: indexPath, shardCount: 2, folder: join(folder, 'shards') };
const { shards } = await splitIndex({ ...options, memoryBytes: 64 << 20, workerCount: 1 }, noting().listener);
testListed(
  'two shards',
  shards.map(({ path }) => path),
  [urlOf(5), NEAR],
);
