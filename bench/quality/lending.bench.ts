/**
 * Measured   P@1, P@10 and hit@10 of lists over sets of pages to which their ten nearest pages lent words, beside those of today.
 *            Of page a: E(a) = sum over the ten nearest n of J(a, n) X_n, words alone; Y(a) = (1 - b) X_a + b s_a E(a) / |E(a)|, rounded
 *            as bags are; the 32 nearest by J over Y, from all pages and from the lists over X alone; votes over J and H of Y; J of X
 *            of .5 and more first, and the clear winner. `three kept` puts the three nearest by J over X into the first ten.
 * Corpus     Articles, manuals and posts as in the benches wikispeedia, manuals and newsgroups; the 350 news texts of lee50.
 * Notes      Differences are paired by page: the mean and its standard error. Nothing of it is part of akin: docs/methods.md.
 */
import { join } from 'node:path';
import { type Bag, type BagMatrix, bagAt } from '../../src/features/bag.ts';
import { kindOf } from '../../src/features/parts.ts';
import { roundWeights } from '../../src/features/weigh.ts';
import { exactNeighbors } from '../../src/join/exact/exact-neighbors.ts';
import { buildPostings } from '../../src/join/exact/postings.ts';
import { overlap } from '../../src/join/exact/weighted-jaccard.ts';
import { JaccardNearness, WHOLE } from '../../src/join/pairs/nearness.ts';
import { createNeighborTable, type NeighborTable } from '../../src/join/pairs/neighbor-table.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { canonicalUrl } from '../../src/url/canonical-url.ts';
import { type BenchResult, round } from '../bench.ts';
import { buildOne } from '../build-one.ts';
import { dataFile, readTsv, withFolder } from '../corpora/data.ts';
import { cachedJsonl } from '../corpora/jsonl.ts';
import { newsgroupPosts } from '../corpora/newsgroups.ts';
import type { Labels } from './judge.ts';

const LISTED = 32;
const LENDERS = 10;
const VOTERS = 20;
const SELF = 0.3;
const FLOOR = 0.03;
const NEARLY_EQUAL = 0.5;
const CLEAR_WINNER = 1.2;
const KEPT_FIRST = 3;

export async function run(): Promise<BenchResult> {
  const rows: (string | number)[][] = [];
  const cost: (string | number)[][] = [];
  const facts: Record<string, number> = {};
  for (const { name, path, parts, labels } of await readCorpora()) {
    const { urls, matrix, isWord } = await built(path, parts);
    facts[`pages, ${name}`] = urls.length;
    const near = nearest(matrix);
    const judged = judge(urls, labels, (page) => order(matrix, near, matrix, page, near));
    rows.push([name, 'today', ...judged.row]);
    for (const share of [0.05, 0.1, 0.2]) {
      const lent = withLent(matrix, near, isWord, share);
      cost.push([name, share, ...[matrix, lent].map((one) => round(one.features.length / urls.length, 1))]);
      const whole = nearest(lent);
      const started = share === 0.1 ? startedFrom(near, lent) : null;
      if (started !== null) cost.at(-1)!.push(round(recallAt10(whole, started)));
      else cost.at(-1)!.push('');
      const ways: [string, (page: number) => number[]][] = [
        ['all pages searched', (page) => order(lent, whole, matrix, page, near)],
        ...(started === null
          ? []
          : ([
              ['lists and their lists searched', (page) => order(lent, started, matrix, page, near)],
              ['three kept', (page) => threeKept(near, page, order(lent, whole, matrix, page, near))],
              ['votes of half weight', (page) => order(lent, whole, matrix, page, near, 0.5)],
              ["today's pages in the order over Y", (page) => order(lent, near, matrix, page, near)],
            ] satisfies [string, (page: number) => number[]][])),
      ];
      for (const [way, listOf] of ways) {
        rows.push([name, `b = ${share}, ${way}`, ...judge(urls, labels, listOf, judged.figures).row]);
      }
    }
  }
  return {
    corpus: facts,
    tables: [
      {
        caption: 'Lists over lent words',
        columns: [
          ...['corpus', 'list', 'P@1', 'P@10', 'hit@10'],
          ...['P@1 above', 'error', 'P@10 above', 'error', 'hit@10 above', 'error'],
        ],
        rows,
      },
      {
        caption: 'What is stored and found',
        columns: ['corpus', 'b', 'entries a page', 'with lent words', 'recall@10 from lists'],
        rows: cost,
      },
    ],
  };
}

