/** One index file that is open, and what is kept of it in memory for as long as it is served. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CorruptError } from '../../../errors.ts';
import type { Bag } from '../../../features/bag.ts';
import { unpackFeatures } from '../../../features/own-features.ts';
import { type Reach, reachOfBag } from '../../../join/exact/reach.ts';
import { LENDERS } from '../../../join/lend/lent-bags.ts';
import type { FeatureSearch } from '../../../join/own/feature-search.ts';
import { featureSetOf } from '../../../join/own/feature-sets.ts';
import { allOf } from '../../../join/pairs/neighbor-span.ts';
import { type NeighborList, similarities } from '../../../join/pairs/neighbor-table.ts';
import { filterOf } from '../../../join/printed/extract-similar-pairs.ts';
import { pairsOfPage } from '../../../join/printed/pairs-of-page.ts';
import { nearestToVector } from '../../../join/vectors/nearest-to-vector.ts';
import { cutText } from '../../../lib/cut-text.ts';
import { keptIn } from '../../../lib/kept.ts';
import { candidatesBy } from '../../../relations/kernels.ts';
import { findStoredRelation } from '../../../relations/relations.ts';
import { chooseBands, type SignatureShape } from '../../../sketch/lsh-signature.ts';
import { IndexReader } from '../../../store/read/reader.ts';
import { VECTOR_BLOCK_PAGES } from '../../../store/read/vector-reader.ts';
import type { FeatureRecord, IndexCard, RelationRecord } from '../../../store/records.ts';
import { LEAST_PAGES_FOR_THREAD, Snapshot } from '../../snapshot/snapshot.ts';
import type { Accept } from '../accept.ts';
import { type FactsRecord, IndexFacts } from '../facts.ts';
import { Found } from '../found.ts';
import { LinkHolder } from '../link-holder.ts';
import type { NearestQuery, NearestVectorsQuery } from '../read-table.ts';
import { RecentCache } from '../recent-cache.ts';
import { searchBags, searchUs } from './bag-search.ts';
import { KernelSearch } from './kernel-search.ts';
import { loadLinks } from './link-loading.ts';
import { OWN_FEATURES_US, openOwnFeatures } from './own-feature-search.ts';
import { type PageIds, wholeIds } from './page-ids.ts';
import { openPostings, type Postings } from './posting-cache.ts';

const POSTING_CACHE_BYTES = 64 * 1024 * 1024;

/** Searches of 1.5 ms, on a crawl of 120,000 pages, take 2.2 in the quick way; of 3.3, on documentation, 1.2. */
const EXACT_SEARCH_US = 2_000;

export interface OpenOptions {
  /**
   * Read into memory what look-ups need before it is open; `later` opens a large one before, and answers from the file until then;
   * false does so for good. Default true.
   */
  readonly preload?: boolean | 'later';
  /** Work of the longest search that is exact without being asked for, see exactSearchUs(). Default 2,000. */
  readonly exactSearchUs?: number;
}

/** A search by own features that were read: some lists of sets, each compared. */
const FEATURE_SEARCH_US = 200;

type PairSearch = (pageId: number, count: number, accept: Accept | null) => NeighborList;

/** Measured on one core of 2026: to read a vector and compare it, and of each of its components. */
const VECTOR_US = 0.4;
const COMPONENT_US = 0.001;

const FEATURE_CACHE_BYTES = 8 * 2 ** 20;
/** Of a row in the cache: an object and two or three short texts. */
const FEATURE_BYTES = 200;

export class OpenFile {
  readonly reader: IndexReader;
  readonly record: FactsRecord;
  readonly facts: IndexFacts;
  readonly links: LinkHolder;
  readonly found = new Found();
  /** Rows that were read lately, of the one relation that has features: what explains lists asks for the same again and again. */
  readonly features = new RecentCache<number, FeatureRecord>(FEATURE_CACHE_BYTES, () => FEATURE_BYTES);
  /** Resolves when all that is to be in memory is there. Errors  CorruptError where it cannot be read. */
  whole: Promise<void> = Promise.resolve();
  /** What was found damaged while it was read into memory; null where nothing was, so far. */
  damage: CorruptError | null = null;
  readonly #exactSearchUs: number;
  readonly #closing = new AbortController();
  #isLoading = false;
  #snapshot: Snapshot | null = null;
  readonly #postings = new Map<number, Postings>();
  #kernel: KernelSearch | null = null;
  #pairs: PairSearch | null = null;
  #least: Float32Array | null = null;
  #ownFeatures: FeatureSearch | null = null;
  #wholeIds: PageIds | null = null;

