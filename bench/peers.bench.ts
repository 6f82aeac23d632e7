/**
 * Measured   the ten nearest pages of 300 pages, each as a new document, by akin and by others over the same sets or
 *            the same texts: time to an index that can answer, median and mean time of a query, time to the ten
 *            nearest of every page and how many pages a processor second that is, recall@10 against our exact weighted
 *            Jaccard, peak memory.
 * Corpus     the texts of 20,000 pages of a real crawl and of 2,295 encyclopedia articles, in content bags of the default sum;
 *            a feature of weight w is w elements of a set. The articles have labels: P@10 by a shared category.
 * Notes      one thread each, two for Spark; medians of three builds, Spark one. Index time begins with the bags, or
 *            with the texts; ours from texts contains the neighbors of every page, clusters and topics. For all
 *            pages: a peer's index and its mean query for each page, ours measured. LSH candidates are ranked by
 *            the agreement of 128 values; `among candidates` is what a perfect ranking of them would reach. Spark
 *            is asked for 20 pages only, and its memory is that of the Python process. Text peers answer by a
 *            measure of their own, so P@10 is the fair figure. Lists in the order of votes, as they are served, stand
 *            in rows of their own: recall is that of the order by similarity.
 */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { extractPage } from '../src/page/extract-page.ts';
import { canonicalUrl } from '../src/url/canonical-url.ts';
import { announce, type BenchResult, BenchSkipped, type Cell, round, type Target } from './bench.ts';
import { buildInChild } from './build-child.ts';
import { dataFile, readTsv, unpacked, withFolder } from './corpora/data.ts';
import { archivedPages, cachedJsonl, readJsonl, writeJsonl } from './corpora/jsonl.ts';
import { exportCorpus, type PeerCorpus, peerCorpus, recallAt10 } from './peers/corpus.ts';
import { type PeerResult, type PeerSetting, runJava, runNode, runPython } from './peers/drivers.ts';
import { allSeconds, meanQueryMs, pagesAProcessorSecond, peerTargets } from './peers/targets.ts';
import { median } from './peers/timing.ts';
import { judge, type Labels } from './quality/judge.ts';

const CRAWLED_PAGES = 20_000;
const LEAST_CHARACTERS = 200;

type Driver = readonly [name: string, run: (folder: string) => Promise<PeerResult>];

const FROM_BAGS: readonly Driver[] = [
  ['akin', (folder) => runNode('own.ts', ['bags'], folder)],
  ['rensa 0.5.0', (folder) => runPython('rensa_lsh.py', ['rensa==0.5.0', 'numpy==2.4.6'], folder)],
  [
    'datasketch 2.0.0',
    (folder) => runPython('datasketch_lsh.py', ['datasketch==2.0.0', 'numpy==2.4.6'], folder),
  ],
  ['Spark MLlib 4.3.0', (folder) => runPython('spark_lsh.py', ['pyspark==4.3.0', 'numpy==2.4.6'], folder)],
];
const FROM_TEXTS: readonly Driver[] = [
  ['akin', (folder) => runNode('own.ts', ['texts'], folder)],
  ['Lucene 9.12.3 MoreLikeThis', (folder) => runJava('MoreLikeThisPeer.java', folder)],
  ['SQLite FTS5', (folder) => runNode('fts5.ts', [], folder)],
];

export async function run(): Promise<BenchResult> {
  dataFile('wikispeedia/pages.jsonl.zst');
  dataFile('uci-crawl/html.tar.zst');
  const crawl = await cachedJsonl('uci-crawl', () =>
    archivedPages('uci-crawl/html.tar.zst', 'uci-crawl/pages.tsv.zst'),
  );
  const labels: Labels = new Map(
    readTsv('wikispeedia/labels.tsv', ['url', 'categories'])
      .filter((row) => row.categories !== '')
      .map((row) => [canonicalUrl(row.url)!, new Set(row.categories.split('|'))]),
  );
  const tables: BenchResult['tables'][number][] = [];
  const targets: Target[] = [];
  const facts: Record<string, Cell> = {};
  const collections = [
    ['articles', unpacked('wikispeedia/pages.jsonl.zst'), Number.POSITIVE_INFINITY, labels],
    ['crawl', createReadStream(crawl), CRAWLED_PAGES, null],
  ] as const;
  for (const [name, lines, limit, own] of collections) {
    await withFolder(async (folder) => {
      const corpus = await prepare(name, lines, limit, folder);
      facts[`pages, ${name}`] = corpus.urls.length;
      facts[`elements a set, ${name}`] = Math.round(
        corpus.matrix.sums.reduce((sum, one) => sum + one, 0) / corpus.urls.length,
      );
      for (const [kind, drivers] of [
        ['bags', FROM_BAGS],
        ['texts', FROM_TEXTS],
      ] as const) {
        const results = await runAll(drivers, folder);
        targets.push(...peerTargets(`${name}, from ${kind}`, results, corpus));
        tables.push({
          caption: `${name}, from ${kind}`,
          columns: COLUMNS,
          rows: results.flatMap(([peer, result]) => rowsOf(peer, result, corpus, own)),
        });
      }
    });
  }
  return { corpus: facts, tables, targets };
}