async function readCorpora() {
  const [articles, manuals] = [dataFile('wikispeedia/pages.jsonl.zst'), dataFile('manuals/demo.warc.gz')];
  dataFile('20newsgroups/text-train.tar.zst');
  const posts = await cachedJsonl('newsgroups', newsgroupPosts);
  const ofArticles = readTsv('wikispeedia/labels.tsv', ['url', 'categories']).filter(
    (row) => row.categories !== '',
  );
  const ofManuals = readTsv('manuals/labels.tsv', ['url', 'host', 'section']);
  const ofPosts = readTsv('20newsgroups/labels-train.tsv.zst', ['id']);
  const corpora = [
    {
      name: 'articles',
      path: articles,
      labels: ofArticles.map((row) => [row.url, row.categories.split('|')] as const),
    },
    {
      name: 'manuals',
      path: manuals,
      labels: ofManuals.map((row) => [row.url, [`${row.host} ${row.section}`]] as const),
    },
    {
      ...{ name: 'posts', path: posts, parts: 'content' },
      labels: ofPosts.map(
        ({ id }) => [`http://${id.replace('/', '.example/')}`, [id.split('/')[0]!]] as const,
      ),
    },
  ];
  return corpora.map(({ labels, ...corpus }) => ({
    parts: undefined,
    ...corpus,
    labels: new Map(labels.map(([url, names]) => [canonicalUrl(url)!, new Set<string>(names)])) as Labels,
  }));
}

/** The bags of an index, and of each feature whether it is a word. */
async function built(path: string, parts: string | undefined) {
  return withFolder(async (folder) => {
    const target = join(folder, 'bench.akin');
    await buildOne({ input: { path }, parts, target, copies: false });
    const reader = IndexReader.open(target);
    const { id } = reader.relation('topic')!;
    const urls = Array.from(reader.pages(), ({ url }) => url);
    const bags: Bag[] = urls.map(() => ({
      features: new Uint32Array(0),
      weights: new Uint8Array(0),
      sum: 0,
    }));
    for (const { pageId, bag } of reader.allBags(id))
      bags[pageId] = { features: bag.features.slice(), weights: bag.weights.slice(), sum: bag.sum };
    const featureCount = reader.featureCount(id);
    const isWord = Uint8Array.from({ length: featureCount }, (_, feature) =>
      Number(kindOf(reader.feature(id, feature).part) === 'words'),
    );
    reader.close();
    return { urls, isWord, matrix: matrixOf(bags, featureCount) };
  });
}

function matrixOf(bags: readonly Bag[], featureCount: number): BagMatrix {
  const offsets = new Float64Array(bags.length + 1);
  for (const [page, { features }] of bags.entries()) offsets[page + 1] = offsets[page]! + features.length;
  const features = new Uint32Array(offsets.at(-1)!);
  const weights = new Uint8Array(offsets.at(-1)!);
  for (const [page, bag] of bags.entries()) {
    features.set(bag.features, offsets[page]!);
    weights.set(bag.weights, offsets[page]!);
  }
  return { offsets, features, weights, sums: Uint16Array.from(bags, ({ sum }) => sum), featureCount };
}

function nearest(matrix: BagMatrix): NeighborTable {
  const table = createNeighborTable(matrix.sums.length, LISTED);
  exactNeighbors(matrix, buildPostings(matrix), table, 0, matrix.sums.length, { floor: FLOOR });
  return table;
}

const idsOf = ({ ids, counts, k }: NeighborTable, page: number) =>
  ids.subarray(page * k, page * k + counts[page]!);

