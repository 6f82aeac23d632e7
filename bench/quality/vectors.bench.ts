/**
 * Measured   P@1, P@10 and hit@10 of lists by vectors (by=meaning), beside those by topic, and of one list of both
 *            (--meaning-share l), as a build makes it: by the code of it that akin tune runs. What vectors cost: a build, bytes, a search.
 * Corpus     Articles, manuals and posts as in the benches wikispeedia, manuals and newsgroups, with their labels. Vectors are 100
 *            components of latent semantic analysis: of the pages themselves; of another collection, as a model that was
 *            trained on other texts; and drawn by lot, as a model that knows nothing.
 * Notes      Differences are paired by page: the mean and its standard error.
 */
import { join } from 'node:path';
import type { Bag, BagMatrix } from '../../src/features/bag.ts';
import { blendedLists, rowVectors } from '../../src/indexer/tune/blended-lists.ts';
import { nearestToVector } from '../../src/join/vectors/nearest-to-vector.ts';
import { Random } from '../../src/lib/random.ts';
import { decodeBody } from '../../src/page/decode.ts';
import { MEANING } from '../../src/relations/meaning.ts';
import { openSource } from '../../src/sources/open-source.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { StoredBags } from '../../src/store/read/stored/stored-bags.ts';
import { VECTOR_BLOCK_PAGES } from '../../src/store/read/vector-reader.ts';
import { canonicalUrl } from '../../src/url/canonical-url.ts';
import { type BenchResult, round } from '../bench.ts';
import { buildOne } from '../build-one.ts';
import { withFolder } from '../corpora/data.ts';
import { writeJsonl } from '../corpora/jsonl.ts';
import { trainLsa } from './lsa.ts';
import { type LabelledPages, threeCorpora } from './three-corpora.ts';
import { wordsOfPages } from './words-of-pages.ts';

const DIMENSIONS = 100;
const LISTED = 32;
const SHARES = [0.15, 0.3, 0.5];
const ASKED = 200;

type Words = Awaited<ReturnType<typeof wordsOfPages>>;
type Encode = (url: string, words: ReadonlyMap<string, number>) => Float32Array;

interface Corpus extends LabelledPages {
  readonly words: Words;
}

export async function run(): Promise<BenchResult> {
  const corpora = await readCorpora();
  const rows: (string | number)[][] = [];
  const costs: (string | number)[][] = [];
  const facts: Record<string, number> = {};
  for (const [i, corpus] of corpora.entries()) {
    facts[`pages, ${corpus.name}`] = corpus.words.size;
    const other = corpora[(i + 1) % corpora.length]!;
    const own = trainLsa([...corpus.words.values()], DIMENSIONS);
    const foreign = trainLsa([...other.words.values()], DIMENSIONS);
    const ways: readonly (readonly [string, Encode])[] = [
      ['of the pages', (_, words) => own(words)],
      [`of ${other.name}`, (_, words) => foreign(words)],
      ['by lot', byLot(new Random(7))],
    ];
    const plain = await built(corpus, null);
    costs.push([corpus.name, 'none', ...plain.cost, '']);
    for (const [way, encode] of ways) {
      const { lists, cost, searchUs } = await built(corpus, encode);
      if (way === 'of the pages')
        costs.push([corpus.name, `${DIMENSIONS} a page`, ...cost, round(searchUs, 0)]);
      rows.push(...judged(corpus, way, lists!));
    }
  }
  return {
    corpus: facts,
    tables: [
      {
        caption: 'Lists by topic, by vectors, and by both',
        columns: [
          ...['corpus', 'vectors', 'list', 'P@1', 'P@10', 'hit@10'],
          ...['P@10 above by topic', 'standard error', 'hit@10 above', 'standard error'],
        ],
        rows,
      },
      {
        caption: 'Cost',
        columns: [
          'corpus',
          'vectors',
          'processor s of a build',
          'of these for vectors',
          'index bytes a page',
          'µs a search',
        ],
        rows: costs,
      },
    ],
  };
}

async function readCorpora(): Promise<Corpus[]> {
  const corpora = await threeCorpora();
  return Promise.all(corpora.map(async (corpus) => ({ ...corpus, words: await wordsOfPages(corpus.path) })));
}

function byLot(random: Random): Encode {
  const draw = () =>
    Array.from({ length: 6 }, () => random.below(2 ** 20) / 2 ** 20).reduce((a, b) => a + b, -3);
  return () => Float32Array.from({ length: DIMENSIONS }, draw);
}

/** The pages again as lines of JSON, with vectors. */
async function* records({ path, words }: Corpus, encode: Encode | null) {
  const source = await openSource(path, { maxPageBytes: 10 * 2 ** 20, baseUrl: null, format: null });
  for await (const item of source.items()) {
    if (item.kind === 'fault') continue;
    const decoded = decodeBody(item.body, item.charset);
    const own = words.get(canonicalUrl(item.url) ?? '');
    if (decoded === null || own === undefined) continue;
    const vector = encode?.(item.url, own);
    const isKnown = vector?.some((component) => component !== 0) === true;
    yield {
      url: item.url,
      [item.mediaType === 'text/plain' ? 'text' : 'html']: decoded.text,
      ...(isKnown && { vectors: { lsa: Buffer.from(vector.buffer).toString('base64') } }),
    };
  }
}