/** Writes everything that the drivers read: texts, index, sets. */
async function prepare(name: string, lines: Readable, limit: number, folder: string): Promise<PeerCorpus> {
  const textOf = await textsOf(lines, limit);
  const path = join(folder, 'texts.jsonl');
  await writeJsonl(
    path,
    Array.from(textOf, ([url, text]) => ({ url, text })),
  );
  const target = join(folder, 'index.akin');
  await buildInChild({ input: { path }, target, parts: 'content', workerCount: 1 });
  const corpus = peerCorpus(name, target, textOf);
  exportCorpus(corpus, folder);
  announce({ collection: name, pages: corpus.urls.length, queries: corpus.queries.length });
  return corpus;
}

/** Title and text by canonical URL, as the index extracts them; pages that hardly have a text are left out. */
async function textsOf(pages: Readable, limit: number): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for await (const { url, html = '' } of readJsonl(pages)) {
    const canonical = canonicalUrl(url);
    if (canonical === null) continue;
    const { title, text } = extractPage(html, 'text/html', canonical);
    if (text.length >= LEAST_CHARACTERS) texts.set(canonical, `${title}\n${text}`);
    if (texts.size >= limit) break;
  }
  return texts;
}

async function runAll(drivers: readonly Driver[], folder: string): Promise<[string, PeerResult | string][]> {
  const results: [string, PeerResult | string][] = [];
  for (const [peer, start] of drivers) {
    try {
      const result = await start(folder);
      for (const { name, indexSeconds, queryMs } of result.settings) {
        announce({ peer, name, indexSeconds: round(indexSeconds, 2), p50: round(median(queryMs)) });
      }
      results.push([peer, result]);
    } catch (error) {
      if (!(error instanceof BenchSkipped)) throw error;
      process.stderr.write(`${peer}: skipped: ${error.message}\n`);
      results.push([peer, `skipped: ${error.message}`]);
    }
  }
  return results;
}

const COLUMNS = [
  'by',
  'index s',
  'processor s',
  'query p50 ms',
  'query mean ms',
  'all pages s',
  'pages a processor s',
  'recall@10',
  'among candidates',
  'candidates',
  'P@10 by labels',
  'peak MiB',
];

function rowsOf(
  peer: string,
  result: PeerResult | string,
  corpus: PeerCorpus,
  labels: Labels | null,
): Cell[][] {
  if (typeof result === 'string') return [[peer, result, ...COLUMNS.slice(2).map(() => '-')]];
  return result.settings.map((setting) => {
    const { indexSeconds, queryMs, answers, candidates } = setting;
    const mean = meanQueryMs(setting);
    const perSecond = pagesAProcessorSecond(setting, corpus);
    const candidateCount = candidates?.reduce((sum, list) => sum + list.length, 0) ?? 0;
    return [
      `${peer}, ${setting.name}`,
      round(indexSeconds, 2),
      setting.indexCpuSeconds === undefined ? '-' : round(setting.indexCpuSeconds, 2),
      round(median(queryMs), 4),
      round(mean, 4),
      round(allSeconds(setting, corpus), 1),
      perSecond === undefined ? '-' : Math.round(perSecond),
      round(recallAt10(corpus, answers)),
      candidates === undefined ? '-' : round(recallAt10(corpus, candidates)),
      candidates === undefined ? '-' : Math.round(candidateCount / candidates.length),
      labels === null ? '-' : precision(setting, corpus, labels),
      result.peakMiB,
    ];
  });
}

function precision({ answers }: PeerSetting, corpus: PeerCorpus, labels: Labels): Cell {
  const lists = answers.map((list, i) => [corpus.urls[corpus.queries[i]!]!, list] as const);
  const judged = lists.filter(([url]) => labels.has(url));
  const urls = new Map(judged.map(([url, list]) => [url, list.map((page) => corpus.urls[page]!)]));
  return round(judge(urls, labels, [...urls.keys()]).p10);
}
