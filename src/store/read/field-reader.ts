import { type FieldTest, passes } from '../../page/fields/field-condition.ts';
import { type PageFields, readFields, unpackFields } from '../../page/fields/page-fields.ts';
import { decodeAscending } from '../blobs/blobs.ts';
import { dateBytes, FIELD_BLOCK_PAGES } from '../blobs/field-blobs.ts';
import type { IndexFile } from '../index-file.ts';
import type { FieldRecord } from '../records.ts';
import { rowShape } from '../stored-values.ts';

/** Pages that are looked at one by one before those that pass are found all at once. */
const FEW_PAGES = 64;
/** Sets of pages that are kept, a bit a page each. */
const MAX_SETS = 64;
/** To find a page in the file by its value, and to look at one whose fields must be read. */
const POSTING_US = 1;
const SCAN_US = 4;
/** To look at one page. */
const LOOK_US = 10;

/** What an answer may do. */
interface FieldWork {
  spend(us: number): void;
}

const FIELD_ROW = rowShape<FieldRecord & { id: number }>('field', {
  id: 'count',
  name: 'text',
  kind: 'text or null',
  pageCount: 'count',
});
const PAGE_ROW = rowShape<{ pageId: number; fields: string }>('page_field', {
  pageId: 'count',
  fields: 'text',
});
const VALUE_ROW = rowShape<{ block: number; pages: Uint8Array }>('field_value', {
  block: ['count', 'block_id'],
  pages: 'bytes',
});
const VALUE_SQL = 'WHERE field_id = ? AND';

/** A bit a page. */
type PageSet = Uint8Array;

/** In the order of names. */
export function readFieldNames(file: IndexFile): FieldRecord[] {
  return file.all(FIELD_ROW, 'ORDER BY name').map(({ name, kind, pageCount }) => ({ name, kind, pageCount }));
}

/** The fields of the pages of one open index. */
export class FieldReader {
  readonly #file: IndexFile;
  readonly #sets = new Map<string, PageSet>();

  constructor(file: IndexFile) {
    this.#file = file;
  }

  /** Of a page; empty where it has none. */
  get(pageId: number): PageFields {
    const row = this.#file.get(PAGE_ROW, 'WHERE page_id = ?', pageId);
    return row === undefined ? {} : this.#fieldsOf(row);
  }

  #fieldsOf({ pageId, fields: packed }: { pageId: number; fields: string }): PageFields {
    const fields = this.#file.decode(`the fields of page ${pageId}`, () => readFields(unpackFields(packed)));
    if (typeof fields === 'string') throw this.#file.corrupt(`page ${pageId} has ${fields}`);
    return fields;
  }

  /**
   * Says of pages whether they have a value that passes. A few are looked at by themselves; for more, all that pass are found
   * at once, and kept: by value where the field was declared, else by the fields of every page.
   *
   * @param work is charged beforehand with what that takes, in microseconds.
   */
  test(name: string, tests: readonly FieldTest[], work: FieldWork): (pageId: number) => boolean {
    const key = JSON.stringify([name, tests]);
    let set = this.#sets.get(key);
    let lookedCount = 0;
    return (pageId) => {
      if (set === undefined && ++lookedCount > FEW_PAGES) set = this.#setOf(key, name, tests, work);
      if (set !== undefined) return isIn(set, pageId);
      work.spend(LOOK_US);
      return passes(this.get(pageId), name, tests);
    };
  }

  #setOf(key: string, name: string, tests: readonly FieldTest[], work: FieldWork): PageSet {
    const field = this.#file.get(FIELD_ROW, 'WHERE name = ?', name);
    const isFound = field !== undefined && field.kind !== null;
    work.spend(isFound ? field.pageCount * POSTING_US : this.#file.rowCount('page_field') * SCAN_US);
    const set: PageSet = new Uint8Array(Math.ceil(this.#file.pageCount / 8));
    if (isFound) for (const test of tests) this.#addFound(set, field.id, test);
    else this.#addScanned(set, name, tests);
    if (this.#sets.size === MAX_SETS) this.#sets.delete(this.#sets.keys().next().value!);
    this.#sets.set(key, set);
    return set;
  }

  #addFound(set: PageSet, field: number, test: FieldTest): void {
    for (const { block, pages } of this.#postings(field, test)) {
      const places = this.#file.decode('pages of a value', () => decodeAscending(pages));
      for (const place of places) add(set, block * FIELD_BLOCK_PAGES + place);
    }
  }

  /** Numbers come before texts in the order of the file, and texts before dates. */
  #postings(field: number, test: FieldTest) {
    if (test[0] === 'text') return this.#file.rows(VALUE_ROW, `${VALUE_SQL} value = ?`, field, test[1]);
    const [kind, from, to] = test;
    if (kind === 'date') {
      const [first, last] = [from ?? -LAST_MS, to ?? LAST_MS].map((ms) => dateBytes(ms));
      return this.#file.rows(VALUE_ROW, `${VALUE_SQL} value BETWEEN ? AND ?`, field, first, last);
    }
    const [first, last] = [from ?? -Number.MAX_VALUE, to ?? Number.MAX_VALUE];
    return this.#file.rows(VALUE_ROW, `${VALUE_SQL} value BETWEEN ? AND ?`, field, first, last);
  }

  #addScanned(set: PageSet, name: string, tests: readonly FieldTest[]): void {
    const member = `${JSON.stringify(name)}:`;
    for (const row of this.#file.rows(PAGE_ROW, '')) {
      if (row.fields.includes(member) && passes(this.#fieldsOf(row), name, tests)) add(set, row.pageId);
    }
  }
}

/** The end of time for a Date. */
const LAST_MS = 8.64e15;

function add(set: PageSet, pageId: number): void {
  set[pageId >> 3]! |= 1 << (pageId & 7);
}

function isIn(set: PageSet, pageId: number): boolean {
  return pageId >= 0 && (set[pageId >> 3]! & (1 << (pageId & 7))) !== 0;
}
