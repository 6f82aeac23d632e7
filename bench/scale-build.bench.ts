/**
 * Measured   how a whole build grows from one million pages to eight, from JSON lines to a published index, copies
 *            included: processor time a page and peak resident memory by stage, the main thread's heap.
 * Corpus     bench/corpora/synthetic.ts: short pages of some 45 words with a link each; one in eight has a canonical URL,
 *            one line in eleven is a redirect.
 * Notes      two workers, `--memory 8G`, each build in a process of its own. One to two hours, 12 GB of memory and
 *            50 GB below the folder of temporary files: run only when asked for by name. What is held of pages, URLs,
 *            features and pairs stands in typed arrays or files: a heap that grows with the pages is a mistake.
 */
import { createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { announce, type BenchResult, round } from './bench.ts';
import { withFolder } from './corpora/data.ts';
import { syntheticLines } from './corpora/synthetic.ts';
import { type BuildFigures, measureBuild } from './scale-build-child.ts';

export const onRequest = true;

const PAGE_COUNTS = [1_000_000, 8_000_000];
const WORKERS = 2;
const MEMORY_BYTES = 2 ** 33;
const MOST_HEAP_MIB = 256;

export async function run(): Promise<BenchResult> {
  const rows: BuildFigures[] = [];
  for (const pageCount of PAGE_COUNTS) {
    await withFolder(async (folder) => {
      announce({ pages: pageCount });
      const path = join(folder, 'pages.jsonl');
      await pipeline(Readable.from(syntheticLines({ pageCount })), createWriteStream(path));
      const target = join(folder, 'scale.akin');
      const build = {
        input: { path },
        target,
        workerCount: WORKERS,
        memoryBytes: MEMORY_BYTES,
      };
      rows.push(await measureBuild(build));
      rmSync(target);
    });
  }
  const figuresOf = (of: (figures: BuildFigures['stages'][number], pageCount: number) => string | number) =>
    rows[0]!.stages.map(({ stage }) => [
      stage,
      ...rows.map(({ pageCount, stages }) => of(stages.find((one) => one.stage === stage)!, pageCount)),
    ]);
  const cost = ({ stages, pageCount }: BuildFigures) =>
    stages.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0) / pageCount;
  const columns = ['stage', ...rows.map(({ pageCount }) => `${pageCount} pages`)];
  return {
    corpus: { pages: PAGE_COUNTS.join(', '), workers: WORKERS },
    tables: [
      {
        caption: 'Processor µs a page',
        columns,
        rows: figuresOf(({ cpuSeconds }, pageCount) => round((cpuSeconds * 1e6) / pageCount, 1)),
      },
      { caption: 'Seconds', columns, rows: figuresOf(({ seconds }) => seconds) },
      { caption: 'Peak resident MiB', columns, rows: figuresOf((figures) => figures.peakMiB) },
      {
        caption: "MiB of the main thread's heap, at most",
        columns,
        rows: figuresOf(({ heapMiB }) => heapMiB),
      },
      {
        caption: 'What was built',
        columns: ['pages', 'aliases', 'bytes of the index a page'],
        rows: rows.map(({ pageCount, aliasCount, indexBytes }) => [
          pageCount,
          aliasCount,
          Math.round(indexBytes / pageCount),
        ]),
      },
    ],
    targets: [
      {
        figure: 'processor time a page at the smallest size against the largest',
        atLeast: 0.5,
        reached: round(cost(rows[0]!) / cost(rows.at(-1)!)),
      },
      {
        figure: `${MOST_HEAP_MIB} MiB against the largest heap`,
        atLeast: 1,
        reached: round(
          MOST_HEAP_MIB / Math.max(...rows.flatMap(({ stages }) => stages.map(({ heapMiB }) => heapMiB))),
        ),
      },
    ],
  };
}
