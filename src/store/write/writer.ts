import { randomUUID } from 'node:crypto';
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { NeighborList } from '../../join/pairs/neighbor-table.ts';
import { keptIn } from '../../lib/kept.ts';
import type { PageCard } from '../../page/card/page-card.ts';
import type { FieldKind } from '../../page/fields/page-fields.ts';
import type { NamedClustering } from '../../relations/copy.ts';
import { bytesOf, encodeAscending, encodeBag, encodeNeighbors, encodePosting } from '../blobs/blobs.ts';
import { encodeLinkUrls } from '../blobs/page-input.ts';
import { encodeKeys } from '../blobs/sketch-blobs.ts';
import { TextBlock } from '../blobs/text-blocks.ts';
import { ALGORITHM_VERSION, createDatabase, type Db } from '../database.ts';
import { digestedTables, generationOf, RowSum, type TableDigest } from '../digest.ts';
import { linkedFile } from '../linked-file.ts';
import { partCode } from '../part-codes.ts';
import type { StoredAnswer, StoredSketch } from '../read/input-reader.ts';
import type { VectorBlock } from '../read/vector-reader.ts';
import {
  type AliasRecord,
  type CaptureRecord,
  type ClusterRecord,
  COVERS_NOTHING,
  type FeatureRecord,
  type RelationRecord,
  type StageRecord,
  type StoredPage,
  type StoredSweep,
} from '../records.ts';
import { pageKey, postingKey } from '../row-keys.ts';
import { syncPath } from '../sync-path.ts';
import { EncodingWriter } from './encoding-writer.ts';
import { FieldWriter } from './field-writer.ts';
import type { FormerRows } from './former-rows.ts';
import { InputBlocks } from './input-blocks.ts';
import { type Insert, TableWriter } from './table-writer.ts';

/** Rows per transaction: large enough that commits cost nothing, small enough to bound the page cache. */
const ROWS_PER_COMMIT = 50_000;

interface StageRow extends StageRecord {
  readonly id: number;
}

/** Fills one new index file. Rows come in key order, so that every table is written front to back. */
export class IndexWriter {
  readonly #db: Db;
  readonly #path: string;
  readonly #tables = new Map<string, TableWriter>();
  /** Made again at the end: sorting once is quicker than keeping an index in order row by row. */
  readonly #indexes: readonly { readonly name: string; readonly sql: string }[];
  /** What was in the file before, by table. */
  readonly #begun: ReadonlyMap<string, TableDigest>;
  #fields: FieldWriter | null = null;
  readonly #encodings = new EncodingWriter(this.#insert.bind(this));
  readonly #inputs = new InputBlocks(this.#insert.bind(this));
  readonly #former: FormerRows | null;
  readonly #texts = new TextBlock();
  #firstText = 0;
  #rowsSinceCommit = 0;

  /** A new file; with `begun`, one that another writer left, as its `leave` returned. `former`: whose rows may be taken. */
  constructor(path: string, begun: readonly TableDigest[] = [], former: FormerRows | null = null) {
    this.#path = path;
    this.#former = former;
    this.#begun = new Map(begun.map((digest) => [digest.name, digest]));
    this.#db = createDatabase(path);
    this.#db.pragma('foreign_keys = OFF');
    this.#indexes = indexesOf(this.#db).filter(({ table }) => !this.#begun.has(table));
    this.#db.exec('BEGIN');
    for (const { name } of this.#indexes) this.#db.exec(`DROP INDEX ${name}`);
  }

  #insert(table: string, ...values: unknown[]): void {
    const rows = keptIn(this.#tables, table, () => new TableWriter(this.#db, table, this.#begun.get(table)));
    rows.insert(values);
    if (++this.#rowsSinceCommit >= ROWS_PER_COMMIT) {
      this.#db.exec('COMMIT; BEGIN');
      this.#rowsSinceCommit = 0;
    }
  }

  /** A row as it stands: one that another writer makes. */
  readonly row: Insert = this.#insert.bind(this);

  parameter(name: string, value: unknown): void {
    this.#insert('parameter', name, JSON.stringify(value));
  }

  sweep(row: Omit<StoredSweep, 'covered'> & Partial<StoredSweep>): void {
    const { id, name, recordCount, startedAtMs, covered = COVERS_NOTHING } = row;
    this.#insert('sweep', id, name, recordCount, Math.round(startedAtMs), JSON.stringify(covered));
  }

  /** `extension`: of files of a folder that are no pages; else ''. */
  skip(sweepId: number, reason: string, recordCount: number, extension = ''): void {
    this.#insert('skip', sweepId, reason, extension, recordCount);
  }

  site(id: number, name: string): void {
    this.#insert('site', id, name);
  }

  /**
   * `sweepId`: of the capture that speaks for the page or, where it is gone, did last. Without `fullTitle` that is the title to
   * show.
   */
  page(
    row: Omit<StoredPage, 'site' | 'fullTitle'> & { sweepId: number | null; fullTitle?: string | null },
  ): void {
    this.#insert(
      'page',
      row.id,
      row.url,
      row.siteId,
      row.title,
      row.fullTitle ?? null,
      row.lang,
      row.fetched ? 1 : 0,
      row.sweepId,
      row.wordCount,
      row.inLinkCount,
      row.outLinkCount,
    );
  }

