import { type FieldKey, fieldKey } from '../../page/fields/field-condition.ts';
import { type FieldKind, fieldValues, unpackFields } from '../../page/fields/page-fields.ts';
import { encodeAscending } from '../blobs/blobs.ts';
import { encodeFieldKey, FIELD_BLOCK_PAGES } from '../blobs/field-blobs.ts';
import type { Insert } from './table-writer.ts';

/** Names that are kept beside those that are declared: those of more pages stand in no list of names. */
const MAX_OTHER_NAMES = 1000;

/** Pages of the block that have a value. */
interface Posting {
  readonly key: FieldKey;
  readonly places: number[];
}

/**
 * Fills the fields of a new index. The same pages in the same order give the same rows.
 *
 * Memory  the values of declared fields on 16,384 pages, each once, and 8 bytes for each page that has it.
 */
export class FieldWriter {
  readonly #insert: Insert;
  readonly #declared: Readonly<Record<string, FieldKind>>;
  readonly #declaredNames: readonly string[];
  /** Pages that have a name. */
  readonly #pageCounts: Map<string, number>;
  /** Of each declared field, by kind and text of the value. */
  #postings: readonly Map<string, Posting>[];
  #block = 0;

  constructor(insert: Insert, declared: Readonly<Record<string, FieldKind>>) {
    this.#insert = insert;
    this.#declared = declared;
    this.#declaredNames = Object.keys(declared);
    this.#pageCounts = new Map(this.#declaredNames.map((name) => [name, 0]));
    this.#postings = this.#declaredNames.map(() => new Map());
  }

  add(pageId: number, packed: string): void {
    this.#insert('page_field', pageId, packed);
    const fields = unpackFields(packed);
    for (const name of Object.keys(fields)) {
      const count = this.#pageCounts.get(name);
      const isRoom = this.#pageCounts.size < this.#declaredNames.length + MAX_OTHER_NAMES;
      if (count !== undefined || isRoom) this.#pageCounts.set(name, (count ?? 0) + 1);
    }
    const block = Math.floor(pageId / FIELD_BLOCK_PAGES);
    if (block !== this.#block) this.#endBlock(block);
    for (const [field, name] of this.#declaredNames.entries()) {
      for (const value of fieldValues(fields, name)) this.#post(field, fieldKey(value), pageId);
    }
  }

  #post(field: number, key: FieldKey, pageId: number): void {
    const postings = this.#postings[field]!;
    const name = key.join(' ');
    const place = pageId % FIELD_BLOCK_PAGES;
    const posting = postings.get(name);
    if (posting === undefined) postings.set(name, { key, places: [place] });
    else if (posting.places.at(-1) !== place) posting.places.push(place);
  }

  #endBlock(next: number): void {
    for (const [field, postings] of this.#postings.entries()) {
      for (const { key, places } of postings.values()) {
        this.#insert('field_value', field, encodeFieldKey(key), this.#block, encodeAscending(places));
      }
      postings.clear();
    }
    this.#block = next;
  }

  finish(): void {
    this.#endBlock(0);
    const others = [...this.#pageCounts.keys()].filter((name) => !Object.hasOwn(this.#declared, name)).sort();
    for (const [id, name] of [...this.#declaredNames, ...others].entries()) {
      const kind = Object.hasOwn(this.#declared, name) ? this.#declared[name]! : null;
      this.#insert('field', id, name, kind, this.#pageCounts.get(name)!);
    }
  }
}
