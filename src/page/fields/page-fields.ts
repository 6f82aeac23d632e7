/**
 * Fields that a page's owner gives beside its text, for lists to show and to be narrowed by: a category, a price, tags.
 *
 *   {"category": "tea", "price": 12.5, "tags": ["green", "loose"], "organic": true}
 *
 * They travel as the JSON text of that, names in order, '' where there are none.
 */
import { cutText } from '../../lib/cut-text.ts';
import { dateSpan } from './field-date.ts';

export type FieldScalar = string | number | boolean;
type FieldValue = FieldScalar | readonly FieldScalar[];
export type PageFields = Readonly<Record<string, FieldValue>>;

/** What every value of a declared field must be. */
export const FIELD_KINDS = ['any', 'number', 'date'] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

const MAX_NAMES = 64;
const MAX_BYTES = 4096;
const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
export const FIELD_NAME_FORM = '1 to 64 of A-Z, a-z, 0-9, "_", "-" and ".", a letter first';

export function isFieldName(name: string): boolean {
  return NAME.test(name);
}

/** The fields of a record, or what is wrong with them, in words. Those that are null, or undefined in a program, are left out. */
export function readFields(given: unknown): PageFields | string {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return 'fields: expected an object';
  const fields = Object.entries(given).filter(([, value]) => (value ?? null) !== null);
  if (fields.length > MAX_NAMES) return `fields: ${fields.length} names; ${MAX_NAMES} are allowed`;
  for (const [name, value] of fields) {
    if (!isFieldName(name)) return `fields: the name ${shown(name)} is not of ${FIELD_NAME_FORM}`;
    const wrong = valuesOf(value).filter((one) => !isScalar(one));
    if (wrong.length > 0) return `fields.${name}: ${shown(wrong[0])} is no text, number, true or false`;
  }
  const read = Object.fromEntries(fields) as PageFields;
  const { length } = new TextEncoder().encode(packFields(read));
  return length <= MAX_BYTES ? read : `fields: ${length} bytes as JSON; ${MAX_BYTES} are allowed`;
}

type Kinds = Readonly<Record<string, FieldKind>>;

/** Fields without the values that are not of the kind that was declared, and the first of these, in words; null for none. */
export function ofKinds(
  fields: PageFields,
  declared: Kinds,
): { readonly fields: PageFields; readonly fault: string | null } {
  let fault: string | null = null;
  const kept = Object.entries(fields).map(([name, value]) => {
    const kind = Object.hasOwn(declared, name) ? declared[name]! : 'any';
    const wrong = (valuesOf(value) as readonly FieldScalar[]).filter((one) => !isOfKind(one, kind));
    if (wrong.length === 0) return [name, value];
    fault ??= `fields.${name}: ${shown(wrong[0])} is no ${kind}`;
    return [name, valuesOf(value).filter((one) => isOfKind(one, kind))];
  });
  if (fault === null) return { fields, fault };
  // As of a list without values, nothing is kept of a name without one.
  return { fields: unpackFields(packFields(Object.fromEntries(kept))), fault };
}

/** '' for none. */
export function packFields(fields: PageFields): string {
  const named = Object.entries(fields).filter(([, value]) => valuesOf(value).length > 0);
  if (named.length === 0) return '';
  return JSON.stringify(Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1))));
}

export function unpackFields(packed: string): PageFields {
  return packed === '' ? {} : (JSON.parse(packed) as PageFields);
}

/** Those of `names` alone; undefined for a page that has none of them. */
export function fieldsNamed(fields: PageFields, names: readonly string[]): PageFields | undefined {
  const entries = Object.entries(fields).filter(([name]) => names.includes(name));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** All values of a field of a page, none where it has none. */
export function fieldValues(fields: PageFields, name: string): readonly FieldScalar[] {
  return Object.hasOwn(fields, name) ? (valuesOf(fields[name]) as readonly FieldScalar[]) : [];
}

function valuesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function isScalar(value: unknown): value is FieldScalar {
  if (typeof value === 'string') return value.isWellFormed();
  return typeof value === 'boolean' || Number.isFinite(value);
}

function isOfKind(value: unknown, kind: FieldKind): boolean {
  if (kind === 'date') return typeof value === 'string' && dateSpan(value) !== null;
  return kind === 'any' || typeof value === 'number';
}

function shown(value: unknown): string {
  try {
    return cutText(JSON.stringify(value) ?? 'nothing', 60);
  } catch {
    // What a program may give: a BigInt, or an object with a circle.
    return `a value of the type ${typeof value}`;
  }
}
