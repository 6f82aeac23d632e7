import { statSync } from 'node:fs';
import type { Statement } from 'better-sqlite3';
import { CorruptError, InputError } from '../errors.ts';
import type { Bag } from '../features/bag.ts';
import { BLOCK_PAGES } from '../join/exact/postings.ts';
import { chainEnd, NONE } from '../lib/chain-end.ts';
import {
  decodeAscending,
  decodeBag,
  decodeNeighbours,
  decodePosting,
  decodeSums,
  type NeighbourList,
} from './blobs/blobs.ts';
import { readCard, rowCount } from './card.ts';
import { ClusterReader } from './cluster-reader.ts';
import { ALGORITHM_VERSION, asStoreError, type Db, openDatabase } from './database.ts';
import { InputReader } from './input-reader.ts';
import type {
  AliasRecord,
  CaptureRecord,
  FeatureRecord,
  IndexCard,
  RelationRecord,
  StoredPage,
} from './records.ts';
import { VersionReader } from './version-reader.ts';

interface PageRow {
  id: number;
  url: string;
  site: string;
  siteId: number;
  title: string;
  lang: string | null;
  fetched: number;
  wordCount: number;
  inLinkCount: number;
  outLinkCount: number;
}

const PAGE_SQL = `SELECT page.id, url, site.name AS site, site_id AS siteId, title, lang, fetched, word_count AS wordCount,
  in_link_count AS inLinkCount, out_link_count AS outLinkCount FROM page JOIN site ON site.id = site_id`;
const FEATURE_SQL = `SELECT id, part, stem, term, page_count AS pageCount FROM feature WHERE relation_id = ?`;
/** Pages that are gone and whose URL is an alias now. */
const LEADING_SQL = 'FROM gone JOIN page ON page.id = gone.page_id JOIN alias ON alias.url = page.url';
const RELATION_SQL = `SELECT id, name, profile, measure, neighbour_limit AS neighbourLimit, floor FROM relation`;

/** One open index. Synchronous, by primary key; a statement is compiled once, on first use. */
export class IndexReader {
  readonly path: string;
  readonly generation: string;
  readonly pageCount: number;
  readonly clusters: ClusterReader;
  readonly versions: VersionReader;
  /** The index as what it was made of. */
  readonly input: InputReader;
  readonly #db: Db;
  readonly #statements = new Map<string, Statement<unknown[], unknown>>();

  private constructor(path: string, db: Db) {
    this.path = path;
    this.#db = db;
    const generation = db.prepare('SELECT id, algorithm_version AS algorithm FROM generation').get() as
      | { id: string; algorithm: number }
      | undefined;
    if (generation === undefined) {
      throw new CorruptError('AKIN_ERR_INDEX_CORRUPT', `${path} was never finished`, {
        hint: 'build it again: akin index INPUT... --to FILE',
      });
    }
    requireAlgorithm(path, generation.algorithm);
    this.generation = generation.id;
    this.pageCount = rowCount(db, 'page');
    this.clusters = new ClusterReader(db);
    this.versions = new VersionReader(db, path);
    this.input = new InputReader(db);
  }

  /** Errors  as `openDatabase`, and CorruptError AKIN_ERR_INDEX_CORRUPT for an unfinished file. */
  static open(path: string): IndexReader {
    const db = openDatabase(path);
    try {
      return new IndexReader(path, db);
    } catch (error) {
      db.close();
      throw asStoreError(error, path);
    }
  }

