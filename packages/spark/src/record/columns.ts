/**
 * Records of stages as lines of text: columns apart by tabs, one record a line.
 *
 *   long, int, double  as JavaScript writes them     boolean  true, false
 *   text               \t \n \r \\ escaped           binary   base64
 *   a column that may be null (its type ends in ?) is \N where it is
 *
 * The form is that of `SELECT TRANSFORM ... ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t'` of Spark, whose \N it shares.
 */
import { type InputError, optionFault } from 'akin-web/rooms/errors';

/** Raised when a line of old columns would be read as something else. */
export const RECORDS_VERSION = 5;

interface ValueTypes {
  readonly long: number;
  readonly int: number;
  readonly double: number;
  readonly boolean: boolean;
  readonly text: string;
  readonly binary: Uint8Array;
}

type Kind = keyof ValueTypes;
export type ColumnType = Kind | `${Kind}?`;
/** Names and types, in the order of the columns. */
export type Columns = Readonly<Record<string, ColumnType>>;

type ValueOf<T extends ColumnType> = T extends `${infer K extends Kind}?`
  ? ValueTypes[K] | null
  : T extends Kind
    ? ValueTypes[T]
    : never;
/** A record as an object by column. */
export type RowOf<C extends Columns> = { readonly [Name in keyof C]: ValueOf<C[Name]> };

const NULL = '\\N';
const ESCAPED: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' };
const UNESCAPED: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', '\\': '\\' };
const NEEDS_ESCAPE = /[\t\n\r\\]/;

/** Reads and writes the lines of one set of columns. */
export class LineFormat<C extends Columns> {
  readonly #columns: readonly { readonly name: string; readonly kind: Kind; readonly isNullable: boolean }[];

  constructor(columns: C) {
    this.#columns = Object.entries(columns).map(([name, type]) => ({
      name,
      kind: type.replace('?', '') as Kind,
      isNullable: type.endsWith('?'),
    }));
  }

  /** Errors  InputError AKIN_ERR_OPTION that names the column. */
  parse(line: string): RowOf<C> {
    const fields = line.split('\t');
    if (fields.length !== this.#columns.length) {
      throw badLine(`${fields.length} columns, where ${this.#columns.length} are due`);
    }
    const row: Record<string, unknown> = {};
    for (const [i, { name, kind, isNullable }] of this.#columns.entries()) {
      const field = fields[i]!;
      if (field === NULL && !isNullable) throw badLine(`the column ${name} is null`);
      row[name] = field === NULL ? null : parseField(name, kind, field);
    }
    return row as RowOf<C>;
  }

  /** One line, with its end. */
  format(row: RowOf<C>): string {
    let line = '';
    for (const [i, { name, kind }] of this.#columns.entries()) {
      const value = row[name] as ValueTypes[Kind] | null;
      line += `${i === 0 ? '' : '\t'}${value === null ? NULL : formatField(kind, value)}`;
    }
    return `${line}\n`;
  }
}

function badLine(what: string): InputError {
  return optionFault(what, 'akin-stage NAME --describe lists the columns');
}

function parseField(name: string, kind: Kind, field: string): ValueTypes[Kind] {
  if (kind === 'text') return unescapeText(field);
  if (kind === 'binary') return Buffer.from(field, 'base64');
  if (kind === 'boolean') {
    if (field !== 'true' && field !== 'false') throw badLine(`the column ${name} is neither true nor false`);
    return field === 'true';
  }
  const value = Number(field);
  if (field === '' || !(kind === 'double' ? !Number.isNaN(value) : Number.isSafeInteger(value))) {
    throw badLine(`the column ${name} is "${field.slice(0, 40)}", which is no ${kind}`);
  }
  return value;
}

function formatField(kind: Kind, value: ValueTypes[Kind]): string {
  if (kind === 'text') return escapeText(value as string);
  if (kind !== 'binary') return String(value);
  const bytes = value as Uint8Array;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function escapeText(text: string): string {
  // Half of a surrogate pair has no UTF-8.
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return NEEDS_ESCAPE.test(whole) ? whole.replace(/[\t\n\r\\]/g, (unit) => ESCAPED[unit]!) : whole;
}

function unescapeText(field: string): string {
  return field.includes('\\') ? field.replace(/\\([tnr\\])/g, (_, unit: string) => UNESCAPED[unit]!) : field;
}
