/**
 * Measured   P@10 of lists by links beside those by topic; what follows from leaving out the links within a site;
 *            milliseconds of a list and bytes of a link where there are many.
 * Corpus     2,295 articles with their links (labels: categories), four manuals (labels: sections); a million
 *            synthetic pages with 20 links each, a third of them to pages nearby, the others the more often to a page the
 *            lower its rank. A crawl of 53,293 pages has links and no labels.
 * Notes      Of each method the lists of pages that were read, and of all; a page that was never read has no label
 *            and counts as not relevant. Lists are timed as the service makes them, ten long, each three
 *            times, all of them in turn; the fastest time of each counts, as others use the machine. Resident
 *            memory is that of the process. Asserted: figures of 100 articles are those of sets, one by one.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type LinkGraph, rowOf } from '../src/join/links/link-graph.ts';
import { mostShared, SharedLinksSearch } from '../src/join/links/shared-links.ts';
import { Random } from '../src/lib/random.ts';
import { COCITATION } from '../src/relations/cocitation.ts';
import { COUPLING } from '../src/relations/coupling.ts';
import { LINK_RELATION_NAMES, type RelationName } from '../src/relations/relations.ts';
import { TOPIC } from '../src/relations/topic.ts';
import { pageList, relatedAnswer } from '../src/service/answers/lists/related.ts';
import { subjectPage } from '../src/service/answers/lists/selection/page-filter.ts';
import { FileReads } from '../src/service/reads/file/file-reads.ts';
import { OpenFile } from '../src/service/reads/file/open-file.ts';
import type { Reads } from '../src/service/reads/reads.ts';
import { type Narrowing, PLAIN_LIST } from '../src/service/schemas/parameters/list-parameters.ts';
import { canonicalUrl } from '../src/url/canonical-url.ts';
import { announce, type BenchResult, type Cell, round, type Table, type Target } from './bench.ts';
import { buildOne } from './build-one.ts';
import { dataFile, readTsv, withFolder } from './corpora/data.ts';
import { writeLinksIndex } from './links-index.ts';
import { type Judgement, judge, type Labels } from './quality/judge.ts';

const PAGES = 1_000_000;
const LINKS_A_PAGE = 20;
const QUERIES = 500;
/** Each list is made so often, all of them in turn, and the fastest time of each counts. */
const TURNS = 3;
const CHECKED = 100;
/** What a list takes of a processor on average; the times of a clock hang on who else uses the machine. */
const MOST_MEAN_MS = 5;
/** What is promised of the memory of the links. */
const MOST_BYTES_A_LINK = 9;

const PLAIN: Narrowing = { ...PLAIN_LIST, by: TOPIC.name, limit: 10 };

export async function run(): Promise<BenchResult> {
  const corpora = [
    { name: 'articles', path: dataFile('wikispeedia/pages.jsonl.zst'), labels: articleLabels() },
    { name: 'manuals', path: dataFile('manuals/demo.warc.gz'), labels: manualLabels() },
  ];
  const quality: Cell[][] = [];
  const sites: Cell[][] = [];
  const targets: Target[] = [];
  return withFolder(async (folder) => {
    for (const { name, path, labels } of corpora) {
      const target = join(folder, `${name}.akin`);
      await buildOne({ input: { path }, target, copies: false });
      const file = await OpenFile.open(target);
      checkFigures(file, await file.links.get());
      const reads = new FileReads(file);
      const judged = await judgedRelations(reads, labels);
      quality.push(...judged.map(({ cells }) => [name, ...cells]));
      sites.push(...(await withoutOwnSite(reads, labels)).map((cells) => [name, ...cells]));
      if (name === 'articles') targets.push(...qualityTargets(judged));
      file.close();
    }
    const scale = await atScale(join(folder, 'many.akin'));
    return {
      corpus: { 'synthetic pages': PAGES, 'synthetic links': scale.linkCount },
      tables: [
        {
          caption: 'Ten nearest pages that share a label with the page',
          columns: ['corpus', 'by', 'P@10, all pages', 'P@10, read pages', 'pages with ten read'],
          rows: quality,
        },
        {
          caption: 'Links within a site: counted as all others, and left out',
          columns: [
            'corpus',
            'by',
            'share of the links',
            'P@10, counted',
            'P@10, left out',
            'pages with a list, left out',
          ],
          rows: sites,
        },
        ...scale.tables,
      ],
      targets: [...targets, ...scale.targets],
    };
  });
}

function articleLabels(): Labels {
  const rows = readTsv('wikispeedia/labels.tsv', ['url', 'categories']).filter(
    (row) => row.categories !== '',
  );
  return new Map(rows.map((row) => [canonicalUrl(row.url)!, new Set(row.categories.split('|'))]));
}

