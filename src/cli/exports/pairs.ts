/** Every pair of pages at or above a similarity: found by a join of all pages, as a build with --pairs does it. */
import { statSync } from 'node:fs';
import { optionFault } from '../../errors.ts';
import type { Resources } from '../../indexer/files/budget.ts';
import type { BuildListener } from '../../indexer/files/stage-runner.ts';
import type { PairOptions } from '../../indexer/relate/threshold-pairs.ts';
import { indexes } from '../../lib/columns/indexes.ts';
import { Type } from '../../lib/json-schema.ts';
import { TOPIC } from '../../relations/topic.ts';
import { acceptPages, PAGE_FILTERS } from '../../service/exports/export-row.ts';
import type { Row } from '../../service/exports/row-format.ts';
import { sixDecimals } from '../../service/http/six-decimals.ts';
import type { Reads } from '../../service/reads/reads.ts';
import { type Asked, withDefault } from '../../service/schemas/parameter.ts';
import { pairsText } from '../terminal/recall-text.ts';
import type { Source } from './run-export.ts';

/** Pairs whose pages are named together. */
const BATCH = 1024;

export const PAIRS_DESCRIBE = 'a pair of pages at or above a similarity by topic, url_a before url_b';

const PAIRS = {
  at: withDefault(0.2, Type.Number({ minimum: 0.1, maximum: 1 }), {
    flag: ['<X>', 'of pairs the least similarity, 0.1 to 1 (default 0.2)'] as const,
  }),
  recall: withDefault(0.97, Type.Number({ minimum: 0.5, maximum: 1 }), {
    flag: [
      '<X>',
      'share of the pairs to find (default 0.97), measured where exact search costs more; 1 searches exactly at any cost',
    ] as const,
  }),
  ...PAGE_FILTERS,
};

export const PAIRS_QUERY = PAIRS;

export function pairRows(options: Pick<PairOptions, 'seed'> & Resources): Source {
  return {
    name: 'pairs',
    query: PAIRS,
    columns: () => ['url_a', 'url_b', 'similarity'],
    run: async ({ file }, reads, query, onPages, write) => {
      const { at, recall, ...filters } = query as Asked<typeof PAIRS>;
      const { requireWhole, wholeHint } = await import('../../store/read/shard-files.ts');
      if (file === null) {
        throw optionFault('pairs are found in a whole index, not in shards', wholeHint('FOLDER'));
      }
      requireWhole(file.reader);
      const { storedPairs } = await import('../../indexer/relate/stored-pairs.ts');
      const { aside } = await import('../aside/aside.ts');
      const isIn = await acceptedPages(reads, filters);
      const { newWorkFolder } = await import('../aside/work-folder.ts');
      const { folder, remove } = newWorkFolder('pairs');
      // A signal, or whoever reads the pairs and has enough, ends the process.
      process.once('exit', remove);
      const { path, generation } = file.reader;
      const order = {
        indexPath: path,
        generation,
        relationId: reads.facts.relation(TOPIC.name).id,
        similarity: at,
        options: { seed: options.seed, targetRecall: recall },
        resources: options,
        folder,
      };
      try {
        const report = await aside('pairs', order, statSync(path).size, false, SILENT);
        await write(named(reads, among(storedPairs(order), isIn), onPages));
        return `: ${pairsText(report)}`;
      } finally {
        process.off('exit', remove);
        remove();
      }
    },
  };
}

/** Nothing is said of the join before its end. */
const SILENT: BuildListener = { stageStarted() {}, stageProgress() {}, stageEnded() {}, fault() {} };

type Pair = readonly [a: number, b: number, similarity: number];

function* among(pairs: Iterable<Pair>, isIn: Uint8Array): Generator<Pair> {
  for (const pair of pairs) if (isIn[pair[0]] === 1 && isIn[pair[1]] === 1) yield pair;
}

async function acceptedPages(reads: Reads, filters: Parameters<typeof acceptPages>[1]): Promise<Uint8Array> {
  const { pageCount } = reads.facts;
  const accept = await acceptPages(reads, filters);
  const all = indexes(pageCount);
  return accept === null ? new Uint8Array(pageCount).fill(1) : Uint8Array.from(await accept(all), Number);
}

async function* named(
  reads: Reads,
  pairs: Iterable<Pair>,
  onPages: (done: number) => void,
): AsyncGenerator<Row[]> {
  let batch: Pair[] = [];
  const rows = async () => {
    const [first, second] = await Promise.all([
      reads.heads(batch.map(([a]) => a)),
      reads.heads(batch.map(([, b]) => b)),
    ]);
    return batch.map(([, , similarity], i) => ({
      url_a: first[i]!.url,
      url_b: second[i]!.url,
      similarity: sixDecimals(similarity),
    }));
  };
  for (const pair of pairs) {
    batch.push(pair);
    if (batch.length < BATCH) continue;
    yield await rows();
    onPages(pair[0]);
    batch = [];
  }
  yield await rows();
}
