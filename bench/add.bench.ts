/**
 * Measured   `akin add` of sweeps with 10 and 1,000 changed pages to an index of fixed size, by stage in processor
 *            seconds, beside a build of the old pages and the sweep at once and a yardstick; bytes of what makes an index an input.
 * Corpus     The first 20,000 pages of the uci-crawl, one record a URL and no canonical links; a changed page has a paragraph of 100 words more, taken at random
 *            from the titles of the crawl.
 * Notes      One worker, default profile, all in this process. Asserted: every table of the index is that of the build
 *            of both sweeps at once, row for row but for times.
 */
import assert from 'node:assert/strict';
import { copyFileSync, createReadStream } from 'node:fs';
import { join } from 'node:path';
import { buildIndex } from '../src/indexer/build-index.ts';
import type { BuildListener } from '../src/indexer/files/stage-runner.ts';
import { additionTo } from '../src/indexer/options/stored-options.ts';
import { Random } from '../src/lib/random.ts';
import { IndexReader } from '../src/store/read/reader.ts';
import { tableSizes } from '../src/store/table-sizes.ts';
import { canonicalUrl } from '../src/url/canonical-url.ts';
import { announce, type BenchResult, round, type Table } from './bench.ts';
import { buildOne } from './build-one.ts';
import { dataFile, withFolder } from './corpora/data.ts';
import { archivedPages, cachedJsonl, type JsonlRecord, readJsonl, writeJsonl } from './corpora/jsonl.ts';
import { processorSeconds } from './yardstick.ts';

const SEED = 20001;
const PAGE_COUNT = 20_000;
const CHANGED_COUNTS = [10, 1000];
const ADDED_WORDS = 100;
const INPUT_TABLES = new Set(['page_input', 'other_input', 'link_url']);
const MEMORY_BYTES = 512 * 2 ** 20;

interface Costs {
  readonly changedCount: number;
  readonly cpuSecondsOfStage: ReadonlyMap<string, number>;
  readonly all: number;
  readonly fullBuild: number;
  /** Of the old pages, in turn with the others. */
  readonly yardstick: number;
}

export async function run(pageCount = PAGE_COUNT, changedCounts = CHANGED_COUNTS): Promise<BenchResult> {
  dataFile('uci-crawl/html.tar.zst');
  const crawl = await cachedJsonl('uci-crawl', () =>
    archivedPages('uci-crawl/html.tar.zst', 'uci-crawl/pages.tsv.zst'),
  );
  return await withFolder(async (folder) => {
    const path = join(folder, 'sweep-1.jsonl');
    await writeJsonl(path, firstPages(crawl, pageCount));
    const base = join(folder, 'base.akin');
    const build = { memoryBytes: MEMORY_BYTES, workerCount: 1 };
    const first = { ...build, input: { path, sweep: 'sweep-1' }, target: base };
    const { pageCount: indexed } = await buildOne(first);
    const words = await titleWords(path);
    const costs: Costs[] = [];
    for (const changedCount of changedCounts) {
      const isChanged = drawn(pageCount, changedCount);
      const sweep = join(folder, 'sweep-2.jsonl');
      await writeJsonl(sweep, changedPages(path, isChanged, words));
      const [target, whole] = [join(folder, 'added.akin'), join(folder, 'whole.akin')];
      copyFileSync(base, target);
      const added = await measureAdd(target, sweep);
      const from = process.cpuUsage();
      const input = [
        { path, sweep: 'sweep-1' },
        { path: sweep, sweep: 'sweep-2' },
      ];
      await buildOne({ ...build, input, target: whole });
      const fullBuild = secondsSince(from);
      const yardstick = round(await processorSeconds({ yardstick: path }), 2);
      assert.equal(generationOf(target), generationOf(whole), 'the index is that of a full build');
      costs.push({ changedCount, ...added, fullBuild, yardstick });
      announce({ changed: changedCount, addSeconds: added.all, buildSeconds: fullBuild, yardstick });
    }
    return {
      corpus: { records: pageCount, pages: indexed },
      tables: [tableOf(costs), bytesOf(base)],
    };
  });
}

function generationOf(path: string): string {
  const reader = IndexReader.open(path);
  reader.close();
  return reader.generation;
}

