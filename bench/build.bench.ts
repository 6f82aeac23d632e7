/**
 * Measured   a whole build, by content bags, by anchor bags and by all parts: pages and bytes a second, pairs,
 *            clusters, bytes of index a page by table, time by stage, peak resident memory; processor seconds of builds
 *            as multiples of a yardstick, in turn with it; what a second processor brings.
 * Corpus     53,293 pages of a real crawl of 88 hosts, 635 MB of HTML, as JSON lines; for the multiples 12,000 of them,
 *            by chance.
 * Notes      `--memory 512M` and two workers, default profile, each build in a process of its own. Anchor bags and
 *            all parts have the pages that are linked to and were never fetched as well. Asserted: less than 1 GiB
 *            of resident memory, and every record is a page or is counted as skipped.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { BuildReport } from '../src/indexer/build-report.ts';
import { tableSizes } from '../src/store/table-sizes.ts';
import { announce, type BenchResult, round, type Target } from './bench.ts';
import { buildInChild, buildOnOneProcessor } from './build-child.ts';
import { dataFile, withFolder } from './corpora/data.ts';
import { archivedPages, cachedJsonl } from './corpora/jsonl.ts';
import { processorsForTwoThreads } from './spin-control.ts';
import { processorSeconds, sampledCrawl } from './yardstick.ts';

const MEMORY_BYTES = 512 * 2 ** 20;
const MAX_RSS_BYTES = 2 ** 30;
const WORKERS = 2;
const TEXT_TABLE = 'version_text';
/** Bytes a page below which a table is not worth a row. */
const SMALL_BYTES = 8;
/** MB of pages a second, from HTML to the published index. */
const LEAST_MB_A_SECOND = 60;
/** Of the index, texts not counted. */
const MOST_BYTES_A_PAGE = 3000;
/** By name, what `--parts` is given. */
const BAGS = { content: 'content', anchor: 'anchor', all: undefined };

const YARDSTICK_PAGES = 12_000;
const ROUNDS = 5;
/** What a build may take at most, as multiples of the yardstick. */
const MOST_YARDSTICKS = { content: 4, all: 5.5 } as const;

const PROCESSOR_ROUNDS = 2;
/** Seconds on one processor against those on two. */
const LEAST_BY_TWO_PROCESSORS = 1.8;

type TableBytes = ReadonlyMap<string, number>;

