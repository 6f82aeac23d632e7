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
import { Generation } from '../src/service/held/generation.ts';
import { type Narrowing, PLAIN_LIST } from '../src/service/schemas/list-parameters.ts';
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
      const generation = await Generation.open(target);
      await generation.withLinks(COCITATION.name, () => {});
      checkFigures(generation);
      const judged = judgedRelations(generation, labels);
      quality.push(...judged.map(({ cells }) => [name, ...cells]));
      sites.push(...withoutOwnSite(generation, labels).map((cells) => [name, ...cells]));
      if (name === 'articles') targets.push(...qualityTargets(judged));
      generation.retire();
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

function judgedRelations(generation: Generation, labels: Labels): JudgedRelation[] {
  return [TOPIC.name, ...LINK_RELATION_NAMES].map((by) => {
    const judged = (fetched: Narrowing['fetched']) =>
      judgePages(generation, labels, (page) => {
        return pageList(generation, page, { ...PLAIN, by, fetched }, 0).pageIds();
      });
    const [all, read] = [judged('include'), judged('only')];
    return { by, read, cells: [by, round(all.p10), round(read.p10), round(read.tenAnswers)] };
  });
}

function judgePages(
  { reader, catalog }: Generation,
  labels: Labels,
  listOf: (page: number) => readonly number[],
): Judgement {
  const queries = [...labels.keys()].filter((url) => catalog.find(url) >= 0);
  const lists = queries.map((url) => listOf(catalog.find(url)).map((page) => reader.page(page).url));
  return judge(new Map(queries.map((url, i) => [url, lists[i]!])), labels, queries);
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
function withoutOwnSite(generation: Generation, labels: Labels): Cell[][] {
  const { links, catalog, reader } = generation;
  const sites = Uint32Array.from({ length: reader.pageCount }, (_, page) => catalog.site(page));
  const across = filtered(links, (from, to) => sites[from] !== sites[to]);
  const share = round(1 - across.out.ids.length / links.out.ids.length);
  return [COCITATION.name, COUPLING.name].map((by) => {
    const judged = (graph: LinkGraph) => {
      const search = new SharedLinksSearch(graph);
      let withList = 0;
      const judgement = judgePages(generation, labels, (page) => {
        const found =
          by === COCITATION.name
            ? search.byCiters(rowOf(graph.in, page), page)
            : search.byTargets(rowOf(graph.out, page), page);
        const { ids } = mostShared(found, PLAIN.limit, (id) => catalog.fetched(id));
        if (ids.length > 0) withList++;
        return [...ids];
      });
      return { p10: round(judgement.p10), withList };
    };
    const out = judged(across);
    return [by, share, judged(links).p10, out.p10, out.withList];
  });
}

function filtered({ out, in: back }: LinkGraph, accept: (from: number, to: number) => boolean): LinkGraph {
  const rows = ({ ends, ids }: LinkGraph['out'], keep: (page: number, other: number) => boolean) => {
    const kept: number[] = [];
    const keptEnds = new Uint32Array(ends.length);
    for (let page = 0; page + 1 < ends.length; page++) {
      for (let at = ends[page]!; at < ends[page + 1]!; at++) if (keep(page, ids[at]!)) kept.push(ids[at]!);
      keptEnds[page + 1] = kept.length;
    }
    return { ends: keptEnds, ids: Uint32Array.from(kept) };
  };
  return { out: rows(out, accept), in: rows(back, (page, other) => accept(other, page)) };
}

/** The lists of some pages, figure by figure, from sets of the rows of the file. */
function checkFigures(generation: Generation): void {
  const { reader, links } = generation;
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
  const generation = await Generation.open(path);
  const before = residentMiB();
  const startedMs = performance.now();
  let stalledMs = 0;
  let lastMs = startedMs;
  const clock = setInterval(() => {
    stalledMs = Math.max(stalledMs, performance.now() - lastMs);
    lastMs = performance.now();
  }, 1);
  await generation.withLinks(COCITATION.name, () => {});
  clearInterval(clock);
  const seconds = (performance.now() - startedMs) / 1000;
  const taken = residentMiB() - before;
  const { bytes, rows, targets } = queried(generation, linkCount);
  const perLink = bytes / linkCount;
  generation.retire();
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
function queried(generation: Generation, linkCount: number) {
  const { out, in: back } = generation.links;
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
      const { p50, p99, most, mean, found } = timed(generation, by, pages);
      rows.push([by, what, round(p50), round(p99), round(most), round(mean), round(found)]);
      if (what !== 'any') continue;
      const figure = `processor time of a list by ${by} is ${MOST_MEAN_MS} ms or less (1: yes)`;
      targets.push({ figure, atLeast: 1, reached: mean <= MOST_MEAN_MS ? 1 : 0 });
    }
  }
  return { bytes, rows, targets };
}

function timed(generation: Generation, by: RelationName, pages: readonly number[]) {
  const narrowing = { ...PLAIN, by };
  const times = new Float64Array(pages.length).fill(Number.POSITIVE_INFINITY);
  let found = 0;
  const before = process.threadCpuUsage();
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [i, page] of pages.entries()) {
      const startedMs = performance.now();
      const text = relatedAnswer(generation, page, narrowing, 0, '').toString();
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
