import { decodeWords } from './blobs/blobs.ts';
import { decodeLinkUrls, LINK_URLS_A_BLOCK } from './blobs/page-input.ts';
import type { Db } from './database.ts';

/** URLs held at once, by blocks, to follow links by page ids: a link leads near the one before, as a rule. */
const HELD_BLOCKS = 256;
const BLOCK_PAGES = 512;

/** What the copy relation keeps of a text, as it is stored. */
export interface StoredSketch {
  readonly tokenDigest: Uint8Array;
  readonly shingleDigest: Uint8Array;
  readonly tokenCount: number;
  readonly shingleCount: number;
  /** Infinity where all keys are kept. */
  readonly limit: number;
  /** As `encodeKeys` packs them. */
  readonly keys: Uint8Array;
  readonly simhash: Uint32Array | null;
}

/** One capture of a page, with all that the build asks of it. */
export interface StoredCapture {
  readonly pageId: number;
  readonly url: string;
  readonly sweepId: number;
  readonly fetchedAtMs: number;
  readonly title: string;
  readonly lang: string | null;
  readonly mediaType: string;
  readonly charset: string;
  readonly bodyBytes: number;
  readonly textDigest: Uint8Array;
  readonly wordCount: number;
  /** Null in an index without copies. */
  readonly sketch: StoredSketch | null;
  /** As `decodeText` reads it; null where texts are not kept. */
  readonly text: Uint8Array | null;
  /** As `decodePageInput` reads it; null for a capture that does not speak for the page now. */
  readonly input: Uint8Array | null;
}

/** The last answer of a URL that has no page of its own. */
export interface StoredAnswer {
  readonly id: number;
  readonly url: string;
  readonly kind: 'page' | 'redirect' | 'gone' | 'noindex';
  readonly sweepId: number;
  readonly fetchedAtMs: number;
  readonly record: Uint8Array;
}

type CaptureRow = Omit<StoredCapture, 'sketch'> &
  Omit<StoredSketch, 'limit' | 'simhash'> & { limit: number | null; simhash: Uint8Array | null };

/** Reads an index as what it was made of. */
export class InputReader {
  readonly otherCount: number;
  readonly #db: Db;
  readonly #blocks = new Map<string, string[]>();

  constructor(db: Db) {
    this.#db = db;
    this.otherCount = db.prepare('SELECT count(*) FROM other_input').pluck().get() as number;
  }

  /** Captures of the pages `from` .. `to - 1`. */
  captureCount(from: number, to: number): number {
    const sql = 'SELECT count(*) FROM capture WHERE page_id >= ? AND page_id < ?';
    return this.#db.prepare(sql).pluck().get(from, to) as number;
  }

  /** Captures of the pages `from` .. `to - 1`, page by page, in the order of sweeps. */
  *captures(from: number, to: number): IterableIterator<StoredCapture> {
    const rows = this.#db
      .prepare(
        `SELECT capture.page_id AS pageId, url, capture.sweep_id AS sweepId, fetched_at_ms AS fetchedAtMs, title, lang,
           media_type AS mediaType, charset, body_bytes AS bodyBytes, capture.text_digest AS textDigest,
           word_count AS wordCount, text,
           CASE WHEN capture.sweep_id = page.sweep_id THEN record END AS input,
           token_digest AS tokenDigest, shingle_digest AS shingleDigest, token_count AS tokenCount,
           shingle_count AS shingleCount, key_limit AS "limit", keys, word_simhash AS simhash
         FROM capture JOIN page ON page.id = capture.page_id
         LEFT JOIN page_input ON page_input.page_id = capture.page_id
         LEFT JOIN version ON version.id = capture.version_id
         LEFT JOIN version_text ON version_text.version_id = capture.version_id
         WHERE capture.page_id >= ? AND capture.page_id < ? ORDER BY capture.page_id, capture.sweep_id`,
      )
      .iterate(from, to);
    for (const row of rows as IterableIterator<CaptureRow>) {
      const limit = row.limit ?? Number.POSITIVE_INFINITY;
      const simhash = row.simhash === null ? null : decodeWords(row.simhash);
      yield { ...row, sketch: row.keys === null ? null : { ...row, limit, simhash } };
    }
  }

  /** Answers of the ids `from` .. `to - 1`, in order. */
  others(from: number, to: number): IterableIterator<StoredAnswer> {
    const sql = `SELECT id, url, kind, sweep_id AS sweepId, fetched_at_ms AS fetchedAtMs, record FROM other_input
      WHERE id >= ? AND id < ? ORDER BY id`;
    return this.#db.prepare(sql).iterate(from, to) as IterableIterator<StoredAnswer>;
  }

  /** The URL that a target of a link stands for; see blobs/page-input.ts. */
  urlOfTarget(target: number): string {
    return target % 2 === 0 ? this.#pageUrl(target / 2) : this.#linkUrl((target - 1) / 2);
  }

  #pageUrl(id: number): string {
    const sql = 'SELECT url FROM page WHERE id >= ? AND id < ? ORDER BY id';
    const first = id - (id % BLOCK_PAGES);
    const read = () =>
      this.#db
        .prepare(sql)
        .pluck()
        .all(first, first + BLOCK_PAGES) as string[];
    return this.#held(`page ${first}`, read)[id - first]!;
  }

  #linkUrl(id: number): string {
    const sql = 'SELECT urls FROM link_url WHERE first_id = ?';
    const first = id - (id % LINK_URLS_A_BLOCK);
    const read = () => decodeLinkUrls(this.#db.prepare(sql).pluck().get(first) as Uint8Array);
    return this.#held(`link ${first}`, read)[id - first]!;
  }

  #held(name: string, read: () => string[]): string[] {
    const known = this.#blocks.get(name);
    if (known !== undefined) return known;
    if (this.#blocks.size === HELD_BLOCKS) this.#blocks.delete(this.#blocks.keys().next().value!);
    const urls = read();
    this.#blocks.set(name, urls);
    return urls;
  }
}
