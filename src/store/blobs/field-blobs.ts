/**
 * Values of fields as an index finds pages by them.
 *
 *   field_value.value   number: as it is. text: as it is. date: 8 bytes, the milliseconds since 1970 as a big-endian number that
 *                       2^53 is added to
 *   field_value.pages   pages of a block, as encodeAscending packs their distances from its first page
 */
import type { FieldKey } from '../../page/fields/field-condition.ts';

/** Pages of one block. */
export const FIELD_BLOCK_PAGES = 16_384;

/** SQLite orders numbers before texts and texts before bytes, and each of them among themselves. */
export type StoredFieldValue = number | string | Uint8Array;

export function encodeFieldKey([kind, value]: FieldKey): StoredFieldValue {
  return kind === 'date' ? dateBytes(value) : value;
}

/** Null for bytes that no date is stored as. */
export function decodeFieldKey(value: StoredFieldValue): FieldKey | null {
  if (typeof value === 'number') return ['number', value];
  if (typeof value === 'string') return ['text', value];
  if (value.length !== 8) return null;
  const { buffer, byteOffset } = value;
  return ['date', Number(new DataView(buffer, byteOffset).getBigUint64(0) - 2n ** 53n)];
}

export function dateBytes(ms: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(ms) + 2n ** 53n);
  return bytes;
}