export async function run(): Promise<BenchResult> {
  dataFile('uci-crawl/html.tar.zst');
  const path = await cachedJsonl('uci-crawl', () =>
    archivedPages('uci-crawl/html.tar.zst', 'uci-crawl/pages.tsv.zst'),
  );
  const reports: BuildReport[] = [];
  const sizes: TableBytes[] = [];
  const processors = await byProcessors(path);
  await withFolder(async (folder) => {
    for (const [bag, parts] of Object.entries(BAGS)) {
      const target = join(folder, `${bag}.akin`);
      const report = await buildInChild({
        input: { path },
        target,
        parts,
        memoryBytes: MEMORY_BYTES,
        workerCount: WORKERS,
      });
      announce({
        bag,
        records: report.recordCount,
        bodyBytes: report.bodyBytes,
        pages: report.pageCount,
        indexBytes: report.indexBytes,
        peakRssBytes: report.peakRssBytes,
        seconds: round(report.durationMs / 1000, 1),
      });
      checkReport(report);
      reports.push(report);
      sizes.push(new Map(tableSizes(target).map(({ name, sizeBytes }) => [name, sizeBytes])));
    }
  });
  const yardsticks = await inYardsticks();
  const stageNames = [...new Set(reports.flatMap((report) => report.stages.map((stage) => stage.name)))];
  return {
    corpus: { records: reports[0]!.recordCount, 'bytes of pages': reports[0]!.bodyBytes },
    tables: [
      { caption: 'Builds', columns: ['', ...Object.keys(BAGS)], rows: figureRows(reports) },
      {
        caption: `Processor seconds of ${YARDSTICK_PAGES} pages: medians of ${ROUNDS} rounds in turn`,
        columns: ['', 'seconds', 'yardsticks'],
        rows: [...yardsticks].map(([name, { seconds, multiple }]) => [name, seconds, multiple]),
      },
      {
        caption: `Seconds of a build by content: means of ${PROCESSOR_ROUNDS} rounds in turn`,
        columns: ['on two processors', 'on one', 'ratio', 'spinning threads got'],
        rows: [[processors.two, processors.one, processors.ratio, processors.spin]],
      },
      {
        caption: 'Seconds by stage, and those of all processors meanwhile',
        columns: ['stage', ...Object.keys(BAGS), ...Object.keys(BAGS).map((bag) => `${bag}, processors`)],
        rows: stageNames.map((name) => [
          name,
          ...stageSeconds(reports, name, 'durationMs'),
          ...stageSeconds(reports, name, 'processorMs'),
        ]),
      },
      {
        caption:
          'Seconds of the phases of copies (Broder et al., section 7), and those of all processors meanwhile',
        columns: ['phase', ...Object.keys(BAGS), ...Object.keys(BAGS).map((bag) => `${bag}, processors`)],
        rows: phaseRows(reports),
      },
      {
        caption: 'Bytes of the index a page, by table with its indexes; below 8 all together',
        columns: ['table', ...Object.keys(BAGS)],
        rows: sizeRows(
          sizes,
          reports.map((report) => report.pageCount),
        ),
      },
      {
        caption: 'Records that became no page of their own',
        columns: ['reason', ...Object.keys(BAGS)],
        rows: Object.keys(reports[0]!.skipped).map((reason) => [
          reason,
          ...reports.map((report) => report.skipped[reason as keyof BuildReport['skipped']] ?? 0),
        ]),
      },
    ],
    targets: [
      ...Object.keys(BAGS).flatMap((bag, i) =>
        bag === 'anchor' ? [] : targetsOf(bag, reports[i]!, sizes[i]!),
      ),
      ...Object.entries(MOST_YARDSTICKS).map(([bag, most]) => ({
        figure: `${most} yardsticks against the processor seconds of a build, ${bag}`,
        atLeast: 1,
        reached: round(most / yardsticks.get(bag)!.multiple),
        ifMissed:
          'the profile is flat: no function takes a tenth of it, and the compiler of each thread a sixth',
      })),
      ...(processors.spin < LEAST_BY_TWO_PROCESSORS
        ? []
        : [
            {
              figure: 'seconds of a build by content on one processor against those on two',
              atLeast: LEAST_BY_TWO_PROCESSORS,
              reached: processors.ratio,
              ifMissed: 'each thread compiles anew what it runs, and the last tables are written by one',
            },
          ]),
    ],
  };
}

/** Seconds of the whole crawl by content, and what two threads could get of the machine meanwhile. */
async function byProcessors(
  path: string,
): Promise<{ two: number; one: number; ratio: number; spin: number }> {
  const spin = await processorsForTwoThreads();
  let [two, one] = [0, 0];
  for (let turn = 0; turn < PROCESSOR_ROUNDS; turn++) {
    await withFolder(async (folder) => {
      const build = { input: { path }, parts: BAGS.content, memoryBytes: MEMORY_BYTES, workerCount: WORKERS };
      const seconds = ({ durationMs }: BuildReport) => durationMs / 1000 / PROCESSOR_ROUNDS;
      two += seconds(await buildInChild({ ...build, target: join(folder, 'two.akin') }));
      one += seconds(await buildOnOneProcessor({ ...build, target: join(folder, 'one.akin') }));
    });
  }
  return { two: round(two, 1), one: round(one, 1), ratio: round(one / two, 2), spin };
}

/** Processor seconds of the yardstick and of builds, each in a process of its own, and how many yardsticks they are. */
async function inYardsticks(): Promise<Map<string, { seconds: number; multiple: number }>> {
  const path = await sampledCrawl(YARDSTICK_PAGES);
  const measured = new Map<string, { seconds: number[]; multiples: number[] }>();
  for (let turn = 0; turn < ROUNDS; turn++) {
    const yardstick = await processorSeconds({ yardstick: path });
    const take = (name: string, seconds: number) => {
      const taken = measured.get(name) ?? { seconds: [], multiples: [] };
      measured.set(name, taken);
      taken.seconds.push(seconds);
      taken.multiples.push(seconds / yardstick);
    };
    take('yardstick', yardstick);
    for (const bag of ['content', 'all'] as const) {
      await withFolder(async (folder) => {
        const build = { input: { path }, target: join(folder, 'a.akin'), parts: BAGS[bag] };
        take(bag, await processorSeconds({ build: { ...build, memoryBytes: MEMORY_BYTES } }));
      });
    }
  }
  const median = (values: number[]) => round(values.sort((a, b) => a - b)[values.length >> 1]!, 2);
  return new Map(
    [...measured].map(([name, { seconds, multiples }]) => [
      name,
      { seconds: median(seconds), multiple: median(multiples) },
    ]),
  );
}

