/**
 * Measured   `akin add` of sweeps with 10 to 10,000 changed pages to an index of fixed size, by stage in processor
 *            seconds, beside a full build over the same pages.
 * Corpus     The first 20,000 pages of the uci-crawl, one record a URL and no canonical links; a changed page has a paragraph of 100 words more, taken at random
 *            from the titles of the crawl.
 * Notes      One worker, default profile, all in this process. Asserted: pairs and clusters of copies are those of the
 *            full build. Words and weights of the topic lists stay those of the first build, so these are not compared.
 */
import assert from 'node:assert/strict';
import { copyFileSync, createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { addSweep } from '../src/indexer/add-index.ts';
import type { BuildListener } from '../src/indexer/build-options.ts';
import { Random } from '../src/lib/random.ts';
import { canonicalUrl } from '../src/url/canonical-url.ts';
import { copiesByUrl } from './add-copies-by-url.ts';
import { announce, type BenchResult, round, type Table } from './bench.ts';
import { buildOne } from './build-one.ts';
import { dataFile, withFolder } from './corpora/data.ts';
import { archivedPages, cachedJsonl, type JsonlRecord, writeJsonl } from './corpora/jsonl.ts';

const SEED = 20001;
const PAGE_COUNT = 20_000;
const CHANGED_COUNTS = [10, 100, 1000, 5000, 10_000];
const ADDED_WORDS = 100;
const MEMORY_BYTES = 512 * 2 ** 20;

interface Costs {
  readonly changedCount: number;
  readonly cpuSecondsOfStage: ReadonlyMap<string, number>;
  readonly all: number;
  readonly fullBuild: number;
  readonly searchedCount: number;
  readonly listCount: number;
  readonly pairCount: number;
  readonly clusterCount: number;
}

export async function run(pageCount = PAGE_COUNT, changedCounts = CHANGED_COUNTS): Promise<BenchResult> {
  dataFile('uci-crawl/html.tar.zst');
  const crawl = await cachedJsonl('uci-crawl', () =>
    archivedPages('uci-crawl/html.tar.zst', 'uci-crawl/pages.tsv.zst'),
  );
  return await withFolder(async (folder) => {
    const path = join(folder, 'pages.jsonl');
    await writeJsonl(path, firstPages(crawl, pageCount));
    const base = join(folder, 'base.akin');
    const build = { memoryBytes: MEMORY_BYTES, workerCount: 1 };
    const { pageCount: indexed } = await buildOne({ ...build, input: { path }, target: base });
    const words = await titleWords(path);
    const costs: Costs[] = [];
    for (const changedCount of changedCounts) {
      const isChanged = drawn(pageCount, changedCount);
      const [sweep, after] = [join(folder, 'sweep.jsonl'), join(folder, 'after.jsonl')];
      await writeJsonl(sweep, changedPages(path, isChanged, words, false));
      await writeJsonl(after, changedPages(path, isChanged, words, true));
      const [target, whole] = [join(folder, 'added.akin'), join(folder, 'whole.akin')];
      copyFileSync(base, target);
      const added = await measureAdd(target, sweep);
      const from = process.cpuUsage();
      await buildOne({ ...build, input: { path: after }, target: whole });
      const fullBuild = secondsSince(from);
      const [found, wanted] = [copiesByUrl(target), copiesByUrl(whole)];
      assert.deepEqual(found.pairs, wanted.pairs, 'pairs of copies are those of a full build');
      assert.deepEqual(found.clusters, wanted.clusters, 'clusters of copies are those of a full build');
      const [pairCount, clusterCount] = [found.pairs.length, found.clusters.length];
      costs.push({ changedCount, ...added, fullBuild, pairCount, clusterCount });
      announce({ changed: changedCount, addSeconds: added.all, buildSeconds: fullBuild });
    }
    return { corpus: { records: pageCount, pages: indexed }, tables: [tableOf(costs)] };
  });
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
  const report = await addSweep(
    {
      inputs: [{ path, baseUrl: null, format: null }],
      target,
      sweepName: null,
      memoryBytes: MEMORY_BYTES,
      workerCount: 1,
    },
    listener,
  );
  const all = secondsSince(from);
  const ofStages = [...cpuSecondsOfStage.values()].reduce((sum, seconds) => sum + seconds, 0);
  cpuSecondsOfStage.set('other', round(all - ofStages, 2));
  const { searchedCount, touchedListCount: listCount } = report;
  return { cpuSecondsOfStage, all, searchedCount, listCount };
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
      row('full build over the same pages', (one) => one.fullBuild),
      row('topic lists searched anew', (one) => one.searchedCount),
      row('topic lists that are others now', (one) => one.listCount),
      row('copies in lists, as in the full build', (one) => one.pairCount),
      row('clusters of copies, as in the full build', (one) => one.clusterCount),
    ],
  };
}

async function* lines(path: string): AsyncGenerator<JsonlRecord> {
  for await (const line of createInterface({ input: createReadStream(path) })) {
    yield JSON.parse(line) as JsonlRecord;
  }
}

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
  withOthers: boolean,
): AsyncGenerator<JsonlRecord> {
  let at = -1;
  for await (const { url, html } of lines(path)) {
    at++;
    if (!isChanged.has(at)) {
      if (withOthers) yield { url, html: html! };
      continue;
    }
    const random = new Random(SEED + at);
    const more = Array.from({ length: ADDED_WORDS }, () => words[random.below(words.length)]);
    yield { url, html: `${html}<p>${more.join(' ')}</p>` };
  }
}