  /** A page of a shard: its id among the pages of all shards. */
  shardPage(pageId: number, wholeId: number): void {
    this.#insert('shard_page', pageId, wholeId);
  }

  /** Of a page that says something of itself. */
  pageCard(pageId: number, { image, description, publishedAt, modifiedAt, siteName }: PageCard): void {
    this.#insert('card', pageId, image, description, publishedAt, modifiedAt, siteName);
  }

  /** @param declared fields by whose values pages are found. */
  beginFields(declared: Readonly<Record<string, FieldKind>>): void {
    this.#fields = new FieldWriter(this.#insert.bind(this), declared);
  }

  /** After `beginFields`. `packed` as `packFields` packs them; pages come in id order, each once. */
  pageFields(pageId: number, packed: string): void {
    this.#fields!.add(pageId, packed);
  }

  endFields(): void {
    this.#fields!.finish();
    this.#fields = null;
  }

  /** `versionId`: null in an index without copies. */
  capture(
    row: Omit<CaptureRecord, 'sweep' | 'versionId'> & {
      pageId: number;
      textDigest: Uint8Array;
      versionId: number | null;
    },
  ): void {
    const { pageId, sweepId, fetchedAtMs, mediaType, charset, bodyBytes, textDigest, versionId } = row;
    this.#insert(
      'capture',
      pageId,
      sweepId,
      fetchedAtMs,
      this.#encodings.idOf(mediaType, charset),
      bodyBytes,
      textDigest,
      versionId,
    );
  }

  version(
    row: Omit<StoredSketch, 'simhash'> & { id: number; textDigest: Uint8Array; simhash?: Uint32Array | null },
  ): void {
    this.#insert(
      'version',
      row.id,
      row.textDigest,
      row.tokenDigest,
      row.shingleDigest,
      row.tokenCount,
      row.shingleCount,
      row.limit === Number.POSITIVE_INFINITY ? null : row.limit,
      row.keys,
      row.simhash ? bytesOf(row.simhash) : null,
    );
  }

  /** Captures of a sweep so far. */
  captureCount(sweepId: number): number {
    this.#tables.get('capture')?.flush();
    return this.#db.prepare('SELECT count(*) FROM capture WHERE sweep_id = ?').pluck().get(sweepId) as number;
  }

  /** `text` as `encodeText` makes it. Versions come in the order of their ids. */
  versionText(versionId: number, text: Uint8Array): void {
    if (this.#texts.isFull || versionId !== this.#firstText + this.#texts.count) this.#endTexts();
    if (this.#texts.count === 0) this.#firstText = versionId;
    this.#texts.add(text);
  }

  #endTexts(): void {
    if (this.#texts.count > 0)
      this.#insert('version_text', this.#firstText, this.#texts.pack(this.#former?.packedAs));
  }

  /** Blocks come ascending by key, as `ShingleBlocks` packs them. */
  readonly shingleBlock = (firstKey: number, entries: Uint8Array): void =>
    this.#insert('shingle_block', firstKey, entries);

  /** `keys` ascending and unique. */
  templateShingles(host: string, keys: Float64Array): void {
    this.#insert('template_shingle', host, encodeKeys(keys));
  }

  /** A past capture of a page that named another URL as its canonical one. */
  namedCapture(pageId: number, sweepId: number, ownUrl: string): void {
    this.#insert('named_capture', pageId, sweepId, ownUrl);
  }

  /** A page that this sweep found gone, or leading elsewhere. */
  gone(pageId: number, sweepId: number): void {
    this.#insert('gone', pageId, sweepId);
  }

  alias(url: string, pageId: number, kind: AliasRecord['kind']): void {
    this.#insert('alias', url, pageId, kind);
  }

  /** `targets` ascending and unique. */
  links(pageId: number, targets: ArrayLike<number>): void {
    this.#insert('link', pageId, encodeAscending(targets));
  }

  /** `record` as `encodePageInput` makes it. Pages come in id order. */
  readonly pageInput = this.#inputs.add.bind(this.#inputs);

  otherInput({ id, url, kind, sweepId, fetchedAtMs, record }: StoredAnswer): void {
    this.#insert('other_input', id, url, kind, sweepId, fetchedAtMs, record);
  }

  /** `urls` in string order, `LINK_URLS_A_BLOCK` of them but in the last block. */
  linkUrls(firstId: number, urls: readonly string[]): void {
    this.#insert('link_url', firstId, encodeLinkUrls(urls));
  }

  relation({ id, name, profile, measure, neighborLimit, floor, rank, kernel }: RelationRecord): void {
    this.#insert('relation', id, name, profile, measure, neighborLimit, floor, rank, kernel);
  }

  clustering(relationId: number, level: number, { name, measure, threshold }: NamedClustering): void {
    this.#insert('clustering', relationId, level, name, measure, threshold);
  }

  part(relationId: number, name: string, pageCount: number): void {
    this.#insert('part', relationId, name, pageCount);
  }

  feature(relationId: number, { id, part, stem, term, pageCount }: FeatureRecord): void {
    this.#insert('feature', relationId, id, partCode(part), stem, term, pageCount);
  }

  bag(relationId: number, pageId: number, features: Uint32Array, weights: Uint8Array): void {
    this.#insert('bag', pageKey(relationId, pageId), encodeBag(features, weights));
  }

  signature(relationId: number, pageId: number, minima: Uint8Array): void {
    this.#insert('signature', pageKey(relationId, pageId), minima);
  }

  bagSums(relationId: number, blockId: number, sums: Uint8Array): void {
    this.#insert('bag_sum', relationId, blockId, sums);
  }

  /** Shape  entries as `encodePosting` takes them. */
  posting(relationId: number, blockId: number, featureId: number, entries: Uint32Array): void {
    this.#insert('posting', postingKey(relationId, featureId) + blockId, encodePosting(entries));
  }

  neighbors(relationId: number, pageId: number, list: NeighborList): void {
    this.#insert('neighbor', pageKey(relationId, pageId), encodeNeighbors(list));
  }

  /** Of the pages of a block, ascending, that have one; their vectors end to end. */
  vectorBlock(relationId: number, { blockId, pages, vectors }: VectorBlock): void {
    const { buffer, byteOffset, length } = vectors;
    const bytes = Buffer.from(buffer, byteOffset, length);
    this.#insert('vector_block', relationId, blockId, encodeAscending(pages), bytes);
  }

  cluster({ id, relationId, level, key, centerId, parentId, size, radius, label }: ClusterRecord): void {
    this.#insert('cluster', id, relationId, level, key, centerId, parentId, size, radius, label);
  }

  member(clusterId: number, pageId: number, similarity: number): void {
    this.#insert('member', clusterId, pageId, similarity);
  }

  stage({ id, name, recordCount, durationMs, processorMs }: StageRow): void {
    this.#insert('stage', id, name, recordCount, Math.round(durationMs), Math.round(processorMs));
  }

  #digests(): TableDigest[] {
    return digestedTables(this.#db).map(
      (name) => this.#tables.get(name)?.digest() ?? this.#begun.get(name) ?? new RowSum().digest(name),
    );
  }

  #flush(): void {
    for (const rows of this.#tables.values()) rows.flush();
  }

  #complete(): void {
    this.#endTexts();
    this.#inputs.finish();
    this.#flush();
    for (const { sql } of this.#indexes) this.#db.exec(sql);
  }

  /** Closes the file for another writer; returns the digests of the tables that have rows: they are complete. */
  leave(): TableDigest[] {
    this.#complete();
    const digests = Array.from(this.#tables.values(), (rows) => rows.digest()!);
    this.#db.exec('COMMIT');
    this.#db.close();
    return digests;
  }

  /**
   * Digests every table, names the generation, closes the file and brings it to the disk. `lastStage` is asked when
   * the commit alone is left to do: the stage that is this writing itself.
   */
  finish(builtAtMs: number, akinVersion: string, lastStage?: () => StageRow): string {
    this.#complete();
    const digests = this.#digests();
    for (const digest of digests) this.#insert('table_digest', digest.name, digest.rowCount, digest.sum);
    const generation = generationOf(digests, ALGORITHM_VERSION);
    if (lastStage !== undefined) this.stage(lastStage());
    this.#insert('generation', generation, Math.round(builtAtMs), akinVersion, ALGORITHM_VERSION);
    this.#flush();
    this.#db.exec('COMMIT');
    this.#db.close();
    syncPath(this.#path);
    return generation;
  }

  /** Closes without finishing: the file stays unreadable. */
  abandon(): void {
    this.#db.close();
  }
}

function indexesOf(db: Db): { name: string; table: string; sql: string }[] {
  const sql =
    "SELECT name, tbl_name AS 'table', sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL";
  return db.prepare(sql).all() as { name: string; table: string; sql: string }[];
}

/**
 * Moves a finished file over the target so that a reader sees the old one or the new one, never a part; from another disk by
 * a copy beside the target. A link to the target stays one.
 */
export function publishFile(finished: string, path: string): void {
  const target = linkedFile(path);
  try {
    renameSync(finished, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    const beside = `${target}.${randomUUID()}.next`;
    try {
      copyFileSync(finished, beside);
      syncPath(beside);
      renameSync(beside, target);
    } finally {
      rmSync(beside, { force: true });
    }
    rmSync(finished);
  }
  syncPath(dirname(target));
}
