import assert from 'node:assert/strict';
import { Analyzer } from '../../src/features/counts/analyzer.ts';
import { countPage } from '../../src/features/counts/page-counts.ts';
import { checkPairs } from '../../src/join/copies/pair-checks.ts';
import type { SharedPairs } from '../../src/join/copies/shingle-join.ts';
import { DEFAULT_SHINGLE_JOIN } from '../../src/join/copies/sketch-comparison.ts';
import { findTemplates, markTemplates } from '../../src/join/copies/template-shingles.ts';
import { componentsOf } from '../../src/lib/union-find.ts';
import { equalityFingerprints } from '../../src/sketch/fingerprint.ts';
import {
  DEFAULT_SKETCH,
  type ShingleSketch,
  type SketchOptions,
  sketchTokens,
} from '../../src/sketch/shingle-sketch.ts';
import { tableOf } from '../../src/sketch/sketch-table.ts';
import { superShingles } from '../../src/sketch/super-shingle.ts';
import { SIMHASH_LANES, wordSimhash } from '../../src/sketch/word-simhash.ts';
import { builtInStopWords } from '../../src/text/stop-words.ts';
import { TokenSequence } from '../../src/text/token-sequence.ts';
import { readTokens } from '../../src/text/tokens.ts';
import { joinShingles } from '../../test/join/copies/in-memory.ts';
import { BRODER1997_SKETCH, WHOLE_SKETCH } from '../../test/sketch/sketch-options.ts';
import { round, type Table } from '../bench.ts';
import { readTsv, unpacked } from '../corpora/data.ts';
import { tarFiles } from '../corpora/tar.ts';
import { Excerpts, joinTable } from './copies-joins.ts';
import { foldEqual, unfold } from './fold-equal.ts';
import { pageText } from './page-text.ts';
import { clusterPairs } from './pair-counts.ts';

/** Pages of the crawl with all that is asked of them, in the order of its table. */
interface Crawl {
  readonly hostOfPage: Uint32Array;
  readonly tokenCounts: number[];
  /** Page of each URL: the first, where a URL occurs twice. */
  readonly pageOfUrl: ReadonlyMap<string, number>;
  /** Cluster of the labels, by page. */
  readonly labels: ReadonlyMap<number, string>;
  readonly sketches: ReadonlyMap<string, ShingleSketch[]>;
  readonly fingerprints: ReadonlyMap<string, string[]>;
  readonly simhashes: Uint32Array;
  readonly speeds: Table;
  readonly excerpts: Table;
}

/** A page without title, in English. */
const PLAIN_PAGE = { title: '', lang: 'en' };

const SKETCHES: Record<string, SketchOptions> = {
  'w = 10': DEFAULT_SKETCH,
  'w = 5': { ...DEFAULT_SKETCH, shingleSize: 5 },
  'mod 25': BRODER1997_SKETCH,
  'w = 5, whole': { ...WHOLE_SKETCH, shingleSize: 5 },
};

export async function crawlTables(): Promise<Table[]> {
  const crawl = await readCrawl();
  return [
    crawl.speeds,
    againstExact(crawl),
    againstLabels(crawl),
    sameSite(crawl),
    superShinglesFound(crawl),
    joinTable(foldedTable(crawl, 'w = 10').table),
    crawl.excerpts,
  ];
}

