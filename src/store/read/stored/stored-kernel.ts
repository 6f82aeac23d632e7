/** The kernel of an index (relations/kernels.ts), from what the index has. */
import { CorruptError } from '../../../errors.ts';
import type { BagMatrix } from '../../../features/bag.ts';
import { type Bm25Facts, Bm25Nearness, Bm25Queries } from '../../../join/bm25/bm25.ts';
import { Bm25Search } from '../../../join/bm25/bm25-search.ts';
import { countBags } from '../../../join/bm25/counted-bags.ts';
import { wordFeatures } from '../../../join/bm25/word-features.ts';
import { JaccardNearness, type PairNearness } from '../../../join/pairs/nearness.ts';
import { Uint32List } from '../../../lib/columns/uint32-list.ts';
import type { RelationRecord } from '../../records.ts';
import type { IndexReader } from '../reader.ts';

/** How near pages are by the kernel of a relation. */
export function storedPair(reader: IndexReader, { id, kernel }: RelationRecord): PairNearness {
  return kernel === 'bm25' ? new Bm25Nearness(bm25Facts(reader, id)) : new JaccardNearness();
}

/** Finds pages by BM25. */
export interface StoredBm25 {
  readonly queries: Bm25Queries;
  readonly search: Bm25Search;
}

/** Cost  reads all bags, some 40 µs a page. Memory  9 bytes an entry of them, 16 a page, 21 a feature. */
export function openBm25(reader: IndexReader, relationId: number): StoredBm25 {
  const facts = bm25Facts(reader, relationId);
  const bags = countBags(storedBags(reader, relationId), facts.features);
  return { queries: new Bm25Queries(facts), search: new Bm25Search(facts, bags) };
}

/** Cost  reads all features. Errors  CorruptError where the index does not say how long its pages are. */
export function bm25Facts(reader: IndexReader, relationId: number): Bm25Facts {
  const meanLength = meanLengthOf(reader);
  const featureCount = reader.featureCount(relationId);
  const partPageCounts = new Map(reader.parts(relationId).map(({ name, pageCount }) => [name, pageCount]));
  const partPageCount = (part: string) => partPageCounts.get(part) ?? 0;
  return {
    features: wordFeatures(featureCount, reader.allFeatures(relationId), partPageCount),
    meanLength,
  };
}

function meanLengthOf(reader: IndexReader): number {
  const { mean_length: stored } = reader.card().parameters;
  if (typeof stored === 'number' && stored > 0) return stored;
  throw new CorruptError('AKIN_ERR_INDEX_CORRUPT', `${reader.path} does not say how long its pages are`, {
    hint: 'build the index again from its source',
  });
}

function storedBags(reader: IndexReader, relationId: number): BagMatrix {
  const features = new Uint32List();
  const weights = new Uint32List();
  const offsets = new Float64Array(reader.pageCount + 1);
  for (const { pageId, bag } of reader.allBags(relationId)) {
    for (const [i, feature] of bag.features.entries()) {
      features.push(feature);
      weights.push(bag.weights[i]!);
    }
    offsets[pageId + 1] = features.length;
  }
  // Pages without a bag end where the page before them does.
  for (let page = 0; page < reader.pageCount; page++) {
    offsets[page + 1] = Math.max(offsets[page + 1]!, offsets[page]!);
  }
  return {
    offsets,
    features: features.toArray(),
    weights: Uint8Array.from(weights.toArray()),
    sums: reader.bagSums(relationId),
    featureCount: reader.featureCount(relationId),
  };
}