function manualLabels(): Labels {
  const rows = readTsv('manuals/labels.tsv', ['url', 'host', 'section']);
  return new Map(rows.map((row) => [canonicalUrl(row.url)!, new Set([`${row.host} ${row.section}`])]));
}

interface JudgedRelation {
  readonly by: RelationName;
  readonly read: Judgement;
  readonly cells: readonly Cell[];
}

async function judgedRelations(reads: Reads, labels: Labels): Promise<JudgedRelation[]> {
  const relations: JudgedRelation[] = [];
  for (const by of [TOPIC.name, ...LINK_RELATION_NAMES]) {
    const judged = (fetched: Narrowing['fetched']) =>
      judgePages(reads, labels, async (page) => {
        const { items } = await pageList(
          { reads, narrowing: { ...PLAIN, by, fetched }, offset: 0 },
          await subjectPage(reads, page),
        );
        return items.map(({ url }) => url);
      });
    const [all, read] = [await judged('include'), await judged('only')];
    relations.push({ by, read, cells: [by, round(all.p10), round(read.p10), round(read.tenAnswers)] });
  }
  return relations;
}

async function judgePages(
  reads: Reads,
  labels: Labels,
  listOf: (page: number) => Promise<readonly string[]>,
): Promise<Judgement> {
  const lists = new Map<string, readonly string[]>();
  for (const url of labels.keys()) {
    const page = await reads.idOf(url);
    if (page >= 0) lists.set(url, await listOf(page));
  }
  return judge(lists, labels, [...lists.keys()]);
}

/** Lists by links are to find what chance does not, on labels that links know nothing of. */
function qualityTargets(judged: readonly JudgedRelation[]): Target[] {
  return judged
    .filter(({ by }) => by !== TOPIC.name)
    .map(({ by, read }) => {
      return { figure: `P@10 of articles by ${by}, read pages`, atLeast: 0.2, reached: round(read.p10) };
    });
}

/** The same lists over a graph without the links within a site. */
async function withoutOwnSite(reads: Reads, labels: Labels): Promise<Cell[][]> {
  const links = await reads.linkGraph();
  const heads = await reads.heads(Array.from({ length: reads.facts.pageCount }, (_, page) => page));
  const sites = Uint32Array.from(heads, ({ siteId }) => siteId);
  const across = filtered(links, (from, to) => sites[from] !== sites[to]);
  const share = round(1 - across.out.ids.length / links.out.ids.length);
  const rows = [COCITATION.name, COUPLING.name].map(async (by) => {
    const judged = async (graph: LinkGraph) => {
      const search = new SharedLinksSearch(graph);
      let withList = 0;
      const judgement = await judgePages(reads, labels, async (page) => {
        const found =
          by === COCITATION.name
            ? search.byCiters(rowOf(graph.in, page), page)
            : search.byTargets(rowOf(graph.out, page), page);
        const { ids } = mostShared(found, PLAIN.limit, (id) => heads[id]!.fetched);
        if (ids.length > 0) withList++;
        return Array.from(ids, (id) => heads[id]!.url);
      });
      return { p10: round(judgement.p10), withList };
    };
    const out = await judged(across);
    return [by, share, (await judged(links)).p10, out.p10, out.withList];
  });
  return Promise.all(rows);
}

function filtered(
  { out, in: back, gone }: LinkGraph,
  accept: (from: number, to: number) => boolean,
): LinkGraph {
  const rows = ({ ends, ids }: LinkGraph['out'], keep: (page: number, other: number) => boolean) => {
    const kept: number[] = [];
    const keptEnds = new Uint32Array(ends.length);
    for (let page = 0; page + 1 < ends.length; page++) {
      for (let at = ends[page]!; at < ends[page + 1]!; at++) if (keep(page, ids[at]!)) kept.push(ids[at]!);
      keptEnds[page + 1] = kept.length;
    }
    return { ends: keptEnds, ids: Uint32Array.from(kept) };
  };
  return { out: rows(out, accept), in: rows(back, (page, other) => accept(other, page)), gone };
}

/** The lists of some pages, figure by figure, from sets of the rows of the file. */
function checkFigures({ reader }: OpenFile, links: LinkGraph): void {
  const sets = Array.from({ length: reader.pageCount }, (_, page) => new Set(reader.links(page)));
  const search = new SharedLinksSearch(links);
  for (let page = 0; page < Math.min(CHECKED, reader.pageCount); page++) {
    const found = search.byTargets(rowOf(links.out, page), page);
    const slow = [...sets.keys()].filter((id) => id !== page && !sets[id]!.isDisjointFrom(sets[page]!));
    assert.deepEqual([...found.ids].sort(), slow.sort());
    for (const [i, id] of found.ids.entries()) {
      assert.equal(found.shared[i], sets[id]!.intersection(sets[page]!).size);
      assert.equal(found.total[i], sets[id]!.union(sets[page]!).size);
    }
  }
}

