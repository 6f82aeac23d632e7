import type { ShingleSketch } from '../../sketch/shingle-sketch.ts';
import { decodeWords } from '../blobs/blobs.ts';
import {
  CROWDED_VERSIONS,
  decodeKeys,
  decodeShingleBlock,
  decodeText,
  firstVersionCount,
  type ShingleEntry,
} from '../blobs/sketch-blobs.ts';
import type { IndexFile } from '../index-file.ts';
import type { VersionRecord } from '../records.ts';
import { rowShape } from '../stored-values.ts';
import type { StoredSketch } from './input-reader.ts';
import { StoredTexts } from './stored/stored-texts.ts';

interface VersionRow extends Omit<StoredSketch, 'limit' | 'simhash'> {
  readonly id: number;
  readonly textDigest: Uint8Array;
  readonly keyLimit: number | null;
  readonly wordSimhash: Uint8Array | null;
}

const VERSION_ROW = rowShape<VersionRow>('version', {
  id: 'count',
  textDigest: 'bytes',
  tokenDigest: 'bytes',
  shingleDigest: 'bytes',
  tokenCount: 'count',
  shingleCount: 'count',
  keyLimit: 'count or null',
  keys: 'bytes',
  wordSimhash: 'bytes or null',
});
const CAPTURED_PAGE_ROW = rowShape<{ pageId: number; sweepId: number }>('capture', {
  pageId: 'count',
  sweepId: 'count',
});
const TEMPLATE_ROW = rowShape<{ host: string; keys: Uint8Array }>('template_shingle', {
  host: 'text',
  keys: 'bytes',
});
const BLOCK_ROW = rowShape<{ firstKey: number; entries: Uint8Array }>('shingle_block', {
  firstKey: 'count',
  entries: 'bytes',
});
const LAST_BLOCK = 'WHERE first_key <= ? ORDER BY first_key DESC LIMIT 1';
const SKETCH_ROW = rowShape<Pick<VersionRow, 'shingleDigest' | 'shingleCount' | 'keyLimit' | 'keys'>>(
  'version',
  {
    shingleDigest: 'bytes',
    shingleCount: 'count',
    keyLimit: 'count or null',
    keys: 'bytes',
  },
);
const CURRENT_PAGES_SQL = `SELECT page_id FROM capture AS one WHERE version_id = ? AND sweep_id =
  (SELECT max(sweep_id) FROM capture WHERE page_id = one.page_id)
  AND page_id NOT IN (SELECT page_id FROM gone) ORDER BY page_id LIMIT ?`;
const PAGE_COUNT_SQL = 'SELECT count(DISTINCT page_id) FROM capture WHERE version_id = ?';

/** Pages that are there and read as a version does. */
export interface CurrentPages {
  readonly pageIds: readonly number[];
  /** Others that do, or did in an earlier sweep, at most. */
  readonly moreCount: number;
}

/** Which versions share how many of the keys asked for, most shared first, ties by version id. */
export interface SharedShingles {
  readonly versionIds: Uint32Array;
  readonly shared: Uint32Array;
  /** Keys asked for whose versions were not read, as there are too many. */
  readonly unreadCount: number;
}

/** Version numbers that are read for keys of many versions, unless a caller asks for more: some 20 ms of them. */
const MAX_NUMBERS = 2_000_000;

/** The texts of one open index and their sketches. Synchronous, by primary key. */
export class VersionReader {
  /** 0 in an index built without copies. */
  readonly count: number;
  readonly #file: IndexFile;
  readonly #texts: StoredTexts;
  #counter: VersionCounter | undefined;

  constructor(file: IndexFile) {
    this.#file = file;
    this.#texts = new StoredTexts(file);
    this.count = file.rowCount('version');
  }

  /** Errors  CorruptError for an id outside 0..count-1. */
  get(versionId: number): VersionRecord {
    const row = this.#file.get(VERSION_ROW, 'WHERE id = ?', versionId);
    if (row === undefined) throw this.#file.corrupt(`there is no version ${versionId}`);
    return recordOf(row);
  }

  /** What of a version finds its copies; takes a fraction of the time of `get`. */
  sketchOf(versionId: number): { readonly shingleDigest: string; readonly sketch: ShingleSketch } {
    const row = this.#file.get(SKETCH_ROW, 'WHERE id = ?', versionId);
    if (row === undefined) throw this.#file.corrupt(`there is no version ${versionId}`);
    const { shingleDigest, shingleCount, keyLimit, keys } = row;
    const sketch = { keys: decodeKeys(keys), limit: keyLimit ?? Number.POSITIVE_INFINITY, shingleCount };
    return { shingleDigest: hexOf(shingleDigest), sketch };
  }

  /** In id order, for loading into memory. */
  *all(): IterableIterator<VersionRecord> {
    for (const row of this.#file.rows(VERSION_ROW, 'ORDER BY id')) yield recordOf(row);
  }

  /** Version of a text by the digest of its title and text (16 hex digits); -1 where there is none. */
  find(textDigest: string): number {
    const sql = 'SELECT id FROM version WHERE text_digest = ?';
    return this.#file.value<number>(sql, Buffer.from(textDigest, 'hex')) ?? -1;
  }

  /** Version of the latest capture of a page; -1 for an unfetched page. */
  current(pageId: number): number {
    const sql = `SELECT version_id FROM page JOIN capture ON capture.page_id = page.id
      AND capture.sweep_id = page.sweep_id WHERE page.id = ?`;
    return this.#file.value<number | null>(sql, pageId) ?? -1;
  }

  /** Int32Array(pageCount): `current` of every page that is there; -1 for one that is gone. */
  allCurrent(pageCount: number): Int32Array {
    const versions = new Int32Array(pageCount).fill(-1);
    const rows = this.#file.tuples<[number, number]>(
      `SELECT page_id, version_id FROM page JOIN capture ON capture.page_id = page.id
       AND capture.sweep_id = page.sweep_id
       WHERE version_id IS NOT NULL AND page.id NOT IN (SELECT page_id FROM gone)`,
    );
    for (const [pageId, versionId] of rows) versions[pageId] = versionId;
    return versions;
  }