async function readCrawl(): Promise<Crawl> {
  const rows = readTsv('uci-crawl/pages.tsv.zst', ['path', 'host', 'url']);
  const pageOfPath = new Map(rows.map((row, page) => [row.path, page]));
  const hosts = [...new Set(rows.map((row) => row.host))];
  const hostOfPage = Uint32Array.from(rows, (row) => hosts.indexOf(row.host));
  const sketches = new Map(Object.keys(SKETCHES).map((name) => [name, [] as ShingleSketch[]]));
  const fingerprints = new Map(Object.keys(SKETCHES).map((name) => [name, [] as string[]]));
  const tokenCounts: number[] = [];
  const simhashes = new Uint32Array(SIMHASH_LANES * rows.length);
  const distinct = { text: new Set<string>(), tokens: new Set<string>(), shingles: new Set<string>() };
  const spentMs = new Map<string, number>();
  const clock = <T>(name: string, work: () => T): T => {
    const startedMs = performance.now();
    const result = work();
    spentMs.set(name, (spentMs.get(name) ?? 0) + performance.now() - startedMs);
    return result;
  };
  const sequence = new TokenSequence();
  const excerpts = new Excerpts();
  const analyzer = new Analyzer({ stopWords: builtInStopWords(), spill() {} });
  let characters = 0;
  let tokenTotal = 0;
  for await (const { path, body } of tarFiles(unpacked('uci-crawl/html.tar.zst'))) {
    const page = pageOfPath.get(path);
    if (page === undefined) continue;
    const text = pageText(body.toString(), rows[page]!.url);
    characters += text.length;
    const tokens = clock('tokens', () => readTokens(text, sequence));
    tokenTotal += tokens.count;
    const plain = { ...PLAIN_PAGE, text };
    clock('tokens and word counts', () => countPage(plain, [], analyzer, { windowWords: 0 }));
    tokenCounts[page] = tokens.count;
    for (const [name, options] of Object.entries(SKETCHES)) {
      const sketched = clock(`sketch ${name}`, () => sketchTokens(tokens, options));
      sketches.get(name)![page] = sketched.sketch;
      const equal = clock('fingerprints', () => equalityFingerprints(text, tokens, sketched));
      fingerprints.get(name)![page] = sketched.sketch.shingleCount === 0 ? '' : equal.shingles;
      if (name !== 'w = 10') continue;
      if (page % 10 === 0) excerpts.add(text, tokens, sketched.sketch);
      for (const kind of ['text', 'tokens', 'shingles'] as const) distinct[kind].add(equal[kind]);
    }
    simhashes.set(
      clock('word simhash', () => wordSimhash(tokens)),
      SIMHASH_LANES * page,
    );
  }
  const pageOfUrl = new Map<string, number>();
  for (const [page, row] of rows.entries()) if (!pageOfUrl.has(row.url)) pageOfUrl.set(row.url, page);
  const labels = new Map<number, string>();
  for (const row of readTsv('uci-crawl/near_dup_clusters.tsv', ['cluster', 'url'])) {
    const page = pageOfUrl.get(row.url);
    if (page !== undefined) labels.set(page, row.cluster);
  }
  const tokenMs = spentMs.get('tokens')!;
  const speedRows = [...spentMs].map(([name, ms]) => {
    const alone = name === 'fingerprints' ? ms / Object.keys(SKETCHES).length : ms;
    const withTokens = name.startsWith('sketch') ? alone + tokenMs : alone;
    return [name, round((1e6 * alone) / tokenTotal, 1), Math.round(characters / 1e3 / withTokens)];
  });
  return {
    hostOfPage,
    tokenCounts,
    pageOfUrl,
    labels,
    sketches,
    fingerprints,
    simhashes,
    excerpts: excerpts.table(),
    speeds: {
      caption: `Speed on ${Math.round(characters / 1e6)} MB of text; distinct pages by text ${distinct.text.size}, tokens ${distinct.tokens.size}, shingles ${distinct.shingles.size}`,
      columns: ['step', 'ns a token', 'MB/s (a sketch with its tokens)'],
      rows: speedRows,
    },
  };
}

interface Found {
  readonly pairs: SharedPairs;
  /** Page of each folded page. */
  readonly representatives: Uint32Array;
  readonly roots: Uint32Array;
  readonly seconds: number;
  readonly candidates: number;
}