interface Lists {
  readonly urls: readonly string[];
  /** Of each page, best first: by votes, by vectors, by both with each share. */
  readonly byTopic: ReadonlyMap<number, ArrayLike<number>>;
  readonly byVectors: ReadonlyMap<number, ArrayLike<number>>;
  readonly byBoth: readonly ReadonlyMap<number, ArrayLike<number>>[];
}

async function built(corpus: Corpus, encode: Encode | null) {
  return withFolder(async (folder) => {
    const path = join(folder, 'pages.jsonl');
    await writeJsonl(path, records(corpus, encode));
    const target = join(folder, 'bench.akin');
    const report = await buildOne({ input: { path }, parts: corpus.parts, target });
    const processorMs = (name?: string) =>
      report.stages.reduce(
        (sum, stage) => sum + (name === undefined || stage.name === name ? stage.processorMs : 0),
        0,
      );
    const cost = [
      round(processorMs() / 1000, 1),
      round(processorMs('vectors') / 1000, 1),
      Math.round(report.indexBytes / report.pageCount),
    ];
    using reader = IndexReader.open(target);
    return encode === null
      ? { cost, lists: null, searchUs: 0 }
      : { cost, lists: listsOf(reader), searchUs: searchUs(reader) };
  });
}

/** Processor time of a search over all vectors, in µs. */
function searchUs(reader: IndexReader): number {
  const asked = [...reader.allNeighbors(MEANING.id)]
    .slice(0, ASKED)
    .map(({ pageId }) => reader.vectors.get(MEANING.id, pageId).slice());
  const start = process.cpuUsage();
  for (const vector of asked) {
    const blocks = reader.vectors.blocks(MEANING.id, DIMENSIONS);
    nearestToVector(blocks, { vector, count: LISTED, blockPages: VECTOR_BLOCK_PAGES, accept: () => true });
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / asked.length;
}

function listsOf(reader: IndexReader): Lists {
  const { id: topic, neighborLimit, floor } = reader.relation('topic')!;
  const urls = Array.from(reader.pages(), ({ url }) => url);
  const listed = (relation: number) =>
    new Map([...reader.allNeighbors(relation)].map(({ pageId, list }) => [pageId, list.ids]));
  const [byTopic, byVectors] = [listed(topic), listed(MEANING.id)];
  const vectors = rowVectors(
    urls.map((_, page) => reader.vectors.get(MEANING.id, page).slice()),
    DIMENSIONS,
    1,
  )!;
  const bags = new StoredBags(reader, topic);
  const matrix = joinBags(
    urls.map((_, page) => bags.of(page)),
    reader.featureCount(topic),
  );
  const byBoth = SHARES.map((share) => {
    const { votes } = blendedLists(matrix, { pageCount: urls.length, neighborLimit, floor }, vectors, share);
    const listOf = (page: number) => votes.ids.subarray(page * votes.k, page * votes.k + votes.counts[page]!);
    return new Map(urls.map((_, page) => [page, listOf(page)]));
  });
  return { urls, byTopic, byVectors, byBoth };
}

/** Bags of pages 0, 1, ... as one matrix. */
function joinBags(bags: readonly Bag[], featureCount: number): BagMatrix {
  const offsets = new Float64Array(bags.length + 1);
  for (const [page, { features }] of bags.entries()) offsets[page + 1] = offsets[page]! + features.length;
  const features = new Uint32Array(offsets[bags.length]!);
  const weights = new Uint8Array(offsets[bags.length]!);
  for (const [page, bag] of bags.entries()) {
    features.set(bag.features, offsets[page]);
    weights.set(bag.weights, offsets[page]);
  }
  return { offsets, features, weights, sums: Uint16Array.from(bags, ({ sum }) => sum), featureCount };
}

function judged({ name, labels }: Corpus, way: string, { urls, byTopic, byVectors, byBoth }: Lists) {
  const pages = urls.flatMap((url, page) => (labels.has(url) ? [page] : []));
  const figuresOf = (lists: ReadonlyMap<number, ArrayLike<number>>) =>
    pages.map((page) => {
      const own = labels.get(urls[page]!)!;
      const ten = Array.from(lists.get(page) ?? []).slice(0, 10);
      const hits = ten.map((id) => [...(labels.get(urls[id]!) ?? [])].some((label) => own.has(label)));
      const count = hits.filter(Boolean).length;
      return { p1: Number(hits[0] ?? false), p10: count / 10, hit: Number(count > 0) };
    });
  const base = figuresOf(byTopic);
  const row = (list: string, lists: ReadonlyMap<number, ArrayLike<number>>) => {
    const figures = figuresOf(lists);
    const mean = (of: (at: number) => number) => pages.reduce((sum, _, at) => sum + of(at), 0) / pages.length;
    const gain = (key: 'p10' | 'hit') => {
      const difference = (at: number) => figures[at]![key] - base[at]![key];
      const average = mean(difference);
      return [
        round(average, 4),
        round(Math.sqrt(mean((at) => (difference(at) - average) ** 2) / pages.length), 4),
      ];
    };
    const [p1, p10, hit] = (['p1', 'p10', 'hit'] as const).map((key) =>
      round(mean((at) => figures[at]![key])),
    );
    return [name, way, list, p1!, p10!, hit!, ...gain('p10'), ...gain('hit')];
  };
  return [
    ...(way === 'of the pages' ? [row('by topic', byTopic)] : []),
    row('by meaning', byVectors),
    ...SHARES.map((share, i) => row(`both, l = ${share}`, byBoth[i]!)),
  ];
}
