/** What a column of an index may hold. SQLite gives back whatever a damaged page says, STRICT tables or not. */
import { cutText } from '../lib/cut-text.ts';
import { inWords } from '../lib/in-words.ts';

/** The end of time for a Date. */
const LAST_MS = 8.64e15;
/** As `canonicalUrl` leaves it: nothing that a JSON string or an attribute would have to escape, and no other scheme. */
const CANONICAL_URL = /^https?:\/\/[!#-;=?-[\]-~]+$/;
/** What may stand in an attribute that loads something: no script. */
const WEB_ADDRESS = /^https?:\/\//;

type Test = (value: unknown) => boolean;

const isCount: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isText: Test = (value) => typeof value === 'string';

const KINDS = {
  number: Number.isFinite as Test,
  count: isCount,
  time: (value) => Number.isSafeInteger(value) && Math.abs(value as number) <= LAST_MS,
  text: isText,
  url: (value) => typeof value === 'string' && CANONICAL_URL.test(value),
  bytes: (value) => value instanceof Uint8Array,
  'count or null': (value) => value === null || isCount(value),
  'web address or null': (value) => value === null || (typeof value === 'string' && WEB_ADDRESS.test(value)),
  'text or null': (value) => value === null || isText(value),
  'bytes or null': (value) => value === null || value instanceof Uint8Array,
} as const satisfies Record<string, Test>;

type Kind = keyof typeof KINDS;

/** The rows of a table as one statement gives them. */
export interface RowShape<Row> {
  readonly table: string;
  /** The statement without its conditions. */
  readonly select: string;
  readonly columns: readonly (readonly [name: keyof Row & string, test: Test])[];
}

/**
 * What each member of a row has to be: by default it is the column of its name in snake case, else it comes with what it is.
 *
 * @param from the table, and those that are joined with it.
 */
export function rowShape<Row>(
  from: string,
  kinds: { readonly [Column in keyof Row]-?: Kind | readonly [kind: Kind, sql: string] },
): RowShape<Row> {
  const names = Object.keys(kinds) as (keyof Row & string)[];
  const columns = names.map((name) => {
    const said: Kind | readonly [Kind, string] = kinds[name];
    const [kind, sql] = typeof said === 'string' ? [said, inWords(name, '_')] : said;
    return { name, test: KINDS[kind], sql };
  });
  return {
    table: /^\w+/.exec(from)![0],
    select: `SELECT ${columns.map(({ name, sql }) => `${sql} AS "${name}"`).join(', ')} FROM ${from}`,
    columns: columns.map(({ name, test }) => [name, test] as const),
  };
}

/**
 * What is wrong with a row; null where nothing is.
 *
 * Cost  0.4 microseconds for a row of page, half of them its URL.
 */
export function faultOfRow<Row>(row: Row, { table, columns }: RowShape<Row>): string | null {
  for (const [name, test] of columns) {
    if (test(row[name])) continue;
    const value =
      row[name] instanceof Uint8Array ? 'bytes' : cutText(JSON.stringify(row[name]) ?? 'nothing', 80);
    return `table ${table} has a row whose ${name} is ${value}`;
  }
  return null;
}