  private constructor(reader: IndexReader, record: FactsRecord, exactSearchUs: number) {
    this.reader = reader;
    this.record = record;
    this.facts = new IndexFacts(record);
    this.links = new LinkHolder(() => loadLinks(reader));
    this.#exactSearchUs = exactSearchUs;
  }

  /** Errors  those of `IndexReader.open`. */
  static async open(
    path: string,
    { preload = true, exactSearchUs = EXACT_SEARCH_US }: OpenOptions = {},
    leastPagesForThread = LEAST_PAGES_FOR_THREAD,
  ): Promise<OpenFile> {
    const reader = IndexReader.open(path);
    try {
      // Each takes milliseconds; where an index takes the place of another, requests have their turn in between.
      await nextTurn();
      const card = reader.card();
      requirePrintable(path, card);
      const record: FactsRecord = {
        card,
        sweeps: reader.sweeps(),
        versionCount: reader.versions.count,
        hasSearch: reader.search.isKept,
        hasLinks: reader.hasLinks(),
        pageCount: reader.pageCount,
        ownPageCount: reader.ownPageCount,
        shard: reader.shard,
      };
      const file = new OpenFile(reader, record, exactSearchUs);
      await nextTurn();
      if (preload === false) return file;
      file.whole = file.#load(card, leastPagesForThread);
      if (preload === true || reader.pageCount < leastPagesForThread) await file.whole;
      return file;
    } catch (error) {
      reader.close();
      throw error;
    }
  }

  /** Null where all is read from the file: for good, or so far. */
  get snapshot(): Snapshot | null {
    return this.#snapshot;
  }

