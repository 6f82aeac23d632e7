/**
 * Measured   twenty million pages on two threads, from bags to neighbors and clusters: minutes, processor time,
 *            recall, peak resident memory, beside one million on the same machine.
 * Corpus     test/generated-bags.ts: pages of some 35 words in bags of sum 200, as hard at every size.
 * Notes      over an hour, 20 GB of memory and 10 GB below the folder of temporary files: run only when asked for by
 *            name. Each step is printed as it ends, so that a run that is cut off still says something.
 */
import { statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { announce, type BenchResult, BenchSkipped, round } from './bench.ts';
import { measureScale } from './scale-child.ts';
import { type ScaleRow, scaleTables, scaleTargets } from './scale-tables.ts';
import { processorsForTwoThreads } from './spin-control.ts';

export const onRequest = true;

const PAGE_COUNTS = [1_000_000, 20_000_000];
const THREADS = 2;
const GIB = 2 ** 30;
const LEAST_FREE = 20 * GIB;
const LEAST_DISK = 10 * GIB;
const MOST_RESIDENT_MIB = 22 * 1024;

export async function run(): Promise<BenchResult> {
  const disk = statfsSync(tmpdir());
  if (freemem() < LEAST_FREE) {
    throw new BenchSkipped(
      `${round(freemem() / GIB, 1)} GiB of memory are free, ${LEAST_FREE / GIB} are needed`,
    );
  }
  if (disk.bavail * disk.bsize < LEAST_DISK) {
    throw new BenchSkipped(`${tmpdir()} has less than ${LEAST_DISK / GIB} GiB free`);
  }
  const rows: ScaleRow[] = [];
  for (const pageCount of PAGE_COUNTS) {
    const before = await processorsForTwoThreads();
    announce({ pages: pageCount, 'spinning threads get': before });
    const figures = await measureScale({ pageCount, threadCount: THREADS, memoryBytes: LEAST_FREE });
    rows.push({ ...figures, spun: `${before}, ${await processorsForTwoThreads()}` });
  }
  const peakMiB = Math.max(...rows.at(-1)!.phases.map((phase) => phase.peakMiB));
  return {
    corpus: { pages: PAGE_COUNTS.join(', '), threads: THREADS },
    tables: scaleTables(rows),
    targets: [
      ...scaleTargets(rows),
      { figure: '22 GiB against the peak', atLeast: 1, reached: round(MOST_RESIDENT_MIB / peakMiB) },
    ],
  };
}
