/**
 * Reads a table of judgements: tab-separated lines under one line of column names.
 *
 *   url <TAB> label              labels of pages, several in one cell as a|b
 *   url_a <TAB> url_b <TAB> grade   judged pairs, the grade a number from 0
 *
 * Other columns and empty lines are ignored.
 */
import { readFileSync } from 'node:fs';
import { InputError, optionFault } from '../../errors.ts';
import { formatNumberOf } from '../terminal/table.ts';

const LABEL_COLUMNS = ['label', 'labels', 'class', 'categories', 'section', 'tags'] as const;

export interface LabelRow {
  readonly line: number;
  readonly url: string;
  /** Empty where the cell is. */
  readonly labels: readonly string[];
}

export interface PairRow {
  readonly line: number;
  readonly urlA: string;
  readonly urlB: string;
  readonly grade: number;
}

export type JudgementTable =
  | { readonly kind: 'labels'; readonly column: string; readonly rows: readonly LabelRow[] }
  | { readonly kind: 'pairs'; readonly rows: readonly PairRow[] };

/**
 * Shape   `name` is the file's, for messages; `labelColumn` null to look for one of LABEL_COLUMNS.
 * Errors  InputError with `name:line` and the column: AKIN_ERR_INPUT_EMPTY without rows,
 *         AKIN_ERR_OPTION for missing or ambiguous columns, AKIN_ERR_INPUT_UNREADABLE for a bad line.
 */
export function readJudgementTable(name: string, text: string, labelColumn: string | null): JudgementTable {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const header = (lines[0] ?? '').split('\t').map((cell) => cell.trim());
  const rows: Row[] = [];
  for (const [i, content] of lines.entries()) {
    if (i === 0 || content.trim() === '') continue;
    rows.push(new Row(name, i + 1, header, content.split('\t')));
  }
  const isPairs = labelColumn === null && header.includes('url_a');
  if (isPairs) requireColumns(name, header, ['url_a', 'url_b', 'grade']);
  else requireColumns(name, header, ['url']);
  const column = isPairs ? '' : labelColumnOf(name, header, labelColumn);
  if (rows.length === 0) {
    throw new InputError('AKIN_ERR_INPUT_EMPTY', `${name} has column names but no lines`, {
      hint: 'give one line for each page (url, label) or judged pair (url_a, url_b, grade)',
    });
  }
  return isPairs ? { kind: 'pairs', rows: rows.map(pairRow) } : labelTable(column, rows);
}

class Row {
  readonly line: number;
  readonly #name: string;
  readonly #header: readonly string[];
  readonly #cells: readonly string[];

  constructor(name: string, line: number, header: readonly string[], cells: readonly string[]) {
    this.line = line;
    this.#name = name;
    this.#header = header;
    this.#cells = cells;
  }

  cell(column: string): string {
    const cell = this.#cells[this.#header.indexOf(column)];
    if (cell === undefined)
      throw this.fault(column, `the line has only ${formatNumberOf(this.#cells.length, 'cell')}`);
    return cell.trim();
  }

  needed(column: string): string {
    const cell = this.cell(column);
    if (cell === '') throw this.fault(column, 'is empty');
    return cell;
  }

  fault(column: string, what: string): InputError {
    return rowFault(this.#name, this.line, column, what);
  }
}

/** What is wrong in one cell. */
export function rowFault(name: string, line: number, column: string, what: string): InputError {
  return new InputError('AKIN_ERR_INPUT_UNREADABLE', `${name}:${line}: column ${column}: ${what}`, {
    hint: 'correct that line; one tab separates two cells',
  });
}

function labelTable(column: string, rows: readonly Row[]): JudgementTable {
  const labelsOf = (row: Row) => [
    ...new Set(
      row
        .cell(column)
        .split('|')
        .map((label) => label.trim())
        .filter((label) => label !== ''),
    ),
  ];
  return {
    kind: 'labels',
    column,
    rows: rows.map((row) => ({ line: row.line, url: row.needed('url'), labels: labelsOf(row) })),
  };
}

function pairRow(row: Row): PairRow {
  const text = row.needed('grade');
  const grade = Number(text);
  if (!Number.isFinite(grade) || grade < 0) throw row.fault('grade', `"${text}" is not a number from 0`);
  return { line: row.line, urlA: row.needed('url_a'), urlB: row.needed('url_b'), grade };
}

function labelColumnOf(name: string, header: readonly string[], wanted: string | null): string {
  if (wanted !== null) {
    requireColumns(name, header, [wanted]);
    return wanted;
  }
  const found = LABEL_COLUMNS.filter((column) => header.includes(column));
  if (found.length === 1) return found[0]!;
  const what =
    found.length === 0
      ? `no column named ${LABEL_COLUMNS.join(', ')}`
      : `several columns of labels: ${found.join(', ')}`;
  throw optionFault(
    `${name}:1: ${what}`,
    `choose one with --label-column NAME, or give the others another name; the columns are: ${header.join(', ')}`,
  );
}

function requireColumns(name: string, header: readonly string[], wanted: readonly string[]): void {
  for (const column of wanted) {
    const count = header.filter((other) => other === column).length;
    if (count === 1) continue;
    const what = count === 0 ? `no column ${column}` : `two columns ${column}`;
    throw optionFault(
      `${name}:1: ${what}`,
      `the first line names the columns, separated by tabs; the columns are: ${header.join(', ')}`,
    );
  }
}

/** The text of a table. Errors  InputError AKIN_ERR_INPUT_MISSING. */
export function readTable(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new InputError('AKIN_ERR_INPUT_MISSING', `cannot read the labels ${path}`, {
      hint: 'give a file of tab-separated lines; akin help evaluate shows its form',
      cause,
    });
  }
}
