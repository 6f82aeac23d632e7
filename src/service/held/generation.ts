import { CorruptError } from '../../errors.ts';
import type { Bag } from '../../features/bag.ts';
import type { BagRecipe } from '../../features/document-bag.ts';
import type { PartShares } from '../../features/parts.ts';
import type { LinkGraph } from '../../join/links/link-graph.ts';
import type { NeighborSpan } from '../../join/pairs/neighbor-table.ts';
import {
  DEFAULT_RELATION,
  findStoredRelation,
  isByLinks,
  LINK_RELATION_NAMES,
  type RelationName,
  relationOf,
} from '../../relations/relations.ts';
import { IndexReader } from '../../store/read/reader.ts';
import type { IndexCard, RelationRecord } from '../../store/records.ts';
import { type EmptyAnswers, noEmptyAnswers } from '../http/metrics.ts';
import { Problem } from '../http/problem.ts';
import type { Settled } from '../http/reply.ts';
import type { EmptyReason } from '../schemas/list-answers.ts';
import type { ServedIndex } from '../shards/served-index.ts';
import type { UnionReader } from '../shards/union-reader.ts';
import { type BagSearch, searchBags } from './bag-search.ts';
import type { Catalog } from './catalog.ts';
import {
  DOCUMENT_LIMITS,
  type DocumentJob,
  type DocumentLimits,
  DocumentThreads,
  type PeersOrder,
} from './document-threads.ts';
import { loadLinks, readLinksAtOnce } from './link-loading.ts';
import { openPostings, type Postings } from './posting-cache.ts';
import { Snapshot } from './snapshot.ts';
import { StoredCatalog } from './stored-catalog.ts';

const POSTING_CACHE_BYTES = 64 * 1024 * 1024;

/** Searches of 1.5 ms, on a crawl of 120,000 pages, take 2.2 in the quick way; of 3.3, on documentation, 1.2. */
const EXACT_SEARCH_US = 2_000;

export interface GenerationOptions {
  /** What threads open: the shards where there are several. Default the file. */
  readonly paths?: readonly string[];
  /** What threads ask instead of files, and those of them that cannot be asked now. */
  readonly peers?: { readonly order: PeersOrder; readonly lostNow: () => readonly number[] };
  /** The file that threads for posted documents run. Default none: documents are answered in place. */
  readonly documentWorker?: URL;
  readonly documentLimits?: Partial<DocumentLimits>;
  /** Read into memory what look-ups need; false answers from the file. Default true. */
  readonly preload?: boolean;
  /** Work of the longest search that is exact without being asked for, see exactSearchUs(). Default 2,000. */
  readonly exactSearchUs?: number;
  /** How an answer is made whose reads go over the network. Default: at once. */
  readonly settle?: <Value>(make: (view: Generation) => Value) => Promise<Settled<Value>>;
  /** Whether what an answer may read is to be asked for together: a read goes over the network. Default false. */
  readonly readsAhead?: boolean;
  /** Where empty answers are counted. Default: in an object of its own. */
  readonly emptyAnswers?: EmptyAnswers;
}

/** What goes into headers and answers as it is. Errors  CorruptError AKIN_ERR_INDEX_CORRUPT. */
function requirePrintable(path: string, { generation, relations }: IndexCard): void {
  const names = relations.map(({ name }) => name as string);
  const unknown = names.find((name) => findStoredRelation(name) === undefined);
  if (/^[0-9A-Za-z_-]{16,64}$/.test(generation) && unknown === undefined) return;
  const what =
    unknown === undefined
      ? `a generation "${generation.slice(0, 100)}"`
      : `a relation "${unknown.slice(0, 100)}"`;
  throw new CorruptError('AKIN_ERR_INDEX_CORRUPT', `${path} has ${what}, which no build writes`, {
    hint: 'build it again: akin index INPUT... --to FILE',
  });
}