  /** Null where texts are not kept. */
  text(versionId: number): { title: string; text: string } | null {
    const text = this.#texts.get(versionId);
    return text === null ? null : decodeText(text);
  }

  /** Captures with this text, by page, oldest sweep first. */
  pagesOf(versionId: number): { pageId: number; sweepId: number }[] {
    const which = 'WHERE version_id = ? ORDER BY page_id, sweep_id';
    const captures = this.#file.all(CAPTURED_PAGE_ROW, which, versionId);
    for (const { pageId } of captures) this.#file.pageId(pageId);
    return captures;
  }

  /**
   * Pages whose latest capture has this text, ascending, the first `limit`.
   *
   * Cost  2 us a page; where there are more than `limit`, .05 us for each that ever had the text.
   */
  currentPagesOf(versionId: number, limit: number): CurrentPages {
    const pageIds = this.#file.values<number>(CURRENT_PAGES_SQL, versionId, limit + 1);
    for (const pageId of pageIds) this.#file.pageId(pageId);
    if (pageIds.length <= limit) return { pageIds, moreCount: 0 };
    const [count] = this.#file.values<number>(PAGE_COUNT_SQL, versionId);
    return { pageIds: pageIds.slice(0, limit), moreCount: count! - limit };
  }

  /**
   * Versions that are looked up by some of `keys`: their lowest, see `sketch/lookup-keys.ts`. Keys of many versions are
   * read last, the rarest first, as long as the sum of their versions is bearable.
   *
   * Shape  keys ascending, of a sketch made with the parameters of this index.
   * Cost   a block of 2 KB a key, or less where keys are close.
   */
  withShingle(keys: Float64Array, maxNumbers = MAX_NUMBERS): SharedShingles {
    const counter = (this.#counter ??= new VersionCounter(this.count));
    const frequent: { firstKey: number; entries: Uint8Array; count: number }[] = [];
    let block: ShingleEntry[] = [];
    let blockKey = -1;
    for (const key of keys) {
      const row = this.#file.get(BLOCK_ROW, LAST_BLOCK, key);
      if (row === undefined) continue;
      if (row.firstKey !== blockKey) {
        const count = firstVersionCount(row.entries);
        if (count >= CROWDED_VERSIONS) {
          if (row.firstKey === key) frequent.push({ ...row, count });
          continue;
        }
        block = decodeShingleBlock(row.firstKey, row.entries);
        blockKey = row.firstKey;
      }
      counter.add(entryOf(block, key)?.versionIds ?? []);
    }
    let left = maxNumbers;
    let unreadCount = 0;
    for (const { firstKey, entries, count } of frequent.sort((a, b) => a.count - b.count)) {
      if (count > left) {
        unreadCount++;
        continue;
      }
      left -= count;
      counter.add(decodeShingleBlock(firstKey, entries)[0]!.versionIds);
    }
    return { ...counter.mostFirst(), unreadCount };
  }

  /** Every key of the inverted index, ascending. */
  *allShingles(): IterableIterator<ShingleEntry> {
    for (const { firstKey, entries } of this.#file.rows(BLOCK_ROW, 'ORDER BY first_key')) {
      yield* decodeShingleBlock(firstKey, entries);
    }
  }

  /** Template keys of a host (`hostOf` of a URL), ascending; empty where it has none. */
  templateOf(host: string): Float64Array {
    const row = this.#file.get(TEMPLATE_ROW, 'WHERE host = ?', host);
    return row === undefined ? new Float64Array(0) : decodeKeys(row.keys);
  }

  /** `templateOf` every host that has one. */
  allTemplates(): Map<string, Float64Array> {
    return new Map(this.#file.all(TEMPLATE_ROW, '').map(({ host, keys }) => [host, decodeKeys(keys)]));
  }
}

/** How often each of 0..n-1 was added since the last answer. Memory  4 bytes each. */
class VersionCounter {
  readonly #counts: Uint32Array;
  #met: number[] = [];

  constructor(versionCount: number) {
    this.#counts = new Uint32Array(versionCount);
  }

  add(versionIds: ArrayLike<number>): void {
    for (let i = 0; i < versionIds.length; i++) {
      const id = versionIds[i]!;
      if (this.#counts[id]!++ === 0) this.#met.push(id);
    }
  }

  /** Ties by id. */
  mostFirst(): { versionIds: Uint32Array; shared: Uint32Array } {
    const order = Float64Array.from(this.#met, (id) => id - 4294967296 * this.#counts[id]!).sort();
    const versionIds = Uint32Array.from(
      order,
      (place) => place - 4294967296 * Math.floor(place / 4294967296),
    );
    const shared = versionIds.map((id) => this.#counts[id]!);
    for (const id of versionIds) this.#counts[id] = 0;
    this.#met = [];
    return { versionIds, shared };
  }
}

function recordOf(row: VersionRow): VersionRecord {
  return {
    id: row.id,
    textDigest: hexOf(row.textDigest),
    tokenDigest: hexOf(row.tokenDigest),
    shingleDigest: hexOf(row.shingleDigest),
    tokenCount: row.tokenCount,
    simhash: row.wordSimhash === null ? null : decodeWords(row.wordSimhash),
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

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
