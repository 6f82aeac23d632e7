/** One collection in the forms that peers take: sets of elements, and texts a line each. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bag, BagMatrix } from '../../src/features/bag.ts';
import {
  createNearestScratch,
  nearestToBag,
  type PostingSource,
} from '../../src/join/exact/nearest-to-bag.ts';
import { buildPostings } from '../../src/join/exact/postings.ts';
import { weightedJaccard } from '../../src/join/exact/weighted-jaccard.ts';
import { IndexReader } from '../../src/store/read/reader.ts';

/** Queries of a peer whose single query takes seconds. */
const SLOW_QUERIES = 20;
const QUERIES = 300;

export interface PeerCorpus {
  readonly name: string;
  readonly matrix: BagMatrix;
  readonly urls: readonly string[];
  readonly texts: readonly string[];
  /** Pages, each to be taken as a new document. */
  readonly queries: readonly number[];
  /** Of each query, the similarity of its tenth nearest page. */
  readonly tenth: readonly number[];
}

/** The pages of an index with their texts, by URL. */
export function peerCorpus(name: string, indexPath: string, textOf: ReadonlyMap<string, string>): PeerCorpus {
  using reader = IndexReader.open(indexPath);
  const urls = Array.from(reader.pages(), (page) => page.url);
  const matrix = matrixOf(reader);
  const texts = urls.map((url) => textOf.get(url) ?? '');
  const step = urls.length / QUERIES;
  const queries = Array.from({ length: QUERIES }, (_, i) => Math.floor((i + 0.5) * step)).filter(
    (page) => matrix.sums[page]! > 0,
  );
  return { name, matrix, urls, texts, queries, tenth: tenthSimilarities(matrix, queries) };
}

/** The bags of an index. */
export function matrixIn(indexPath: string): BagMatrix {
  using reader = IndexReader.open(indexPath);
  return matrixOf(reader);
}

function matrixOf(reader: IndexReader): BagMatrix {
  const { id } = reader.relation('topic')!;
  const bags: Bag[] = Array.from({ length: reader.pageCount }, (_, page) => reader.bag(id, page));
  const offsets = new Float64Array(bags.length + 1);
  for (const [page, bag] of bags.entries()) offsets[page + 1] = offsets[page]! + bag.features.length;
  const features = new Uint32Array(offsets[bags.length]!);
  const weights = new Uint8Array(features.length);
  let featureCount = 0;
  for (const [page, bag] of bags.entries()) {
    features.set(bag.features, offsets[page]!);
    weights.set(bag.weights, offsets[page]!);
    featureCount = Math.max(featureCount, (bag.features.at(-1) ?? -1) + 1);
  }
  return { offsets, features, weights, sums: Uint16Array.from(bags, (bag) => bag.sum), featureCount };
}

export function bagOf(matrix: BagMatrix, page: number): Bag {
  const [from, to] = [matrix.offsets[page]!, matrix.offsets[page + 1]!];
  return {
    features: matrix.features.subarray(from, to),
    weights: matrix.weights.subarray(from, to),
    sum: matrix.sums[page]!,
  };
}

export function postingSource(matrix: BagMatrix): PostingSource {
  const { blocks, blockPages } = buildPostings(matrix);
  return {
    pageCount: matrix.sums.length,
    blockPages,
    sums: matrix.sums,
    posting(blockId, feature) {
      const { entries, offsets } = blocks[blockId]!;
      return entries.subarray(offsets[feature]!, offsets[feature + 1]!);
    },
  };
}

function tenthSimilarities(matrix: BagMatrix, queries: readonly number[]): number[] {
  const source = postingSource(matrix);
  const scratch = createNearestScratch(source);
  return queries.map((page) => {
    const { ids, shared, total } = nearestToBag(
      bagOf(matrix, page),
      source,
      { k: 10, floor: 0, skip: page },
      scratch,
    );
    return ids.length < 10 ? Number.MIN_VALUE : shared[9]! / total[9]!;
  });
}

/** Share of ten that a list holds of the pages at least as near as the tenth nearest; ties count. */
export function recallAt10(corpus: PeerCorpus, lists: readonly (readonly number[])[]): number {
  let found = 0;
  for (const [i, list] of lists.entries()) {
    const query = bagOf(corpus.matrix, corpus.queries[i]!);
    let near = 0;
    for (const page of list) {
      if (weightedJaccard(query, bagOf(corpus.matrix, page)) >= corpus.tenth[i]!) near++;
    }
    found += Math.min(10, near);
  }
  return found / lists.length / 10;
}

/** Writes offsets.u32, elements.u32, shape.json, texts.txt and queries.txt. */
export function exportCorpus({ matrix, texts, queries }: PeerCorpus, folder: string): void {
  const largest = new Uint8Array(matrix.featureCount);
  for (const [i, feature] of matrix.features.entries()) {
    largest[feature] = Math.max(largest[feature]!, matrix.weights[i]!);
  }
  const firstOf = new Uint32Array(matrix.featureCount);
  for (let f = 1; f < firstOf.length; f++) firstOf[f] = firstOf[f - 1]! + largest[f - 1]!;
  const offsets = new Uint32Array(matrix.sums.length + 1);
  for (const [page, sum] of matrix.sums.entries()) offsets[page + 1] = offsets[page]! + sum;
  const elements = new Uint32Array(offsets.at(-1)!);
  let at = 0;
  for (const [i, feature] of matrix.features.entries()) {
    for (let j = 0; j < matrix.weights[i]!; j++) elements[at++] = firstOf[feature]! + j;
  }
  writeFileSync(join(folder, 'offsets.u32'), offsets);
  writeFileSync(join(folder, 'elements.u32'), elements);
  writeFileSync(join(folder, 'shape.json'), JSON.stringify({ queries, slowQueries: SLOW_QUERIES }));
  writeFileSync(join(folder, 'queries.txt'), queries.join('\n'));
  writeFileSync(join(folder, 'texts.txt'), texts.map((text) => text.replace(/\s+/g, ' ')).join('\n'));
}
