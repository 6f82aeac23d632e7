/** A seeded index of any size for serving benches, written without building: `test/generated-bags.ts` with URLs, titles and lists. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { BagMatrix } from '../src/features/bag.ts';
import { copyParameters } from '../src/indexer/options/copy-parameters.ts';
import { writeBags, writePostings } from '../src/indexer/write/write-index.ts';
import { Random } from '../src/lib/random.ts';
import { COPY_NEIGHBOR_LIMIT } from '../src/relations/copy.ts';
import { sketchText } from '../src/sketch/shingle-sketch.ts';
import { encodeKeys } from '../src/store/blobs/sketch-blobs.ts';
import { IndexWriter } from '../src/store/write/writer.ts';
import { generateBags } from '../test/generated-bags.ts';

const NEIGHBORS = 32;
const SITES = 1000;
const CAPTURE = {
  sweepId: 1,
  fetchedAtMs: 0,
  mediaType: 'text/html',
  charset: 'utf-8',
  bodyBytes: 12_000,
  textDigest: new Uint8Array(8),
  versionId: null,
};
/** Pages whose wording is in the index, for POST /group; every fourth is a near copy of the one before. */
export const WORDED_PAGES = 1000;
const WORDS_OF_PAGE = 600;
/** Of the default profile. */
const WEIGHT_SUM = 800;

interface ServingOrder {
  readonly path: string;
  readonly pageCount: number;
  readonly seed: number;
  readonly textCount: number;
}

/**
 * Writes the index in a process of its own, so that the caller's memory stays the server's; returns texts for
 * POST /similar, two thirds of their words from one page, a third from another. Cost  about 80 µs a page.
 */
export function writeServingIndex(order: ServingOrder): Promise<string[]> {
  const child = fork(fileURLToPath(import.meta.url));
  return new Promise((resolve, reject) => {
    child.once('message', (texts) => resolve(texts as string[]));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the index was not written: exit code ${code}`)));
    child.send(order);
  });
}

/** URL of a page of the index. */
export function servingUrl(page: number, pageCount: number): string {
  return `https://www.${siteName(siteOf(page, pageCount))}/articles/2026/${String(page).padStart(8, '0')}-what-follows.html`;
}

function write({ path, pageCount, seed, textCount }: ServingOrder): string[] {
  const matrix = generateBags({ pageCount, seed, weightSum: WEIGHT_SUM });
  const writer = new IndexWriter(path);
  writer.parameter('recipe', { parts: { content: 1 }, total: WEIGHT_SUM, tf: 'pow75', idf: 'plain' });
  writer.parameter('stop_words', []);
  writer.parameter('cluster_similarity', 0.2);
  for (let site = 0; site < SITES; site++) writer.site(site, siteName(site));
  writer.relation({
    id: 1,
    name: 'topic',
    profile: 'akin',
    measure: 'exact',
    neighborLimit: NEIGHBORS,
    floor: 0.03,
    rank: 'similarity',
    kernel: null,
  });
  writer.sweep({ id: 1, name: 'bench', recordCount: pageCount, startedAtMs: 0 });
  writer.part(1, 'content', pageCount);
  writeVersions(writer, new Random(seed + 1));
  for (let page = 0; page < pageCount; page++) {
    const title = `Page ${page} about ${wordOf(page % 5000)} and "what follows" from it`;
    const counts = { wordCount: 500, inLinkCount: 0, outLinkCount: 0 };
    const siteId = siteOf(page, pageCount);
    writer.page({
      id: page,
      url: servingUrl(page, pageCount),
      siteId,
      title,
      lang: 'en',
      fetched: true,
      sweepId: 1,
      ...counts,
    });
    writer.capture({ ...CAPTURE, pageId: page, versionId: page < WORDED_PAGES ? page : null });
  }
  for (const [id, count] of frequencies(matrix).entries()) {
    const term = wordOf(id);
    writer.feature(1, { id, part: 'content', stem: term, term, pageCount: count });
  }
  writeBags(writer, 1, matrix);
  writePostings(writer, 1, matrix, 2 ** 30);
  const random = new Random(seed);
  for (let page = 0; page < pageCount; page++) writer.neighbors(1, page, drawNeighbors(random, page, matrix));
  writer.finish(0, 'bench');
  return Array.from({ length: textCount }, () => {
    const words = wordsOf(matrix, random.below(pageCount));
    return [...words, ...words, ...wordsOf(matrix, random.below(pageCount))].join(' ');
  });
}

/** The wordings, and a relation of copies without a list. */
function writeVersions(writer: IndexWriter, random: Random): void {
  const parameters = copyParameters({
    copyProfile: 'akin',
    copyJoin: 'shingles',
    copySimilarity: 0.5,
    copyClusterings: [],
    shingleSize: 10,
    sameSiteBits: 0,
    templateFilter: false,
    keepText: false,
  });
  writer.parameter('copy', parameters);
  writer.relation({
    id: 2,
    name: 'copy',
    profile: parameters.profile,
    measure: 'estimate',
    neighborLimit: COPY_NEIGHBOR_LIMIT,
    floor: parameters.threshold,
    rank: 'similarity',
    kernel: null,
  });
  let words: string[] = [];
  for (let id = 0; id < WORDED_PAGES; id++) {
    if (id % 4 === 3) words[random.below(WORDS_OF_PAGE)] = 'changed';
    else words = Array.from({ length: WORDS_OF_PAGE }, () => wordOf(random.below(20_000)));
    const { keys, limit, shingleCount } = sketchText(words.join(' '));
    const digest = new Uint8Array(8);
    new DataView(digest.buffer).setUint32(0, id);
    const digests = { textDigest: digest, tokenDigest: digest, shingleDigest: digest };
    writer.version({
      id,
      ...digests,
      tokenCount: WORDS_OF_PAGE,
      shingleCount,
      limit,
      keys: encodeKeys(keys),
    });
  }
}

function siteOf(page: number, pageCount: number): number {
  return Math.floor((page * SITES) / pageCount);
}

function siteName(site: number): string {
  return `site${String(site).padStart(4, '0')}.example`;
}

/** Letters alone, as words are, and no two of one stem. */
function wordOf(n: number): string {
  let word = '';
  for (let rest = n + 1; rest > 0; rest = Math.floor(rest / 20)) word += 'bcdfghjklmnpqrstvwxz'[rest % 20];
  return `q${word}q`;
}

function wordsOf(matrix: BagMatrix, page: number): string[] {
  return Array.from(matrix.features.subarray(matrix.offsets[page]!, matrix.offsets[page + 1]!), wordOf);
}

function frequencies(matrix: BagMatrix): Uint32Array {
  const counts = new Uint32Array(matrix.featureCount);
  for (const feature of matrix.features) counts[feature]!++;
  return counts;
}

/** Other pages, anywhere, with figures that fall as a real list does. */
function drawNeighbors(random: Random, page: number, { sums }: BagMatrix) {
  const ids = new Set<number>();
  while (ids.size < NEIGHBORS) {
    const other = random.below(sums.length);
    if (other !== page) ids.add(other);
  }
  const shared = Uint16Array.from({ length: NEIGHBORS }, () => 80 + random.below(300))
    .sort()
    .reverse();
  const list = Uint32Array.from(ids);
  return { ids: list, shared, total: shared.map((overlap, i) => sums[page]! + sums[list[i]!]! - overlap) };
}

if (process.send !== undefined && import.meta.main) {
  process.once('message', (order) => {
    process.send!(write(order as ServingOrder), () => process.disconnect());
  });
}
