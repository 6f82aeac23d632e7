/**
 * Measured   how the cost of neighbors, clusters and labels grows from one million pages to four: processor time a page,
 *            recall, peak resident memory.
 * Corpus     test/generated-bags.ts: pages of some 35 words in bags of sum 200, as hard at every size.
 * Notes      two threads; the stages of the indexer over a work folder, in a process of their own. Processor time is
 *            what growth is judged by, as other work on the machine changes it less. Twenty million pages have a bench
 *            of their own, to be asked for by name: twenty-million.
 */
import { announce, type BenchResult } from './bench.ts';
import { measureScale } from './scale-child.ts';
import { type ScaleRow, scaleTables, scaleTargets } from './scale-tables.ts';
import { processorsForTwoThreads } from './spin-control.ts';

const PAGE_COUNTS = [1_000_000, 4_000_000];
const THREADS = 2;

export async function run(): Promise<BenchResult> {
  const rows: ScaleRow[] = [];
  for (const pageCount of PAGE_COUNTS) {
    const before = await processorsForTwoThreads();
    announce({ pages: pageCount, 'spinning threads get': before });
    const figures = await measureScale({ pageCount, threadCount: THREADS, memoryBytes: 2 ** 33 });
    rows.push({ ...figures, spun: `${before}, ${await processorsForTwoThreads()}` });
  }
  return {
    corpus: { pages: PAGE_COUNTS.join(', '), threads: THREADS },
    tables: scaleTables(rows),
    targets: scaleTargets(rows),
  };
}
