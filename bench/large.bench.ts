/**
 * Measured   a whole build from folders of HTML, by content bags and by all parts: pages and bytes a second, time
 *            by stage, peak resident memory; the neighbor graph over the bags by content again, by one thread and by
 *            two.
 * Corpus     the HTML and plain text of 38 Debian documentation packages, 180,000 files, 4.6 GB, and what links to
 *            folders show a second time; a third are two versions of one manual. Unpacked below the system's folder
 *            for such files as akin-bench-cache/debian-docs-large.
 * Notes      default profile, two workers, `--memory 2G`, each build in a process of its own. All parts have the
 *            pages that are linked to and were never fetched as well.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { BuildReport } from '../src/indexer/build-report.ts';
import type { NeighborReport } from '../src/indexer/relate/lists/neighbors.ts';
import { IndexReader } from '../src/store/read/reader.ts';
import { announce, type BenchResult, round } from './bench.ts';
import { buildInChild } from './build-child.ts';
import { withFolder } from './corpora/data.ts';
import { debianDocs } from './corpora/debian-docs.ts';
import { type GraphFigures, graphByThreads, graphTable } from './graph-by-threads.ts';
import { processorsForTwoThreads } from './spin-control.ts';
import { storedBags } from './stored-bags.ts';

/** By name, what `--parts` is given. */
const BAGS = { content: 'content', all: undefined };
const WORKERS = 2;
const MEMORY_BYTES = 2 * 2 ** 30;

interface LargeBuild {
  readonly report: BuildReport;
  /** As the index tells it. */
  readonly neighbors: NeighborReport;
}

export async function run(): Promise<BenchResult> {
  const input = debianDocs();
  const builds: LargeBuild[] = [];
  let graphs: GraphFigures | undefined;
  const processors = [await processorsForTwoThreads()];
  await withFolder(async (folder) => {
    for (const [bag, parts] of Object.entries(BAGS)) {
      const target = join(folder, `${bag}.akin`);
      const report = await buildInChild({
        input,
        target,
        parts,
        memoryBytes: MEMORY_BYTES,
        workerCount: WORKERS,
      });
      processors.push(await processorsForTwoThreads());
      const skipped = Object.values(report.skipped).reduce((sum, count) => sum + count, 0);
      assert.equal(report.fetchedPageCount + skipped, report.recordCount, 'no record is lost without a word');
      const reader = IndexReader.open(target);
      const neighbors = reader.card().parameters['neighbors'] as NeighborReport;
      graphs ??= await graphByThreads(storedBags(reader, reader.relation('topic')!.id));
      reader.close();
      builds.push({ report, neighbors });
      announce({ bag, pages: report.pageCount, seconds: round(report.durationMs / 1000, 1) });
    }
  });
  const reports = builds.map(({ report }) => report);
  const stageNames = [...new Set(reports.flatMap(({ stages }) => stages.map(({ name }) => name)))];
  return {
    corpus: {
      records: reports[0]!.recordCount,
      'bytes of pages': reports[0]!.bodyBytes,
      'processors that two spinning threads got, before and after': processors.join(', '),
    },
    tables: [
      { caption: 'Builds', columns: ['', ...Object.keys(BAGS)], rows: figureRows(builds) },
      {
        caption: 'Seconds by stage',
        columns: ['stage', ...Object.keys(BAGS)],
        rows: stageNames.map((name) => [name, ...reports.map((report) => stageSeconds(report, name))]),
      },
      graphTable('Neighbor graph over the bags by content', graphs!.rows),
    ],
    targets: graphs!.targets,
  };
}

function stageSeconds(report: BuildReport, name: string): number {
  return round((report.stages.find((stage) => stage.name === name)?.durationMs ?? 0) / 1000, 1);
}

function figureRows(builds: readonly LargeBuild[]): (string | number)[][] {
  const row = (name: string, figure: (build: LargeBuild) => string | number) => [name, ...builds.map(figure)];
  const seconds = ({ report }: LargeBuild) => report.durationMs / 1000;
  const neighborUs = ({ report }: LargeBuild) =>
    Math.round((stageSeconds(report, 'neighbors') * 1e6) / report.pageCount);
  return [
    row('pages', ({ report }) => report.pageCount),
    row('of these fetched', ({ report }) => report.fetchedPageCount),
    row('seconds', (build) => round(seconds(build), 1)),
    row('records a second', (build) => Math.round(build.report.recordCount / seconds(build))),
    row('MB a second', (build) => round(build.report.bodyBytes / seconds(build) / 1e6, 1)),
    row('neighbors, µs a page', neighborUs),
    row('neighbors, method', ({ neighbors }) => neighbors.method),
    row('neighbors, recall@10', ({ neighbors }) => round(neighbors.recall, 4)),
    row('neighbors stored', ({ report }) => report.pairCount),
    row('clusters', ({ report }) => report.clusterCount),
    row('index bytes a page', ({ report }) => Math.round(report.indexBytes / report.pageCount)),
    row('peak resident MiB', ({ report }) => Math.round(report.peakRssBytes / 2 ** 20)),
  ];
}
