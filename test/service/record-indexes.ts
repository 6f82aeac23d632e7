/** Indexes of records of JSON in one folder: built, added to, split. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIndex } from '../../src/indexer/build-index.ts';
import { additionTo } from '../../src/indexer/options/stored-options.ts';
import { splitIndex } from '../../src/indexer/shards/split-index.ts';
import { DEFAULTS, input, noting } from '../indexer/build.ts';

export function recordIndexes(folder: string) {
  const written = (name: string, records: readonly object[]) => {
    const path = join(folder, `${name}.jsonl`);
    writeFileSync(path, records.map((one) => JSON.stringify(one)).join('\n'));
    return { inputs: [input(path)] };
  };
  return {
    build: (name: string, records: readonly object[], more: Partial<typeof DEFAULTS> = {}) =>
      buildIndex(
        { ...DEFAULTS, ...more, target: join(folder, `${name}.akin`), ...written(name, records) },
        noting().listener,
      ),
    add: (target: string, sweepName: string, records: readonly object[]) => {
      const { memoryBytes } = DEFAULTS;
      const how = { memoryBytes, workerCount: 1, isWhole: false };
      const addition = additionTo({ target, sweepName, ...how, ...written(sweepName, records) });
      return buildIndex(addition, noting().listener);
    },
    /** Paths of three shards. */
    split: async (source: string) => {
      const how = { shardCount: 3, folder: join(folder, 'shards'), memoryBytes: 64 << 20, workerCount: 1 };
      const { shards } = await splitIndex({ source, ...how }, noting().listener);
      return shards.map(({ path }) => path);
    },
  };
}
