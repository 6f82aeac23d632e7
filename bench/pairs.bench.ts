/**
 * Measured   MH-signatures by the SIMD kernel against the plain loop; the neighbor graph at two sizes, with one
 *            and two threads; nested topics on it; the join at similarity 0.20, with one and two threads, beside the
 *            printed way (m = 80, k = 3, l = 125), which estimates where the join is exact; a sort of all pairs,
 *            CENTER and labels on what each of them found.
 * Corpus     test/generated-bags.ts: up to 1,000,000 pages of some 35 words, two of five in a tight topic; bags of sum
 *            200, for the join of 100. Similarity at rank 10 is .107 (median), 16 pages a page lie at .20 or above.
 * Notes      microseconds of wall time a page, generation not counted, and of processor time, which depends less on
 *            what else the machine does. Two threads gain what it gives them: two that only spin are measured
 *            before and after. Recall and precision of pairs are against all pairs of 4,000 pages in the middle; each
 *            join runs in a process of its own, for its peak memory. Asserted: kernel and loop agree to the bit, one and
 *            two threads give one graph and the same pairs, which a small budget changes nothing of, and every similarity looked
 *            at is exact.
 */
import assert from 'node:assert/strict';
import { generateBags } from '../test/generated-bags.ts';
import { announce, type BenchResult, type Cell, round, type Target } from './bench.ts';
import { graphByThreads, graphTable } from './graph-by-threads.ts';
import { type JoinFigures, type JoinJob, joinInChild } from './join-child.ts';
import { M, signInTurn } from './signatures.ts';
import { processorsForTwoThreads } from './spin-control.ts';

const PAGE_COUNTS = [100_000, 1_000_000];
const JOIN_PAGES = 1_000_000;
const LEAST_RECALL = 0.97;
const LEAST_GAIN = 1.7;
/** At most 3.5 times the time of the printed way. */
const LEAST_PRINTED_SHARE = 0.286;
const LEAST_KERNEL_GAIN = 10;
/** 2 µs a bag. */
const LEAST_BAGS_A_SECOND = 500_000;
/** A budget in which the pairs do not fit. */
const SMALL_MIB = 64;
const SIGNED_PAGES = 20_000;
const THRESHOLD = 0.2;

export async function run(): Promise<BenchResult> {
  const signed = generateBags({ pageCount: SIGNED_PAGES, weightSum: 100 });
  announce({ pages: SIGNED_PAGES, entries: signed.features.length });
  const targets: Target[] = [];
  const signatures = signInTurn(signed);
  const [definedUs, plainUs, kernelUs] = signatures.map(([, us]) => us) as [number, number, number];
  targets.push(
    {
      figure: 'SIMD kernel against a loop as defined, a function at a time',
      atLeast: LEAST_KERNEL_GAIN,
      reached: round(definedUs / kernelUs, 1),
    },
    {
      figure: 'SIMD kernel against the plain loop of src/sketch, four functions at a time',
      atLeast: LEAST_KERNEL_GAIN,
      reached: round(plainUs / kernelUs, 1),
      ifMissed:
        'that loop is written for speed itself: it keeps four functions in registers, where the kernel has four lanes',
    },
    { figure: 'bags signed a second', atLeast: LEAST_BAGS_A_SECOND, reached: Math.round(1e6 / kernelUs) },
  );
  const graphs: Cell[][] = [];
  for (const pageCount of PAGE_COUNTS) {
    const figures = await graphByThreads(generateBags({ pageCount }));
    graphs.push(...figures.rows);
    targets.push(...figures.targets);
  }
  const joins = await benchJoins(targets);
  return {
    corpus: { pages: PAGE_COUNTS.join(', '), joinPages: JOIN_PAGES },
    tables: [
      {
        caption: `MH-signatures, m = ${M}, sum 100`,
        columns: ['by', 'processor µs a bag'],
        rows: signatures,
      },
      graphTable('Neighbor graph and topics', graphs),
      {
        caption: `Pairs at similarity ${THRESHOLD}, and what is made of them`,
        columns: [
          'by',
          'pages',
          'threads',
          'µs a page',
          'processor µs a page',
          'pairs',
          'recall',
          'precision',
          'recall as reported',
          'repetitions',
          'budget, MiB',
          'peak resident MiB',
          'sort, ns a pair',
          'CENTER, ns a pair',
          'clusters',
          'labels, µs a page',
          'spinning threads got, before',
          'and after',
        ],
        rows: joins,
      },
    ],
    targets,
  };
}

async function benchJoins(targets: Target[]): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  const measured = async (
    job: Pick<JoinJob, 'way' | 'pageCount' | 'threads'>,
    memoryMiB: number | null = null,
  ): Promise<JoinFigures> => {
    const before = await processorsForTwoThreads();
    const figures = await joinInChild({ ...job, threshold: THRESHOLD, memoryMiB });
    const after = await processorsForTwoThreads();
    const { us, cpuUs, pairs, recall, precision, peakMiB } = figures;
    announce({
      ...job,
      memoryMiB: memoryMiB ?? 'free',
      us,
      cpuUs,
      pairs,
      recall,
      precision,
      peakMiB,
      before,
      after,
    });
    rows.push([
      job.way === 'printed' ? 'as printed, estimated' : 'threshold join, exact',
      job.pageCount,
      job.threads,
      us,
      cpuUs,
      pairs,
      recall,
      precision,
      figures.saidRecall ?? '-',
      figures.repetitions ?? '-',
      memoryMiB ?? 'free',
      peakMiB,
      figures.sortNs,
      figures.centerNs,
      figures.clusters,
      figures.labelUs,
      before,
      after,
    ]);
    return figures;
  };
  const printed = await measured({ way: 'printed', pageCount: JOIN_PAGES, threads: 1 });
  const one = await measured({ way: 'join', pageCount: JOIN_PAGES, threads: 1 });
  const two = await measured({ way: 'join', pageCount: JOIN_PAGES, threads: 2 });
  const small = await measured({ way: 'join', pageCount: JOIN_PAGES, threads: 2 }, SMALL_MIB);
  for (const { digest } of [two, small]) assert.equal(digest, one.digest);
  await measured({ way: 'join', pageCount: 2 * JOIN_PAGES, threads: 2 });
  targets.push(
    { figure: 'recall of the join', atLeast: LEAST_RECALL, reached: one.recall },
    {
      figure: 'processor time of the printed way against the join, one thread',
      atLeast: LEAST_PRINTED_SHARE,
      reached: round(printed.cpuUs / one.cpuUs),
    },
    { figure: 'the join, two threads against one', atLeast: LEAST_GAIN, reached: round(one.us / two.us, 2) },
  );
  return rows;
}