function find(crawl: Crawl, name: string, threshold: number): Found {
  const { folded, table } = foldedTable(crawl, name);
  const startedMs = performance.now();
  const { pairs, report } = joinShingles(table, { ...DEFAULT_SHINGLE_JOIN, threshold });
  const roots = unfold(folded, componentsOf(table.pageCount, pairs.a, pairs.b));
  return {
    pairs,
    representatives: folded.representatives,
    roots,
    seconds: (performance.now() - startedMs) / 1000,
    candidates: report.candidateCount,
  };
}

/** The sketches of distinct shingle sets. */
function foldedTable(crawl: Crawl, name: string) {
  const folded = foldEqual(crawl.fingerprints.get(name)!);
  const sketches = crawl.sketches.get(name)!;
  return { folded, table: tableOf(Array.from(folded.representatives, (page) => sketches[page]!)) };
}

/** Pairs found by sketches against those found by whole shingle sets of the same text. */
function againstExact(crawl: Crawl): Table {
  const rows = [0.9, 0.7, 0.5].map((threshold) => {
    const exact = pairNames(find(crawl, 'w = 5, whole', threshold));
    const sketched = pairNames(find(crawl, 'w = 5', threshold));
    const shared = exact.intersection(sketched).size;
    assert.ok(shared / exact.size > 0.9);
    return [
      threshold,
      exact.size,
      sketched.size,
      round(shared / sketched.size, 4),
      round(shared / exact.size, 4),
    ];
  });
  return {
    caption: 'uci-crawl: pairs by sketches of 400 keys against pairs by all shingles, w = 5',
    columns: ['threshold', 'exact pairs', 'sketched pairs', 'precision', 'recall'],
    rows,
  };
}

function pairNames({ pairs, representatives }: Found): Set<number> {
  const name = (i: number) => representatives[pairs.a[i]!]! * 2 ** 20 + representatives[pairs.b[i]!]!;
  return new Set(Array.from(pairs.a, (_, i) => name(i)));
}

/** Pairs of pages in one cluster against pairs in one cluster of the labels, pages of 25 tokens and more. */
function againstLabels(crawl: Crawl): Table {
  const pages = [...crawl.pageOfUrl.values()].filter((page) => crawl.tokenCounts[page]! >= 25);
  const theirs = pages.map((page) => crawl.labels.get(page));
  const rows: (string | number)[][] = [];
  for (const [name, threshold] of [
    ['w = 5, whole', 0.9],
    ['w = 5', 0.9],
    ['w = 10', 0.9],
    ['w = 10', 0.82],
    ['w = 10', 0.5],
    ['mod 25', 0.5],
  ] as const) {
    const found = find(crawl, name, threshold);
    const ours = pages.map((page) => `${found.roots[page]}`);
    const both = ours.map((cluster, i) => (theirs[i] === undefined ? undefined : `${cluster} ${theirs[i]}`));
    const direct = directPairs(crawl, found);
    rows.push([
      name,
      threshold,
      found.pairs.a.length,
      found.candidates,
      round(found.seconds, 1),
      round(clusterPairs(both) / clusterPairs(ours), 4),
      round(clusterPairs(both) / clusterPairs(theirs), 4),
      round(direct.labelled / direct.all, 4),
    ]);
    if (name === 'w = 5')
      assert.ok(clusterPairs(both) / clusterPairs(theirs) > 0.95, 'the labelled copies are found');
  }
  return {
    caption: 'uci-crawl against clusters chained at exact 5-shingle Jaccard .9 (equal pages folded)',
    columns: [
      'sketch',
      'threshold',
      'pairs',
      'candidates',
      'join, s',
      'precision, chained',
      'recall, chained',
      'precision of direct pairs',
    ],
    rows,
  };
}