  #statement(sql: string): Statement<unknown[], unknown> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #blob(sql: string, ...key: number[]): Uint8Array | undefined {
    const row = this.#statement(sql).get(...key) as { blob: Uint8Array } | undefined;
    return row?.blob;
  }

  card(): IndexCard {
    return readCard(this.#db, statSync(this.path).size);
  }

  relation(name: string): RelationRecord | undefined {
    return this.#statement(`${RELATION_SQL} WHERE name = ?`).get(name) as RelationRecord | undefined;
  }

  /** Page id of a canonical URL or of one of its aliases; -1 where there is none. */
  findPage(url: string): number {
    const page = this.#statement('SELECT id FROM page WHERE url = ?').get(url) as { id: number } | undefined;
    if (page !== undefined) return page.id;
    const alias = this.#statement('SELECT page_id AS id FROM alias WHERE url = ?').get(url) as
      | { id: number }
      | undefined;
    return alias?.id ?? -1;
  }

  /** Errors  CorruptError for an id outside 0..pageCount-1. */
  page(id: number): StoredPage {
    const row = this.#statement(`${PAGE_SQL} WHERE page.id = ?`).get(id) as PageRow | undefined;
    if (row === undefined) throw new CorruptError('AKIN_ERR_INDEX_CORRUPT', `${this.path} has no page ${id}`);
    return { ...row, fetched: row.fetched === 1 };
  }

  /** In id order, for loading into memory; `from` inclusive. */
  *pages(from = 0): IterableIterator<StoredPage> {
    const rows = this.#db.prepare(`${PAGE_SQL} WHERE page.id >= ? ORDER BY page.id`).iterate(from);
    for (const row of rows as IterableIterator<PageRow>) yield { ...row, fetched: row.fetched === 1 };
  }

  neighbours(relationId: number, pageId: number): NeighbourList {
    return decodeNeighbours(
      this.#blob(
        'SELECT entries AS blob FROM neighbour WHERE relation_id = ? AND page_id = ?',
        relationId,
        pageId,
      ),
    );
  }

  /** Of every page that has any; the nearest `limit` of each. */
  *allNeighbours(
    relationId: number,
    limit?: number,
  ): IterableIterator<{ pageId: number; list: NeighbourList }> {
    const rows = this.#db
      .prepare('SELECT page_id, entries FROM neighbour WHERE relation_id = ? ORDER BY page_id')
      .iterate(relationId) as IterableIterator<{ page_id: number; entries: Uint8Array }>;
    for (const row of rows) yield { pageId: row.page_id, list: decodeNeighbours(row.entries, limit) };
  }

  bag(relationId: number, pageId: number): Bag {
    const sql = 'SELECT entries AS blob FROM bag WHERE relation_id = ? AND page_id = ?';
    return decodeBag(this.#blob(sql, relationId, pageId));
  }

  *allBags(relationId: number): IterableIterator<{ pageId: number; bag: Bag }> {
    const rows = this.#db
      .prepare('SELECT page_id, entries FROM bag WHERE relation_id = ? ORDER BY page_id')
      .iterate(relationId) as IterableIterator<{ page_id: number; entries: Uint8Array }>;
    for (const row of rows) yield { pageId: row.page_id, bag: decodeBag(row.entries) };
  }

  /** Uint16Array(pageCount): sum of each bag, 0 where the page has none. */
  bagSums(relationId: number): Uint16Array {
    const sums = new Uint16Array(this.pageCount);
    const rows = this.#statement('SELECT block_id, sums FROM bag_sum WHERE relation_id = ?').all(relationId);
    for (const row of rows as { block_id: number; sums: Uint8Array }[]) {
      sums.set(decodeSums(row.sums), row.block_id * BLOCK_PAGES);
    }
    return sums;
  }

  /** Id of a site by its name; -1 where no page is of it. */
  findSite(name: string): number {
    const site = this.#statement('SELECT id FROM site WHERE name = ?').get(name) as
      | { id: number }
      | undefined;
    return site?.id ?? -1;
  }

  /** Feature ids are 0 .. featureCount - 1. */
  featureCount(relationId: number): number {
    const sql = 'SELECT id FROM feature WHERE relation_id = ? ORDER BY id DESC LIMIT 1';
    const last = this.#statement(sql).get(relationId) as { id: number } | undefined;
    return (last?.id ?? -1) + 1;
  }

  feature(relationId: number, featureId: number): FeatureRecord {
    const row = this.#statement(`${FEATURE_SQL} AND id = ?`).get(relationId, featureId);
    if (row === undefined) {
      throw new CorruptError('AKIN_ERR_INDEX_CORRUPT', `${this.path} has no feature ${featureId}`);
    }
    return row as FeatureRecord;
  }

  findFeature(relationId: number, part: string, stem: string): FeatureRecord | undefined {
    return this.#statement(`${FEATURE_SQL} AND part = ? AND stem = ?`).get(relationId, part, stem) as
      | FeatureRecord
      | undefined;
  }

  /** Pages with at least one word in this part: the N of its idf. */
  partPageCount(relationId: number, part: string): number {
    const row = this.#statement('SELECT page_count AS n FROM part WHERE relation_id = ? AND name = ?').get(
      relationId,
      part,
    ) as { n: number } | undefined;
    return row?.n ?? 0;
  }

  /** By block: entries `localPageId | weight << 24`, ascending; a block without the feature is left out. */
  postings(relationId: number, featureId: number): Map<number, Uint32Array> {
    const sql = 'SELECT block_id AS block, entries FROM posting WHERE relation_id = ? AND feature_id = ?';
    const rows = this.#statement(sql).all(relationId, featureId) as { block: number; entries: Uint8Array }[];
    return new Map(rows.map(({ block, entries }) => [block, decodePosting(entries)]));
  }

  /** Out-links as page ids, ascending. */
  links(pageId: number): Uint32Array {
    return decodeAscending(this.#blob('SELECT targets AS blob FROM link WHERE page_id = ?', pageId));
  }

  aliases(pageId: number): AliasRecord[] {
    return this.#statement('SELECT url, kind FROM alias WHERE page_id = ? ORDER BY url').all(
      pageId,
    ) as AliasRecord[];
  }

  /** The page that speaks for a URL; null where no alias of that URL is known. */
  alias(url: string): { pageId: number; kind: AliasRecord['kind'] } | null {
    const sql = 'SELECT page_id AS pageId, kind FROM alias WHERE url = ?';
    return (
      (this.#statement(sql).get(url) as { pageId: number; kind: AliasRecord['kind'] } | undefined) ?? null
    );
  }

  /** For each page that is gone and whose URL is an alias now: the page where following it ends. */
  successors(): Map<number, number> {
    const rows = this.#db.prepare(`SELECT gone.page_id, alias.page_id ${LEADING_SQL}`).raw().all();
    const next = new Map(rows as [number, number][]);
    return new Map(endsOf(next.keys(), (page) => next.get(page)));
  }

  /** The same of one page; its own id where it leads nowhere. */
  successor(pageId: number): number {
    const next = this.#statement(`SELECT alias.page_id AS id ${LEADING_SQL} WHERE gone.page_id = ?`);
    const [found] = endsOf([pageId], (page) => (next.get(page) as { id: number } | undefined)?.id);
    return found?.[1] ?? pageId;
  }

  *allAliases(): IterableIterator<AliasRecord & { pageId: number }> {
    yield* this.#db
      .prepare('SELECT url, page_id AS pageId, kind FROM alias ORDER BY url')
      .iterate() as IterableIterator<AliasRecord & { pageId: number }>;
  }

  /** In id order. */
  *allFeatures(relationId: number): IterableIterator<FeatureRecord> {
    yield* this.#db
      .prepare(`${FEATURE_SQL} ORDER BY id`)
      .iterate(relationId) as IterableIterator<FeatureRecord>;
  }

  /** Per page: digest of title and text of its latest capture; empty for an unfetched page. */
  textDigests(): Uint8Array[] {
    const digests: Uint8Array[] = new Array(this.pageCount).fill(new Uint8Array(0));
    const rows = this.#db
      .prepare('SELECT page_id, text_digest FROM capture ORDER BY page_id, sweep_id')
      .raw()
      .iterate() as IterableIterator<[number, Uint8Array]>;
    for (const [pageId, digest] of rows) digests[pageId] = digest;
    return digests;
  }

  /** Whether a sweep found the page gone or leading elsewhere, and none has had it since. */
  isGone(pageId: number): boolean {
    return this.#statement('SELECT 1 FROM gone WHERE page_id = ?').get(pageId) !== undefined;
  }

  /** Oldest sweep first. */
  captures(pageId: number): CaptureRecord[] {
    return this.#statement(`SELECT sweep_id AS sweepId, sweep.name AS sweep, fetched_at_ms AS fetchedAtMs,
      media_type AS mediaType, charset, body_bytes AS bodyBytes, coalesce(version_id, -1) AS versionId
      FROM capture JOIN sweep ON sweep.id = sweep_id
      WHERE page_id = ? ORDER BY sweep_id`).all(pageId) as CaptureRecord[];
  }

  /** Oldest first. */
  sweeps(): { id: number; name: string; startedAtMs: number; recordCount: number }[] {
    return this.#statement(
      'SELECT id, name, started_at_ms AS startedAtMs, record_count AS recordCount FROM sweep ORDER BY id',
    ).all() as { id: number; name: string; startedAtMs: number; recordCount: number }[];
  }

  close(): void {
    this.#db.close();
  }
}

/** Other features and sketches would make a new document incomparable with what is stored. */
function requireAlgorithm(path: string, version: number): void {
  if (version === ALGORITHM_VERSION) return;
  const newer = version > ALGORITHM_VERSION;
  throw new InputError(
    newer ? 'AKIN_ERR_INDEX_NEWER' : 'AKIN_ERR_NOT_AN_INDEX',
    `${path} was made by algorithm version ${version}; this akin has version ${ALGORITHM_VERSION}`,
    {
      hint: newer
        ? 'update akin, or build the index again with this version'
        : 'build the index again from its source',
    },
  );
}

/** Pages that lead elsewhere, each with where; of a circle the first stands for all, and leads nowhere. */
function* endsOf(
  pages: Iterable<number>,
  next: (page: number) => number | undefined,
): IterableIterator<[page: number, end: number]> {
  const known = new Map<number, number>();
  const ends = { get: (page: number) => known.get(page) ?? NONE, set: known.set.bind(known) };
  const least = (circle: readonly number[]) => circle.reduce((a, b) => Math.min(a, b));
  for (const page of pages) {
    const end = chainEnd(page, (one) => next(one) ?? NONE, least, ends);
    if (end !== page) yield [page, end];
  }
}