interface Scale {
  readonly linkCount: number;
  readonly tables: readonly Table[];
  readonly targets: readonly Target[];
}

async function atScale(path: string): Promise<Scale> {
  const linkCount = await writeLinksIndex({ path, pageCount: PAGES, linksAPage: LINKS_A_PAGE, seed: 1 });
  announce({ 'synthetic pages': PAGES, 'synthetic links': linkCount });
  const file = await OpenFile.open(path);
  const before = residentMiB();
  const startedMs = performance.now();
  let stalledMs = 0;
  let lastMs = startedMs;
  const clock = setInterval(() => {
    stalledMs = Math.max(stalledMs, performance.now() - lastMs);
    lastMs = performance.now();
  }, 1);
  await file.links.get();
  clearInterval(clock);
  const seconds = (performance.now() - startedMs) / 1000;
  const taken = residentMiB() - before;
  const { bytes, rows, targets } = await queried(file, linkCount);
  const perLink = bytes / linkCount;
  file.close();
  await collect();
  const kept = residentMiB() - before;
  targets.push({
    figure: `bytes a link, pages included, are ${MOST_BYTES_A_LINK} or less (1: yes)`,
    atLeast: 1,
    reached: perLink <= MOST_BYTES_A_LINK ? 1 : 0,
  });
  return {
    linkCount,
    targets,
    tables: [
      {
        caption: 'A list of ten, milliseconds',
        columns: ['by', 'page', 'p50', 'p99', 'longest', 'mean, of the processor', 'share with a list'],
        rows,
      },
      {
        caption: 'The links in memory',
        columns: ['figure', 'value'],
        rows: [
          ['MiB', round(bytes / 2 ** 20, 1)],
          ['bytes a link', round(perLink, 2)],
          ['resident memory they took, MiB', taken],
          ['of the generation that stays when it is closed, MiB', kept],
          ['seconds to read, on a thread', round(seconds, 1)],
          ['longest wait of the event loop meanwhile, ms', round(stalledMs, 1)],
        ],
      },
    ],
  };
}

/** In a function of its own: nothing of the links is to be held on to afterwards. */
async function queried(file: OpenFile, linkCount: number) {
  const reads = new FileReads(file);
  const { out, in: back } = await reads.linkGraph();
  const bytes = [out, back].reduce((sum, { ends, ids }) => sum + ends.byteLength + ids.byteLength, 0);
  const random = new Random(2);
  const drawn = Array.from({ length: QUERIES }, () => random.below(PAGES));
  const popular = Array.from({ length: QUERIES }, () => out.ids[random.below(linkCount)]!);
  const rows: Cell[][] = [];
  const targets: Target[] = [];
  for (const by of LINK_RELATION_NAMES) {
    for (const [what, pages] of [
      ['any', drawn],
      ['target of a link', popular],
    ] as const) {
      const { p50, p99, most, mean, found } = await timed(reads, by, pages);
      rows.push([by, what, round(p50), round(p99), round(most), round(mean), round(found)]);
      if (what !== 'any') continue;
      const figure = `processor time of a list by ${by} is ${MOST_MEAN_MS} ms or less (1: yes)`;
      targets.push({ figure, atLeast: 1, reached: mean <= MOST_MEAN_MS ? 1 : 0 });
    }
  }
  return { bytes, rows, targets };
}

async function timed(reads: Reads, by: RelationName, pages: readonly number[]) {
  const narrowing = { ...PLAIN, by };
  const times = new Float64Array(pages.length).fill(Number.POSITIVE_INFINITY);
  let found = 0;
  const before = process.threadCpuUsage();
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [i, page] of pages.entries()) {
      const startedMs = performance.now();
      const text = JSON.stringify(await relatedAnswer({ reads, narrowing, offset: 0 }, page, ''));
      times[i] = Math.min(times[i]!, performance.now() - startedMs);
      if (turn === 0 && text.includes('"empty_reason":null')) found++;
    }
  }
  const { user, system } = process.threadCpuUsage(before);
  const mean = (user + system) / 1000 / TURNS / pages.length;
  times.sort();
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))]!;
  return { p50: at(0.5), p99: at(0.99), most: times.at(-1)!, mean, found: found / pages.length };
}

function residentMiB(): number {
  return Math.round(process.memoryUsage.rss() / 2 ** 20);
}

async function collect(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  for (let turn = 0; turn < 20; turn++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