function directPairs(crawl: Crawl, found: Found, pairs: SharedPairs = found.pairs) {
  let all = 0;
  let labelled = 0;
  for (let i = 0; i < pairs.a.length; i++) {
    const a = found.representatives[pairs.a[i]!]!;
    const b = found.representatives[pairs.b[i]!]!;
    if (Math.min(crawl.tokenCounts[a]!, crawl.tokenCounts[b]!) < 25) continue;
    all++;
    const cluster = crawl.labels.get(a);
    if (cluster !== undefined && cluster === crawl.labels.get(b)) labelled++;
  }
  return { all, labelled };
}

function sameSite(crawl: Crawl): Table {
  const rows: (string | number)[][] = [];
  for (const template of [false, true]) {
    const found = find(crawl, 'w = 10', 0.5);
    const { table } = foldedTable(crawl, 'w = 10');
    const siteOfPage = found.representatives.map((page) => crawl.hostOfPage[page]!);
    const marks = template ? markTemplates(table, siteOfPage, findTemplates(table, siteOfPage)) : null;
    const share = marks === null ? 0 : marks.report.templateEntryCount / table.keys.length;
    const facts = { siteOfPage, simhashes: gather(crawl.simhashes, found.representatives) };
    for (const sameSiteAgreement of [0, 340, 355, 372]) {
      const options = { ...DEFAULT_SHINGLE_JOIN, sameSiteAgreement, sure: 1 };
      const { pairs, report } = checkPairs(table, found.pairs, marks, facts, options);
      const direct = directPairs(crawl, found, pairs);
      rows.push([
        template ? `looked at (${round(100 * share, 1)} % of keys)` : 'as any text',
        sameSiteAgreement,
        report.sameSiteCount,
        report.crossSiteCount,
        report.sameSiteRejectedCount,
        round(direct.labelled / direct.all, 4),
        direct.labelled,
      ]);
    }
  }
  return {
    caption:
      'uci-crawl at .5, w = 10: template shingles by host, and the word simhash as a check on pairs of one host',
    columns: [
      'template',
      'bits to agree',
      'same host',
      'across hosts',
      'rejected',
      'share labelled copies',
      'labelled',
    ],
    rows,
  };
}

function gather(simhashes: Uint32Array, pages: Uint32Array): Uint32Array {
  const found = new Uint32Array(SIMHASH_LANES * pages.length);
  for (const [i, page] of pages.entries()) {
    found.set(simhashes.subarray(SIMHASH_LANES * page, SIMHASH_LANES * (page + 1)), SIMHASH_LANES * i);
  }
  return found;
}

/** How many of the pairs of a join share a super shingle, by resemblance. */
function superShinglesFound(crawl: Crawl): Table {
  const found = find(crawl, 'w = 10', 0.5);
  const sketches = crawl.sketches.get('w = 10')!;
  const sets = Array.from(found.representatives, (page) => new Set(superShingles(sketches[page]!)));
  const bins = new Map<number, { pairs: number; shared: number; without: number }>();
  for (let i = 0; i < found.pairs.a.length; i++) {
    const { shared, ofA, ofB } = found.pairs;
    const value = shared[i]! / (ofA[i]! + ofB[i]! - shared[i]!);
    const floor = Math.floor(Math.min(value, 0.9999) * 20) / 20;
    const bin = bins.get(floor) ?? { pairs: 0, shared: 0, without: 0 };
    const [a, b] = [sets[found.pairs.a[i]!]!, sets[found.pairs.b[i]!]!];
    bin.pairs++;
    if (a.size === 0 || b.size === 0) bin.without++;
    else if (!a.isDisjointFrom(b)) bin.shared++;
    bins.set(floor, bin);
  }
  return {
    caption: 'uci-crawl: pairs that share a super shingle, by resemblance from',
    columns: ['resemblance', 'pairs', 'share found', 'share too short'],
    rows: [...bins]
      .sort(([a], [b]) => a - b)
      .map(([floor, bin]) => [
        floor,
        bin.pairs,
        round(bin.shared / bin.pairs),
        round(bin.without / bin.pairs),
      ]),
  };
}