  async #load(card: IndexCard, leastPagesForThread: number): Promise<void> {
    const { signal } = this.#closing;
    this.#isLoading = true;
    try {
      this.#snapshot = await Snapshot.load(this.reader, card, leastPagesForThread, signal);
    } catch (error) {
      // What is closed needs none.
      if (signal.aborted) return;
      if (error instanceof CorruptError) this.damage = error;
      throw error;
    } finally {
      this.#isLoading = false;
      if (signal.aborted) this.#end();
    }
  }

  /** Of a shard, those of the index that was split. */
  get wholeIds(): PageIds {
    return (this.#wholeIds ??= wholeIds(this.reader));
  }

  /** The `count` first of a list, or more of it; with all comes how near they are, which no snapshot has. */
  neighbors(relationId: number, pageId: number, count: number): NeighborList {
    const { snapshot, reader } = this;
    const from = snapshot === null || count === Number.POSITIVE_INFINITY ? reader : snapshot;
    return from.neighbors(relationId, pageId, count);
  }

  /** What `nearest` takes, about. */
  nearestUs(query: Pick<NearestQuery, 'relationId' | 'bag' | 'features' | 'count' | 'by' | 'exact'>): number {
    if (query.features !== undefined) {
      return this.#ownFeatures === null ? this.facts.pageCount * OWN_FEATURES_US : FEATURE_SEARCH_US;
    }
    const postings = this.#postingsOf(query.relationId);
    const relation = this.#relation(query.relationId);
    if (candidatesBy(relation, query.by) === 'nearness') {
      return this.#kernelOf(relation).nearestUs(query.bag, postings.frequency);
    }
    return searchUs(postings, query, this.#exactSearchUs);
  }

  #relation(id: number): RelationRecord {
    return this.facts.card.relations.find((relation) => relation.id === id)!;
  }

  /** There is one relation with a kernel. */
  #kernelOf(relation: RelationRecord): KernelSearch {
    return (this.#kernel ??= new KernelSearch(this.reader, relation));
  }

  /** The nearest pages at or above the floor of the relation; ties by page id. */
  nearest(query: Omit<NearestQuery, 'filter'>, accept: Accept | null): NeighborList {
    const { relationId, features, isRated, by } = query;
    const relation = this.#relation(relationId);
    const { floor } = relation;
    if (features !== undefined) {
      this.#ownFeatures ??= openOwnFeatures(this.reader);
      const own = featureSetOf(unpackFeatures(features));
      return this.#ownFeatures.nearest({ ...query, own, threshold: floor, accept });
    }
    if (candidatesBy(relation, by) === 'nearness') return this.#kernelOf(relation).nearest(query, accept);
    const found = searchBags(this.#postingsOf(relationId), { ...query, floor, accept }, this.#exactSearchUs);
    return isRated ? this.#kernelOf(relation).rated(query.bag, found) : found;
  }

  /** What `nearestVectors` takes, about: all vectors of the name are read. */
  nearestVectorsUs({ vector }: Pick<NearestVectorsQuery, 'vector'>): number {
    return this.facts.ownPageCount * (VECTOR_US + COMPONENT_US * vector.length);
  }

  /** The nearest pages that have a vector of this length; ties by page id. */
  nearestVectors(
    { relationId, vector, count, skip }: Omit<NearestVectorsQuery, 'filter'>,
    accept: Accept | null,
  ): NeighborList {
    return nearestToVector(this.reader.vectors.blocks(relationId, vector.length), {
      vector,
      // A cursor may ask for any number.
      count: Math.min(count, this.facts.ownPageCount),
      blockPages: VECTOR_BLOCK_PAGES,
      accept: (page) => page !== skip && (accept === null || accept(page)),
    });
  }

  /**
   * How a new page meets those of the index; exact at any size.
   *
   * @param skip the page whose place it takes; -1 for none.
   */
  reach(relation: RelationRecord, bag: Bag, skip: number): Reach {
    if (candidatesBy(relation) === 'nearness') return this.#kernelOf(relation).reach(bag, skip);
    const { source, scratch } = this.#postingsOf(relation.id);
    const least = (this.#least ??= leastSimilarities(this.reader, relation, this.facts));
    const { neighborLimit: k, floor } = relation;
    const { nearest, reached } = reachOfBag(bag, source, { k, floor, skip, least }, scratch);
    const kernel = this.#kernelOf(relation);
    return { nearest: kernel.rated(bag, nearest), reached: kernel.rated(bag, reached) };
  }

  #postingsOf(relationId: number): Postings {
    return keptIn(this.#postings, relationId, () =>
      openPostings(this.reader, relationId, POSTING_CACHE_BYTES),
    );
  }

  /** The `count` nearest of the printed pairs of a page. Cost  one look at the signature of each page. */
  printed(relationId: number, pageId: number, count: number, accept: Accept | null): NeighborList {
    this.#pairs ??= this.#openPairs(relationId);
    return this.#pairs(pageId, count, accept);
  }

  #openPairs(relationId: number): PairSearch {
    const { signature, seed, filter_bytes, filter_values } = this.facts.card.parameters as {
      signature: SignatureShape;
      seed: number;
      filter_bytes: 1 | 3;
      filter_values: number;
    };
    const signatures = this.reader.signatures(relationId);
    const choice = chooseBands(signature.m, signature.k, signature.l, seed);
    const filter = filterOf(signatures, signature.m, {
      leastAgreement: this.facts.card.relations.find(({ id }) => id === relationId)!.floor,
      bytesPerValue: filter_bytes,
      valuesCompared: filter_values,
    });
    return (pageId, count, accept) => pairsOfPage(signatures, choice, filter, pageId, count, accept);
  }

  close(): void {
    this.#closing.abort();
    // What still reads ends first.
    if (!this.#isLoading) this.#end();
    this.#postings.clear();
    this.#kernel = null;
    this.#ownFeatures = null;
    this.#pairs = null;
    this.links.drop();
  }

  #end(): void {
    this.reader.close();
    this.#snapshot?.close();
  }
}

/** Of each list that is full the last similarity; 0 of any other. Cost  4 us a page. */
function leastSimilarities(
  reader: IndexReader,
  { id, neighborLimit }: RelationRecord,
  { blend, lendShare }: IndexFacts,
): Float32Array {
  const least = new Float32Array(reader.pageCount);
  // Such lists are searched with what waits (live/blended-lists.ts).
  if (blend !== null) return least.fill(Number.POSITIVE_INFINITY);
  const place = lendShare > 0 ? LENDERS : neighborLimit;
  for (const { pageId, list } of reader.allNeighbors(id)) {
    if (list.ids.length < neighborLimit) continue;
    const near = similarities(allOf(list)).sort();
    least[pageId] = near[near.length - Math.min(place, near.length)]!;
  }
  return least;
}

/** What goes into headers and answers as it is. Errors  CorruptError AKIN_ERR_INDEX_CORRUPT. */
function requirePrintable(path: string, { generation, relations }: IndexCard): void {
  const names = relations.map(({ name }) => name as string);
  const unknown = names.find((name) => findStoredRelation(name) === undefined);
  if (/^[0-9A-Za-z_-]{16,64}$/.test(generation) && unknown === undefined) return;
  const what =
    unknown === undefined
      ? `a generation "${cutText(generation, 100)}"`
      : `a relation "${cutText(unknown, 100)}"`;
  throw new CorruptError('AKIN_ERR_INDEX_CORRUPT', `${path} has ${what}, which no build writes`, {
    hint: 'build it again: akin index INPUT... --to FILE',
  });
}
