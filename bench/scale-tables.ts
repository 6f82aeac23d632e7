import { type BenchResult, round, type Target } from './bench.ts';
import type { Phase, ScaleFigures } from './scale-child.ts';

/** What was measured at one size, and what spinning threads got before and after. */
export type ScaleRow = ScaleFigures & { readonly spun: string };

/** The figures of a few sizes as tables. */
export function scaleTables(rows: readonly ScaleRow[]): BenchResult['tables'] {
  return [
    {
      caption: 'Time and memory by phase',
      columns: ['pages', 'phase', 'seconds', 'processor µs a page', 'peak resident MiB'],
      rows: rows.flatMap(({ pageCount, phases }) =>
        phases.map(({ phase, seconds, cpuUsPerPage, peakMiB }) => [
          pageCount,
          phase,
          seconds,
          cpuUsPerPage,
          peakMiB,
        ]),
      ),
    },
    {
      caption: 'Neighbors and clusters',
      columns: [
        'pages',
        'K',
        'recall@10',
        'repetitions',
        'rounds',
        'neighbors',
        'clusters of CENTER, then topics from fine to broad',
        'spinning threads got, before and after',
      ],
      rows: rows.map((row) => [
        row.pageCount,
        row.neighborLimit,
        row.recall,
        row.repetitions,
        row.rounds,
        row.pairCount,
        row.clusterCounts.join(', '),
        row.spun,
      ]),
    },
  ];
}

/** What is promised at every size, and of growth from the first size to the last. */
export function scaleTargets(rows: readonly ScaleRow[]): Target[] {
  const cost = (row: ScaleRow, phase: Phase) => row.phases.find((done) => done.phase === phase)!.cpuUsPerPage;
  return [
    { figure: 'recall@10, least', atLeast: 0.97, reached: Math.min(...rows.map(({ recall }) => recall)) },
    {
      figure: 'processor time of the neighbors a page at the smallest size against the largest',
      atLeast: 0.5,
      reached: round(cost(rows[0]!, 'neighbors') / cost(rows.at(-1)!, 'neighbors')),
    },
  ];
}
