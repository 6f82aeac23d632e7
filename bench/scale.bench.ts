/**
 * Measured   how the cost of the neighbour graph grows: microseconds a page at one million pages and at four, recall
 *            and peak resident memory.
 * Corpus     bench/generate.ts: pages of some 35 words in bags of sum 200, as hard at either size.
 * Notes      two threads, each size in a process of its own; time of the graph alone, memory with the bags. Processor
 *            time is what growth is judged by, as other work on the machine changes it less.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { joinCrew } from '../src/indexer/join-crew.ts';
import { nearestNeighbourGraph } from '../src/join/nearest-neighbour-graph.ts';
import { announce, type BenchResult, round } from './bench.ts';
import { generateBags } from './generate.ts';
import { processorsForTwoThreads } from './spin-control.ts';

const PAGE_COUNTS = [1_000_000, 4_000_000];
const THREADS = 2;

interface Figures {
  readonly pages: number;
  readonly us: number;
  readonly cpuUs: number;
  readonly recall: number;
  readonly rounds: number;
  readonly repetitions: number;
  readonly bagComparisons: number;
  readonly peakMiB: number;
}

export async function run(): Promise<BenchResult> {
  const rows: (Figures & { spun: string })[] = [];
  for (const pageCount of PAGE_COUNTS) {
    const before = await processorsForTwoThreads();
    const figures = await measureInChild(pageCount);
    const spun = `${before}, ${await processorsForTwoThreads()}`;
    announce({ ...figures, spun });
    rows.push({ ...figures, spun });
  }
  const [small, large] = [rows[0]!, rows.at(-1)!];
  return {
    corpus: { pages: PAGE_COUNTS.join(', '), threads: THREADS },
    tables: [
      {
        caption: 'Neighbour graph',
        columns: [
          'pages',
          'µs a page',
          'processor µs a page',
          'recall@10',
          'repetitions',
          'rounds',
          'bags compared',
          'peak resident MiB',
          'spinning threads got, before and after',
        ],
        rows: rows.map((row) => [
          row.pages,
          row.us,
          row.cpuUs,
          row.recall,
          row.repetitions,
          row.rounds,
          row.bagComparisons,
          row.peakMiB,
          row.spun,
        ]),
      },
    ],
    targets: [
      { figure: 'recall@10, least', atLeast: 0.97, reached: Math.min(...rows.map(({ recall }) => recall)) },
      {
        figure: 'processor time a page at the smallest size against the largest',
        atLeast: 0.5,
        reached: round(small.cpuUs / large.cpuUs),
      },
    ],
  };
}

function measureInChild(pageCount: number): Promise<Figures> {
  const child = fork(fileURLToPath(import.meta.url));
  return new Promise((resolve, reject) => {
    child.once('message', (figures) => resolve(figures as Figures));
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code !== 0) reject(new Error(`the graph of ${pageCount} pages ended with exit code ${code}`));
    });
    child.send(pageCount);
  });
}

async function measure(pageCount: number): Promise<Figures> {
  const matrix = generateBags({ pageCount });
  const startedMs = performance.now();
  const startedCpu = process.cpuUsage();
  const onStep = ({ name, recall }: { name: string; recall: number | null }) => {
    const seconds = round((performance.now() - startedMs) / 1000, 1);
    announce({ pages: pageCount, step: name, seconds, recall: recall ?? '-' });
  };
  const graph = await nearestNeighbourGraph(matrix, { crew: joinCrew(THREADS), onStep });
  const spent = process.cpuUsage(startedCpu);
  return {
    pages: pageCount,
    us: round(((performance.now() - startedMs) * 1000) / pageCount, 1),
    cpuUs: round((spent.user + spent.system) / pageCount, 1),
    recall: round(graph.recall, 4),
    rounds: graph.rounds,
    repetitions: graph.repetitions,
    bagComparisons: Math.round(graph.bagComparisons / pageCount),
    peakMiB: Math.round(process.resourceUsage().maxRSS / 1024),
  };
}

if (process.send !== undefined && import.meta.main) {
  process.once('message', async (pageCount) => {
    process.send!(await measure(pageCount as number));
    process.disconnect();
  });
}