function jaccard(a: Bag, b: Bag): number {
  const shared = overlap(a, b);
  return shared === 0 ? 0 : shared / (a.sum + b.sum - shared);
}

function withLent(matrix: BagMatrix, near: NeighborTable, isWord: Uint8Array, share: number): BagMatrix {
  const hashes = Uint32Array.from(isWord, (_, feature) => Math.imul(feature + 1, 0x9e3779b1) >>> 0);
  const bags = Array.from(matrix.sums, (_, page): Bag => {
    const own = bagAt(matrix, page);
    const lent = new Map<number, number>();
    let lentSum = 0;
    for (const id of idsOf(near, page).subarray(0, LENDERS)) {
      const other = bagAt(matrix, id);
      const nearness = jaccard(own, other);
      for (const [i, feature] of other.features.entries()) {
        if (isWord[feature] === 0) continue;
        lent.set(feature, (lent.get(feature) ?? 0) + nearness * other.weights[i]!);
        lentSum += nearness * other.weights[i]!;
      }
    }
    if (lentSum === 0) return own;
    let words = 0;
    for (const [i, feature] of own.features.entries()) if (isWord[feature] === 1) words += own.weights[i]!;
    const mixed = new Map<number, number>();
    for (const [i, feature] of own.features.entries())
      mixed.set(feature, (isWord[feature] === 1 ? 1 - share : 1) * own.weights[i]!);
    for (const [feature, weight] of lent)
      mixed.set(feature, (mixed.get(feature) ?? 0) + (share * words * weight) / lentSum);
    const all = Uint32Array.from(mixed.keys()).sort();
    const out = new Uint8Array(all.length);
    roundWeights(
      Float64Array.from(all, (feature) => mixed.get(feature)!),
      all.map((feature) => hashes[feature]!),
      out,
    );
    const features = all.filter((_, i) => out[i]! > 0);
    const weights = out.filter((weight) => weight > 0);
    return { features, weights, sum: weights.reduce((sum, weight) => sum + weight, 0) };
  });
  return matrixOf(bags, matrix.featureCount);
}

/** The nearest over the lent sets among the pages of each list and those of their lists. */
function startedFrom(near: NeighborTable, lent: BagMatrix): NeighborTable {
  const table = createNeighborTable(near.counts.length, LISTED);
  for (const page of near.counts.keys()) {
    const candidates = new Set<number>();
    for (const id of idsOf(near, page)) {
      candidates.add(id);
      for (const further of idsOf(near, id)) candidates.add(further);
    }
    candidates.delete(page);
    const own = bagAt(lent, page);
    const found = Array.from(candidates, (id) => {
      const shared = overlap(own, bagAt(lent, id));
      return { id, shared, total: own.sum + lent.sums[id]! - shared };
    })
      .filter(({ shared, total }) => shared > 0 && shared >= FLOOR * total)
      .sort((a, b) => b.shared / b.total - a.shared / a.total || a.id - b.id)
      .slice(0, LISTED);
    table.counts[page] = found.length;
    for (const [i, { id, shared, total }] of found.entries()) {
      table.ids[page * LISTED + i] = id;
      table.shared[page * LISTED + i] = shared;
      table.total[page * LISTED + i] = total;
    }
  }
  return table;
}

function recallAt10(whole: NeighborTable, found: NeighborTable): number {
  let [held, wanted] = [0, 0];
  for (const page of whole.counts.keys()) {
    const has = new Set(idsOf(found, page));
    for (const id of idsOf(whole, page).subarray(0, 10)) {
      wanted++;
      if (has.has(id)) held++;
    }
  }
  return held / wanted;
}

const nearnessOfPairs = new WeakMap<BagMatrix, WeakMap<NeighborTable, Float64Array>>();

