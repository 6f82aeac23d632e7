import type { Statement } from 'better-sqlite3';
import { CorruptError } from '../errors.ts';
import { decodeWords } from './blobs/blobs.ts';
import { decodeKeys, decodeShingleBlock, decodeText, type ShingleEntry } from './blobs/sketch-blobs.ts';
import type { Db } from './database.ts';
import type { VersionRecord } from './records.ts';

interface VersionRow {
  id: number;
  textDigest: Buffer;
  tokenDigest: Buffer;
  shingleDigest: Buffer;
  tokenCount: number;
  shingleCount: number;
  keyLimit: number | null;
  keys: Uint8Array;
  simhash: Uint8Array | null;
}

const VERSION_SQL = `SELECT id, text_digest AS textDigest, token_digest AS tokenDigest,
  shingle_digest AS shingleDigest, token_count AS tokenCount, shingle_count AS shingleCount,
  key_limit AS keyLimit, keys, word_simhash AS simhash FROM version`;

/** How many versions share how many of the keys asked for, most shared first, ties by version id. */
export interface SharedShingles {
  readonly versionIds: Uint32Array;
  readonly shared: Uint16Array;
  /** Keys asked for that stand in more versions than are listed. */
  readonly ignoredCount: number;
}

/** The texts of one open index and their sketches. Synchronous, by primary key. */
export class VersionReader {
  /** 0 in an index built without copies. */
  readonly count: number;
  readonly #db: Db;
  readonly #path: string;
  readonly #get: Statement<unknown[], unknown>;
  readonly #current: Statement<unknown[], unknown>;
  readonly #text: Statement<unknown[], unknown>;
  readonly #pages: Statement<unknown[], unknown>;
  readonly #find: Statement<unknown[], unknown>;
  readonly #block: Statement<unknown[], unknown>;
  readonly #template: Statement<unknown[], unknown>;

