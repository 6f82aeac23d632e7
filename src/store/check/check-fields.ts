import { fieldKey } from '../../page/fields/field-condition.ts';
import { fieldValues, packFields, readFields, unpackFields } from '../../page/fields/page-fields.ts';
import { decodeAscending } from '../blobs/blobs.ts';
import { decodeFieldKey, FIELD_BLOCK_PAGES, type StoredFieldValue } from '../blobs/field-blobs.ts';
import { RowSum } from '../digest.ts';
import type { IndexFile } from '../index-file.ts';
import type { IndexReader } from '../read/reader.ts';
import type { Faults } from './relation/check-relation.ts';

/** Fields are of pages that are there; names count their pages; each value of a declared field leads to the pages that have it. */
export function checkFields(reader: IndexReader, faults: Faults): void {
  const names = reader.card().fields;
  const pageCounts = new Map<string, number>();
  const declared = names.filter(({ kind }) => kind !== null);
  const expected = new RowSum();
  const { file } = reader;
  for (const [pageId, packed] of file.tuples<[number, string]>('SELECT page_id, fields FROM page_field')) {
    const fields = readFields(unpackFields(packed));
    if (typeof fields === 'string' || packFields(fields) !== packed || packed === '') {
      faults.push(`page ${pageId} has fields that no build writes`);
      continue;
    }
    if (!reader.input.isThere(pageId)) faults.push(`page ${pageId} has fields, but is not there`);
    for (const name of Object.keys(fields)) pageCounts.set(name, (pageCounts.get(name) ?? 0) + 1);
    for (const { name } of declared) {
      const keys = new Set(fieldValues(fields, name).map((value) => JSON.stringify(fieldKey(value))));
      for (const key of keys) expected.add([name, key, pageId]);
    }
  }
  for (const { name, pageCount } of names) {
    const count = pageCounts.get(name) ?? 0;
    if (count !== pageCount) faults.push(`field ${name} counts ${pageCount} pages, ${count} have it`);
  }
  const { sum, rowCount } = foundSum(file).digest('');
  const found = expected.digest('');
  if (rowCount !== found.rowCount || Buffer.compare(sum, found.sum) !== 0) {
    faults.push(`values of fields lead to ${rowCount} pages, not to the ${found.rowCount} that have them`);
  }
}

/** Of what is found by values. */
function foundSum(file: IndexFile): RowSum {
  const sum = new RowSum();
  const rows = file.tuples<[string, StoredFieldValue, number, Uint8Array]>(
    'SELECT name, value, block_id, pages FROM field_value JOIN field ON field.id = field_id WHERE kind IS NOT NULL',
  );
  for (const [name, value, block, pages] of rows) {
    for (const place of decodeAscending(pages)) {
      sum.add([name, JSON.stringify(decodeFieldKey(value)), block * FIELD_BLOCK_PAGES + place]);
    }
  }
  return sum;
}