/** One published state of an index, opened for reading. Closes when retired and no longer leased. */
export class Generation {
  readonly reader: ServedIndex;
  readonly catalog: Catalog;
  readonly card: IndexCard;
  readonly id: string;
  /** For the Last-Modified header: when the index was built. */
  readonly lastModified: string;
  /** By whose words documents are weighed and terms are named; undefined where the index holds none of words. */
  readonly words: RelationRecord | undefined;
  /** Those that are answered from links; none in an index without links. */
  readonly linkRelations: readonly RelationName[];
  readonly exactSearchUs: number;
  readonly readsAhead: boolean;
  readonly emptyAnswers: EmptyAnswers;
  readonly #threads: DocumentThreads | null;
  /** Of one file; null for several. */
  readonly #file: IndexReader | null;
  readonly #union: UnionReader | null;
  readonly #settle: GenerationOptions['settle'];
  readonly #lostNow: () => readonly number[];
  readonly #relations: ReadonlyMap<string, RelationRecord>;
  #links: LinkGraph | null = null;
  #loadingLinks: Promise<LinkGraph> | null = null;
  readonly #postings = new Map<number, Postings>();
  #leaseCount = 0;
  #retired = false;

  private constructor(
    reader: { readonly file: IndexReader } | { readonly union: UnionReader },
    card: IndexCard,
    catalog: Catalog,
    options: GenerationOptions,
  ) {
    this.#file = 'file' in reader ? reader.file : null;
    this.#union = 'union' in reader ? reader.union : null;
    this.#settle = options.settle;
    this.readsAhead = options.readsAhead ?? false;
    this.reader = 'file' in reader ? reader.file : reader.union;
    this.card = card;
    this.catalog = catalog;
    this.id = card.generation;
    this.exactSearchUs = options.exactSearchUs ?? EXACT_SEARCH_US;
    this.emptyAnswers = options.emptyAnswers ?? noEmptyAnswers();
    const { documentWorker, documentLimits, peers } = options;
    const paths = options.paths ?? [this.reader.path];
    const order = { paths, generation: this.id, exactSearchUs: this.exactSearchUs };
    this.#lostNow = peers?.lostNow ?? (() => []);
    this.#threads =
      documentWorker === undefined
        ? null
        : new DocumentThreads(
            documentWorker,
            { ...order, ...(peers && { peers: peers.order }) },
            { ...DOCUMENT_LIMITS, ...documentLimits },
          );
    this.lastModified = new Date(card.builtAtMs).toUTCString();
    this.words = card.relations.find(({ name }) => relationOf(name).features === 'words');
    this.#relations = new Map(card.relations.map((relation) => [relation.name, relation]));
    // The links of one shard of several say little.
    const isWhole = card.shard === null || card.shard.count === 1;
    this.linkRelations = isWhole && this.reader.hasLinks() ? LINK_RELATION_NAMES : [];
  }

  /** Errors  those of `IndexReader.open`. */
  static async open(path: string, options: GenerationOptions = {}): Promise<Generation> {
    const reader = IndexReader.open(path);
    try {
      const card = reader.card();
      requirePrintable(path, card);
      const catalog =
        (options.preload ?? true) ? await Snapshot.load(reader, card) : StoredCatalog.ofFile(reader);
      return new Generation({ file: reader }, card, catalog, options);
    } catch (error) {
      reader.close();
      throw error;
    }
  }

  /** Of several shards; closing it closes the reader. */
  static ofShards(union: UnionReader, options: GenerationOptions = {}): Generation {
    return new Generation({ union }, union.facts.card, StoredCatalog.ofShards(union), options);
  }