/** (J + .6 H) / 2 over a matrix of each slot of a table. */
function nearnessIn(matrix: BagMatrix, table: NeighborTable): Float64Array {
  const of = nearnessOfPairs.get(matrix) ?? new WeakMap<NeighborTable, Float64Array>();
  nearnessOfPairs.set(matrix, of);
  const known = of.get(table);
  if (known !== undefined) return known;
  const pair = new JaccardNearness();
  const nearness = new Float64Array(table.ids.length);
  for (const page of table.counts.keys()) {
    const own = bagAt(matrix, page);
    pair.take(own);
    for (const [i, id] of idsOf(table, page).entries()) {
      const other = bagAt(matrix, id);
      nearness[page * table.k + i] = pair.of(other, jaccard(own, other)) / WHOLE;
    }
  }
  of.set(table, nearness);
  return nearness;
}

/** The list of a page by votes over `matrix`; what stays first by the similarity over `plain`. */
function order(
  matrix: BagMatrix,
  table: NeighborTable,
  plain: BagMatrix,
  page: number,
  near: NeighborTable,
  weight = 1,
): number[] {
  const nearness = nearnessIn(matrix, table);
  const list = [...idsOf(table, page)];
  const own = new Map(list.map((id, i) => [id, nearness[page * table.k + i]!]));
  const at = new Map([...own, [page, SELF] as const]);
  const score = new Map(
    list.map((id) => {
      const start = id * table.k;
      let [sum, votes] = [0, 0];
      for (let i = 0; i < Math.min(VOTERS, table.counts[id]!); i++) {
        const similarity = table.shared[start + i]! / table.total[start + i]!;
        sum += similarity;
        votes += similarity * (at.get(table.ids[start + i]!) ?? 0);
      }
      return [id, own.get(id)! + (sum === 0 ? 0 : (weight * votes) / sum)] as const;
    }),
  );
  const first = [...idsOf(near, page)];
  const bag = bagAt(plain, page);
  const similarity = (id: number | undefined) => (id === undefined ? 0 : jaccard(bag, bagAt(plain, id)));
  let still = 0;
  while (similarity(first[still]) >= NEARLY_EQUAL) still++;
  if (still === 0 && first.length > 0 && similarity(first[0]) >= CLEAR_WINNER * similarity(first[1]))
    still = 1;
  const staying = first.slice(0, still);
  const rest = list
    .filter((id) => !staying.includes(id))
    .sort((a, b) => score.get(b)! - score.get(a)! || a - b);
  return [...staying, ...rest];
}

function threeKept(near: NeighborTable, page: number, list: number[]): number[] {
  const three = [...idsOf(near, page).subarray(0, KEPT_FIRST)];
  const ten = list.slice(0, 10);
  const missing = three.filter((id) => !ten.includes(id));
  const dropped = ten
    .filter((id) => !three.includes(id))
    .slice(0, 10 - three.filter((id) => ten.includes(id)).length - missing.length);
  return [...ten.filter((id) => three.includes(id) || dropped.includes(id)), ...missing];
}

type Figures = readonly { readonly p1: number; readonly p10: number; readonly hit: number }[];

function judge(urls: readonly string[], labels: Labels, listOf: (page: number) => number[], base?: Figures) {
  const pages = urls.flatMap((url, page) => (labels.has(url) ? [page] : []));
  const figures = pages.map((page) => {
    const own = labels.get(urls[page]!)!;
    const hits = listOf(page)
      .slice(0, 10)
      .map((id) => [...(labels.get(urls[id]!) ?? [])].some((label) => own.has(label)));
    const count = hits.filter(Boolean).length;
    return { p1: Number(hits[0] ?? false), p10: count / 10, hit: Number(count > 0) };
  });
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const keys = ['p1', 'p10', 'hit'] as const;
  const gains =
    base === undefined
      ? []
      : keys.flatMap((key) => {
          const differences = figures.map((one, i) => one[key] - base[i]![key]);
          const average = mean(differences);
          return [
            round(average, 4),
            round(Math.sqrt(mean(differences.map((one) => (one - average) ** 2)) / pages.length), 4),
          ];
        });
  return {
    figures,
    row: [
      ...keys.map((key) => round(mean(figures.map((one) => one[key])))),
      ...(base === undefined ? Array(6).fill('') : gains),
    ],
  };
}