  constructor(db: Db, path: string) {
    this.#db = db;
    this.#path = path;
    this.count = db.prepare('SELECT count(*) FROM version').pluck().get() as number;
    this.#get = db.prepare(`${VERSION_SQL} WHERE id = ?`);
    this.#current = db
      .prepare(
        `SELECT version_id FROM page JOIN capture ON capture.page_id = page.id AND capture.sweep_id = page.sweep_id
         WHERE page.id = ?`,
      )
      .pluck();
    this.#text = db.prepare('SELECT text FROM version_text WHERE version_id = ?').pluck();
    this.#pages = db.prepare(
      `SELECT page_id AS pageId, sweep_id AS sweepId FROM capture WHERE version_id = ?
       ORDER BY page_id, sweep_id`,
    );
    this.#find = db.prepare('SELECT id FROM version WHERE text_digest = ?').pluck();
    this.#block = db.prepare(
      `SELECT first_key AS firstKey, entries FROM shingle_block WHERE first_key <= ?
       ORDER BY first_key DESC LIMIT 1`,
    );
    this.#template = db.prepare('SELECT keys FROM template_shingle WHERE host = ?').pluck();
  }

  /** Errors  CorruptError for an id outside 0..count-1. */
  get(versionId: number): VersionRecord {
    const row = this.#get.get(versionId) as VersionRow | undefined;
    if (row === undefined) {
      throw new CorruptError('AKIN_ERR_INDEX_CORRUPT', `${this.#path} has no version ${versionId}`);
    }
    return recordOf(row);
  }

  /** In id order, for loading into memory. */
  *all(): IterableIterator<VersionRecord> {
    const rows = this.#db.prepare(`${VERSION_SQL} ORDER BY id`).iterate();
    for (const row of rows as IterableIterator<VersionRow>) yield recordOf(row);
  }

  /** Digests of title and text of all versions, 16 hex digits each, in id order. */
  digests(): string[] {
    return this.#db
      .prepare('SELECT lower(hex(text_digest)) FROM version ORDER BY id')
      .pluck()
      .all() as string[];
  }

  /** Version of a text by the digest of its title and text (16 hex digits); -1 where there is none. */
  find(textDigest: string): number {
    return (this.#find.get(Buffer.from(textDigest, 'hex')) as number | undefined) ?? -1;
  }

  /** Version of the latest capture of a page; -1 for an unfetched page. */
  current(pageId: number): number {
    return (this.#current.get(pageId) as number | null | undefined) ?? -1;
  }

  /** Int32Array(pageCount): `current` of every page that is there; -1 for one that is gone. */
  allCurrent(pageCount: number): Int32Array {
    const versions = new Int32Array(pageCount).fill(-1);
    const rows = this.#db
      .prepare(
        `SELECT page_id, version_id FROM page JOIN capture ON capture.page_id = page.id
         AND capture.sweep_id = page.sweep_id
         WHERE version_id IS NOT NULL AND page.id NOT IN (SELECT page_id FROM gone)`,
      )
      .raw()
      .iterate() as IterableIterator<[number, number]>;
    for (const [pageId, versionId] of rows) versions[pageId] = versionId;
    return versions;
  }

  /** Null where texts are not kept. */
  text(versionId: number): { title: string; text: string } | null {
    const blob = this.#text.get(versionId) as Uint8Array | undefined;
    return blob === undefined ? null : decodeText(blob);
  }

  /** Captures with this text, by page, oldest sweep first. */
  pagesOf(versionId: number): { pageId: number; sweepId: number }[] {
    return this.#pages.all(versionId) as { pageId: number; sweepId: number }[];
  }

  /**
   * Versions that have some of `keys` among their lowest keys. At the threshold of the relation a copy shares about
   * that share of them; whether it is one, `overlapOf` says.
   *
   * Shape  keys ascending, of a sketch made with the parameters of this index; of all its keys the lowest 64 will do.
   */
  withShingle(keys: Float64Array): SharedShingles {
    const counts = new Map<number, number>();
    let ignoredCount = 0;
    let block: ShingleEntry[] = [];
    let blockKey = -1;
    for (const key of keys) {
      const row = this.#block.get(key) as { firstKey: number; entries: Uint8Array } | undefined;
      if (row === undefined) continue;
      if (row.firstKey !== blockKey) {
        block = decodeShingleBlock(row.firstKey, row.entries);
        blockKey = row.firstKey;
      }
      const entry = entryOf(block, key);
      if (entry === undefined) continue;
      if (entry.versionIds === null) ignoredCount++;
      else for (const id of entry.versionIds) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    const found = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    return {
      versionIds: Uint32Array.from(found, ([id]) => id),
      shared: Uint16Array.from(found, ([, count]) => count),
      ignoredCount,
    };
  }

  /** Every key of the inverted index, ascending. */
  *allShingles(): IterableIterator<ShingleEntry> {
    const rows = this.#db.prepare('SELECT first_key, entries FROM shingle_block ORDER BY first_key').raw();
    for (const [firstKey, entries] of rows.iterate() as IterableIterator<[number, Uint8Array]>) {
      yield* decodeShingleBlock(firstKey, entries);
    }
  }

  /** Template keys of a host (`hostOf` of a URL), ascending; empty where it has none. */
  templateOf(host: string): Float64Array {
    const blob = this.#template.get(host) as Uint8Array | undefined;
    return blob === undefined ? new Float64Array(0) : decodeKeys(blob);
  }

  /** `templateOf` every host that has one. */
  allTemplates(): Map<string, Float64Array> {
    const rows = this.#db.prepare('SELECT host, keys FROM template_shingle').raw().all();
    return new Map((rows as [string, Uint8Array][]).map(([host, keys]) => [host, decodeKeys(keys)]));
  }
}

function recordOf(row: VersionRow): VersionRecord {
  return {
    id: row.id,
    textDigest: row.textDigest.toString('hex'),
    tokenDigest: row.tokenDigest.toString('hex'),
    shingleDigest: row.shingleDigest.toString('hex'),
    tokenCount: row.tokenCount,
    simhash: row.simhash === null ? null : decodeWords(row.simhash),
    sketch: {
      keys: decodeKeys(row.keys),
      limit: row.keyLimit ?? Number.POSITIVE_INFINITY,
      shingleCount: row.shingleCount,
    },
  };
}

function entryOf(block: readonly ShingleEntry[], key: number): ShingleEntry | undefined {
  let low = 0;
  let high = block.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (block[middle]!.key < key) low = middle + 1;
    else high = middle;
  }
  return block[low]?.key === key ? block[low] : undefined;
}