function stageSeconds(
  reports: readonly BuildReport[],
  name: string,
  figure: 'durationMs' | 'processorMs',
): (string | number)[] {
  return reports.map(({ stages }) => {
    const stage = stages.find((one) => one.name === name);
    return stage === undefined ? '-' : round(stage[figure] / 1000, 1);
  });
}

/** Copies are found beside other stages where a build is of some size: the seconds are of the phase, whoever waits for it. */
function phaseRows(reports: readonly BuildReport[]): (string | number)[][] {
  const phasesOf = ({ copies }: BuildReport) => copies!.phases;
  return phasesOf(reports[0]!).map(({ name }, i) => [
    name,
    ...(['durationMs', 'processorMs'] as const).flatMap((figure) =>
      reports.map((report) => round(phasesOf(report)[i]![figure] / 1000, 2)),
    ),
  ]);
}

/** Of the builds of pages with their own words. */
function targetsOf(
  bag: string,
  { bodyBytes, durationMs, pageCount }: BuildReport,
  tables: TableBytes,
): Target[] {
  const ownBytes = [...tables].reduce((sum, [name, bytes]) => sum + (name === TEXT_TABLE ? 0 : bytes), 0);
  return [
    {
      figure: `MB a second from HTML to the published index, ${bag}`,
      atLeast: LEAST_MB_A_SECOND,
      reached: round(bodyBytes / durationMs / 1000, 1),
      ifMissed:
        'the stage that extracts is as fast as that; neighbors, clusters and what is written, also of pages that ' +
        'were never fetched, of which no MB is counted, come after it',
    },
    {
      figure: `${MOST_BYTES_A_PAGE} bytes against those of the index a page but for texts, ${bag}`,
      atLeast: 1,
      reached: round((MOST_BYTES_A_PAGE * pageCount) / ownBytes),
      ifMissed:
        'sketches of texts take 770 bytes a fetched page, the words of the search with their places 700',
    },
  ];
}

/** Largest first where all parts are indexed; texts, which an index can do without, are apart. */
function sizeRows(sizes: readonly TableBytes[], pageCounts: readonly number[]): (string | number)[][] {
  const ofLast = sizes.at(-1)!;
  const large = (name: string) => ofLast.get(name)! >= SMALL_BYTES * pageCounts.at(-1)!;
  const names = [...ofLast.keys()].filter((name) => name !== TEXT_TABLE);
  const row = (name: string, counts: (name: string) => boolean) => [
    name,
    ...sizes.map((ofBuild, i) => {
      let bytes = 0;
      for (const [table, sizeBytes] of ofBuild) if (counts(table)) bytes += sizeBytes;
      return Math.round(bytes / pageCounts[i]!);
    }),
  ];
  return [
    ...names.filter(large).map((name) => row(name, (table) => table === name)),
    row('the others', (table) => table !== TEXT_TABLE && !large(table)),
    row('all but texts', (table) => table !== TEXT_TABLE),
    row(TEXT_TABLE, (table) => table === TEXT_TABLE),
  ];
}

function checkReport(report: BuildReport): void {
  const skipped = Object.values(report.skipped).reduce((sum, count) => sum + count, 0);
  assert.equal(report.fetchedPageCount + skipped, report.recordCount, 'no record is lost without a word');
  assert.ok(report.peakRssBytes < MAX_RSS_BYTES, `peak resident memory is ${report.peakRssBytes} bytes`);
}

function figureRows(reports: readonly BuildReport[]): (string | number)[][] {
  const row = (name: string, figure: (report: BuildReport) => number) => [name, ...reports.map(figure)];
  return [
    row('pages', (report) => report.pageCount),
    row('of these fetched', (report) => report.fetchedPageCount),
    row('seconds', (report) => round(report.durationMs / 1000, 1)),
    row('records a second', (report) => Math.round((report.recordCount / report.durationMs) * 1000)),
    row('MB a second', (report) => round(report.bodyBytes / report.durationMs / 1000, 1)),
    row('neighbors stored', (report) => report.pairCount),
    row('clusters', (report) => report.clusterCount),
    row('index bytes', (report) => report.indexBytes),
    row('index bytes a page', (report) => Math.round(report.indexBytes / report.pageCount)),
    row('peak resident MiB', (report) => Math.round(report.peakRssBytes / 2 ** 20)),
  ];
}