  /** The one file that is read. */
  get file(): IndexReader {
    if (this.#file === null) throw new Error('several files are read');
    return this.#file;
  }

  /**
   * Makes an answer, at once or, where reads go over the network, by and by: `make` is called again and again until all that
   * it reads is at hand, and is to read from the generation that it is given.
   */
  settle<Value>(make: (view: Generation) => Value): Settled<Value> | Promise<Settled<Value>> {
    return this.#settle === undefined ? { value: make(this), lost: [] } : this.#settle(make);
  }

  /** The nearest pages at or above the floor of the relation; ties by page id. One search at a time. */
  nearest(relation: RelationRecord, bag: Bag, search: BagSearch): NeighborSpan {
    if (this.#union === null) {
      return searchBags(this.postings(relation.id), relation, bag, search, this.exactSearchUs);
    }
    const { count, accept, skip, exact } = search;
    const filter = accept?.filter ?? null;
    const found = this.#union.nearest({ relationId: relation.id, bag, count, filter, skip, exact });
    return { ...found, start: 0, end: found.ids.length };
  }

  /** The card, for an answer: figures of shards that nothing is known of are missing in it. */
  figures(): IndexCard {
    this.#union?.missUnknown();
    return this.card;
  }

  holds(relationName: RelationName): boolean {
    return this.#relations.has(relationName) || this.linkRelations.includes(relationName);
  }

  /** Errors  Problem `relation-not-in-index`. */
  require(name: RelationName): void {
    if (!this.holds(name)) throw this.#notHeld(name);
  }

  /** What a build has prepared. Errors  Problem `relation-not-in-index`. */
  relation(name: string): RelationRecord {
    const relation = this.#relations.get(name);
    if (relation === undefined) throw this.#notHeld(name);
    return relation;
  }

  #notHeld(name: string): Problem {
    const held = [...this.#relations.keys(), ...this.linkRelations];
    const detail = `this index does not hold "${name}", only ${held.join(', ')}`;
    return new Problem('relation-not-in-index', `by: ${detail}`, {
      errors: [{ parameter: 'by', detail, received: name, allowed: held }],
    });
  }

  /** Of what parts the bags of pages are made, and with which shares. */
  get partShares(): PartShares {
    return (this.card.parameters['recipe'] as BagRecipe | undefined)?.parts ?? {};
  }

  /** The links between pages, which `withLinks` has read. */
  get links(): LinkGraph {
    if (this.#links === null) throw new Error('the links have not been read');
    return this.#links;
  }

  get hasReadLinks(): boolean {
    return this.#links !== null;
  }

  /** Takes links that another thread has read. */
  set links(links: LinkGraph) {
    this.#links = links;
  }

  /** What `answer` says: at once, unless it is asked by links that are yet to be read. */
  withLinks<Answer>(by: RelationName, answer: () => Answer): Answer | Promise<Answer> {
    if (this.#links !== null || !isByLinks(relationOf(by)) || !this.holds(by)) return answer();
    this.lease();
    return this.#readLinks()
      .then(answer)
      .finally(() => this.release());
  }

  /** Once, for all who wait. */
  #readLinks(): Promise<LinkGraph> {
    this.#loadingLinks ??= this.#loadLinks()
      .then((links) => (this.links = links))
      .finally(() => {
        this.#loadingLinks = null;
      });
    return this.#loadingLinks;
  }

  async #loadLinks(): Promise<LinkGraph> {
    if (this.#file !== null) return loadLinks(this.#file);
    const { value, lost } = await this.settle(({ reader }) => readLinksAtOnce(reader));
    // Links of which a part is missing would be taken for all there are.
    if (lost.length === 0) return value;
    throw new Problem('shard-unavailable', `the links of shard ${lost.join(', ')} cannot be read now`);
  }

  postings(relationId: number): Postings {
    let postings = this.#postings.get(relationId);
    if (postings === undefined)
      this.#postings.set(relationId, (postings = openPostings(this.file, relationId, POSTING_CACHE_BYTES)));
    return postings;
  }

  /** The answer for a posted document: of a thread where there are any, of `inPlace` otherwise. */
  async answerDocument(
    job: DocumentJob,
    inPlace: (generation: Generation, job: DocumentJob) => string,
  ): Promise<Settled<string>> {
    this.lease();
    try {
      const { by } = job.query as { readonly by?: RelationName };
      const asked = await this.withLinks(by ?? DEFAULT_RELATION.name, () => ({
        ...job,
        links: this.#links,
        lost: this.#lostNow(),
      }));
      const made = (await this.#threads?.run(asked)) ?? null;
      if (made === null) return await this.settle((view) => inPlace(view, job));
      const { answer, lost, emptyAnswers } = made;
      for (const reason of Object.keys(emptyAnswers) as EmptyReason[]) {
        this.emptyAnswers[reason] += emptyAnswers[reason];
      }
      return { value: answer, lost };
    } finally {
      this.release();
    }
  }

  /** For work that goes on after the current turn of the event loop; each lease is to be released. */
  lease(): void {
    this.#leaseCount++;
  }

  release(): void {
    this.#leaseCount--;
    this.#closeIfIdle();
  }

  /** No new leases come; to be called once. */
  retire(): void {
    this.#retired = true;
    this.#closeIfIdle();
  }

  #closeIfIdle(): void {
    if (!this.#retired || this.#leaseCount > 0) return;
    this.reader.close();
    this.catalog.close();
    this.#threads?.close();
    this.#postings.clear();
    this.#links = null;
  }
}
