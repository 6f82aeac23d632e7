/** Rows as text. */

type Cell = string | number | boolean | null | undefined | object;
/** Cells by their columns; a cell that is null or undefined is empty. */
export type Row = Readonly<Record<string, Cell>>;

export const FORMATS = ['tsv', 'csv', 'ndjson', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** How rows are written. */
export interface Lines {
  readonly head: (columns: readonly string[]) => string;
  readonly line: (row: Row, columns: readonly string[], isFirst: boolean) => string;
  readonly tail: string;
}

/**
 * tsv: no quotes; a tab or a line break inside a cell is a space. csv: RFC 4180. ndjson: an object a line. json: an array of
 * the same objects. In tables a list is its items with commas, an object is JSON.
 */
export const LINES: Readonly<Record<Format, Lines>> = {
  tsv: { head: (columns) => `${columns.join('\t')}\n`, line: tableLine('\t', flat), tail: '' },
  csv: { head: (columns) => `${columns.join(',')}\r\n`, line: tableLine(',', quoted, '\r\n'), tail: '' },
  ndjson: { head: () => '', line: (row) => `${JSON.stringify(row).replace(LINE_ENDS, escaped)}\n`, tail: '' },
  json: {
    head: () => '[\n',
    line: (row, _columns, isFirst) => `${isFirst ? '' : ',\n'}${JSON.stringify(row)}`,
    tail: '\n]\n',
  },
};

/** Ends of lines to some readers, such as node:readline, that JSON may hold. */
const LINE_ENDS = /[\u2028\u2029]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16)}`;
}

function tableLine(between: string, write: (text: string) => string, end = '\n'): Lines['line'] {
  return (row, columns) => columns.map((name) => write(cellText(row[name]))).join(between) + end;
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (Array.isArray(cell) && cell.every((one) => typeof one !== 'object')) return cell.join(',');
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

function flat(text: string): string {
  return /[\t\r\n]/.test(text) ? text.replace(/[\t\r\n]+/g, ' ') : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows of pages as text, a piece for each array of rows, '' where it is empty. */
export async function* rowTexts(
  rows: AsyncIterable<readonly Row[]>,
  columns: readonly string[],
  { head, line, tail }: Lines,
): AsyncGenerator<string> {
  yield head(columns);
  let isFirst = true;
  for await (const some of rows) {
    let text = '';
    for (const row of some) {
      text += line(row, columns, isFirst);
      isFirst = false;
    }
    yield text;
  }
  yield tail;
}
