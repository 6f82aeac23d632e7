/** A page that waits for a fold, as it is made once and passed on to every thread that answers. */
import type { Bag } from '../../../features/bag.ts';
import type { Reach } from '../../../join/exact/reach.ts';
import type { PageCard } from '../../../page/card/page-card.ts';
import type { PageFields } from '../../../page/fields/page-fields.ts';
import type { VersionRecord } from '../../../store/records.ts';

export interface PendingPage {
  /** Canonical. */
  readonly url: string;
  /** Its id in the index; -1 where that has no page of this URL. */
  readonly pageId: number;
  /** Of its record. */
  readonly fetchedAtMs: number;
  /** Null for a page that is gone. */
  readonly said: PageSaid | null;
}

/** What a page says, and where that puts it in the index. Arrays stand in memory that threads share. */
export interface PageSaid {
  readonly title: string;
  readonly lang: string | null;
  /** Id of its site in the index; -1 where that has none. */
  readonly siteId: number;
  readonly wordCount: number;
  readonly card: PageCard;
  /** Of its owner's, as `packFeatures` packs them. */
  readonly features: string;
  readonly fields: PageFields;
  readonly mediaType: string;
  readonly bodyBytes: number;
  readonly textDigest: string;
  /** Null in an index without copies. */
  readonly version: Omit<VersionRecord, 'id'> | null;
  /** In UTF-8; null in an index that keeps no texts. */
  readonly text: Uint8Array | null;
  /** What a search finds it by; null in an index without search. */
  readonly words: PageWords | null;
  /** Of the relation by words; without a feature in an index that has none. */
  readonly bag: Bag;
  /** Null where lists of the index are not of the nearest bags. */
  readonly reach: Reach | null;
}

/** The words of a page as `searchWords` gives them, each once. */
export interface PageWords {
  /** In UTF-8, a space between two. */
  readonly text: Uint8Array;
  /** Of each how often it stands in the title. */
  readonly titleHits: Uint32Array;
  /** Word i stands at places[ends[i - 1]] .. places[ends[i] - 1], ascending; the text begins one place behind the title. */
  readonly ends: Uint32Array;
  readonly places: Uint32Array;
  /** Words of title and text. */
  readonly length: number;
}

/** The same value, its arrays in one piece of memory that threads share. */
export function inSharedMemory<Value>(value: Value): Value {
  const arrays = arraysIn(value);
  const sizeBytes = arrays.reduce((sum, { byteLength }) => sum + aligned(byteLength), 0);
  const memory = new SharedArrayBuffer(sizeBytes);
  let at = 0;
  const copies = new Map<unknown, unknown>();
  for (const array of arrays) {
    const copy = new (array.constructor as Uint8ArrayConstructor)(memory as never, at, array.length);
    copy.set(array as Uint8Array);
    copies.set(array, copy);
    at += aligned(array.byteLength);
  }
  return withCopies(value, copies) as Value;
}

/** Longest element of an array. */
const ALIGNMENT = 8;
const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

function arraysIn(value: unknown): Uint8Array[] {
  if (ArrayBuffer.isView(value)) return [value as Uint8Array];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(arraysIn) : [];
}

function withCopies(value: unknown, copies: ReadonlyMap<unknown, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) return copies.get(value);
  if (Array.isArray(value)) return value.map((one) => withCopies(one, copies));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withCopies(one, copies)]));
}