/** What an index keeps to be an input. */
function bytesOf(path: string): Table {
  const sizes = tableSizes(path);
  const all = sizes.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const kept = sizes.filter(({ name }) => INPUT_TABLES.has(name));
  return {
    caption: 'Bytes of the tables that make an index an input',
    columns: ['table', 'bytes', 'share of the file'],
    rows: kept.map(({ name, sizeBytes }) => [name, sizeBytes, round(sizeBytes / all, 3)]),
  };
}

/** The processor seconds of each stage; what lies between two of them, such as the copy of the file, is `other`. */
async function measureAdd(target: string, path: string) {
  const cpuSecondsOfStage = new Map<string, number>();
  let since = process.cpuUsage();
  const listener: BuildListener = {
    stageStarted() {
      since = process.cpuUsage();
    },
    stageProgress() {},
    stageEnded({ name }) {
      cpuSecondsOfStage.set(name, secondsSince(since));
    },
    fault() {},
  };
  const from = process.cpuUsage();
  const addition = additionTo({
    inputs: [{ path, baseUrl: null, format: null }],
    target,
    sweepName: '',
    memoryBytes: MEMORY_BYTES,
    workerCount: 1,
  });
  await buildIndex(addition, listener);
  const all = secondsSince(from);
  const ofStages = [...cpuSecondsOfStage.values()].reduce((sum, seconds) => sum + seconds, 0);
  cpuSecondsOfStage.set('other', round(all - ofStages, 2));
  return { cpuSecondsOfStage, all };
}

function secondsSince(from: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(from);
  return round((user + system) / 1e6, 2);
}

function tableOf(costs: readonly Costs[]): Table {
  const names = [...new Set(costs.flatMap(({ cpuSecondsOfStage }) => [...cpuSecondsOfStage.keys()]))];
  const row = (name: string, figure: (one: Costs) => string | number) => [name, ...costs.map(figure)];
  return {
    caption: 'Processor seconds of `akin add` by stage, by changed pages of the sweep',
    columns: ['', ...costs.map(({ changedCount }) => String(changedCount))],
    rows: [
      ...names.map((name) => row(name, (one) => one.cpuSecondsOfStage.get(name) ?? '-')),
      row('all', (one) => one.all),
      row('build of both sweeps', (one) => one.fullBuild),
      row('share', (one) => round(one.all / one.fullBuild, 2)),
      row('yardstick', (one) => one.yardstick),
      row('in yardsticks', (one) => round(one.all / one.yardstick, 1)),
      row('build in yardsticks', (one) => round(one.fullBuild / one.yardstick, 1)),
    ],
  };
}

const lines = (path: string) => readJsonl(createReadStream(path));

/** One record a page, so that its change is the change of one page. */
async function* firstPages(path: string, count: number): AsyncGenerator<JsonlRecord> {
  const seen = new Set<string>();
  for await (const { url, html } of lines(path)) {
    const own = canonicalUrl(url);
    if (own === null || seen.has(own)) continue;
    if (seen.size === count) return;
    seen.add(own);
    yield { url, html: html!.replace(/<link\b[^>]*\bcanonical\b[^>]*>/gi, '') };
  }
}

async function titleWords(path: string): Promise<string[]> {
  const words: string[] = [];
  for await (const { html } of lines(path)) {
    const title = /<title>([^<]*)/i.exec(html ?? '')?.[1] ?? '';
    words.push(...(title.match(/\p{L}{3,}/gu) ?? []));
  }
  return words;
}

function drawn(pageCount: number, count: number): ReadonlySet<number> {
  const random = new Random(SEED);
  const chosen = new Set<number>();
  while (chosen.size < count) chosen.add(random.below(pageCount));
  return chosen;
}

async function* changedPages(
  path: string,
  isChanged: ReadonlySet<number>,
  words: readonly string[],
): AsyncGenerator<JsonlRecord> {
  let at = -1;
  for await (const { url, html } of lines(path)) {
    at++;
    if (!isChanged.has(at)) continue;
    const random = new Random(SEED + at);
    const more = Array.from({ length: ADDED_WORDS }, () => words[random.below(words.length)]);
    yield { url, html: `${html}<p>${more.join(' ')}</p>` };
  }
}
