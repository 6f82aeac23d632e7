/** Reads what is asked by parameters, and names it. */
import { Type } from '../../../lib/json-schema.ts';
import { keptIn } from '../../../lib/kept.ts';
import {
  type Asked,
  isPlain,
  type Parameter,
  type Parameters,
  propertiesOf,
} from '../../schemas/parameter.ts';
import { parameterProblem } from '../problems/problem.ts';
import { parameterReader } from './parameter-reader.ts';
import { textHash } from './request-key.ts';

type Values = Record<string, unknown>;
interface NamedRow {
  readonly name: string;
  readonly row: Parameter;
}

/** Rows by what is done with them, sorted out once: requests walk them. */
interface Sorted {
  /** Those with one form for all ways to write a value. */
  readonly formed: readonly NamedRow[];
  /** Those that say what an answer holds. */
  readonly asking: readonly NamedRow[];
  readonly views: readonly NamedRow[];
  /** Names of those whose values may stand in one. */
  readonly split: readonly string[];
  /** Names of lists of NAME=VALUE. */
  readonly named: readonly string[];
}

const sorted = new WeakMap<Parameters, Sorted>();
/** Made once for all apps of a process. */
const readers = new WeakMap<Parameters, (input: unknown) => object>();

function sortedRows(rows: Parameters): Sorted {
  return keptIn(sorted, rows, () => {
    const named = Object.entries(rows).map(([name, row]): NamedRow => ({ name, row }));
    return {
      formed: named.filter(({ row }) => row.normal !== undefined),
      asking: named.filter(({ row }) => row.isView !== true),
      named: named.filter(({ row }) => row.isNamed === true).map(({ name }) => name),
      split: named.filter(({ row }) => row.isSplit === true).map(({ name }) => name),
      views: named.filter(({ name, row }) => row.isView === true && name !== 'cursor'),
    };
  });
}

/**
 * Reads the parameters of an address, each value in its one form.
 *
 * Errors  the reader throws Problem `invalid-parameters`.
 */
export function questionReader<Rows extends Parameters>(rows: Rows): (input: unknown) => Asked<Rows> {
  const found = keptIn(readers, rows, () => {
    const read = parameterReader(Type.Object(propertiesOf(rows)), 'query');
    const { split, named } = sortedRows(rows);
    const isPlain = split.length === 0 && named.length === 0;
    return (input) => normalized(rows, read(isPlain ? input : inFull(rows, input)) as object);
  });
  return found as (input: unknown) => Asked<Rows>;
}

/** What is asked, lists of names one name a value, and `field.NAME=VALUE` as one of the list `field`. */
export function inFull(rows: Parameters, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const { split, named } = sortedRows(rows);
  const names = Object.keys(input);
  if (!names.some((name) => split.includes(name) || (named.length > 0 && name.includes('.')))) return input;
  const given: Values = { ...input };
  for (const name of split) {
    const value = given[name];
    if (typeof value === 'string' || Array.isArray(value))
      given[name] = [value].flat().flatMap((one) => String(one).split(','));
  }
  for (const name of named) {
    for (const key of names.filter((one) => one.startsWith(`${name}.`))) {
      const values = [given[key]].flat().map((value) => `${key.slice(name.length + 1)}=${value}`);
      given[name] = [given[name] ?? [], values].flat();
      delete given[key];
    }
  }
  return given;
}

/** Puts each of `values` into its one form, of lists each value once. Errors  Problem `invalid-parameters`. */
export function normalized<Given extends object>(rows: Parameters, values: Given): Given {
  const forms = values as Values;
  for (const { name, row } of sortedRows(rows).formed) {
    const value = forms[name];
    if (Array.isArray(value) && value.length === 0) continue;
    if (Array.isArray(value)) forms[name] = [...new Set(value.map((one) => formOf(name, row, one)))].sort();
    else if (value !== undefined) forms[name] = formOf(name, row, value);
  }
  return values;
}

function formOf(name: string, { normal, must }: Parameter, value: unknown): string {
  const form = normal!(value as string);
  if (form !== null) return form;
  const said = typeof must === 'function' ? must(value as string) : must;
  const [detail, allowed] = said ?? ['cannot be used', 'another value'];
  // What is allowed is not shown everywhere.
  const example = allowed.startsWith('such as ') ? `, ${allowed}` : '';
  throw parameterProblem(name, `${detail}${example}`, value, allowed);
}

/** Names a question to a route: the same for all ways to ask it, and for all pages of its answer. */
export function questionHash(route: string, rows: Parameters, values: object): string {
  const asked: unknown[] = [route];
  for (const { name, row } of sortedRows(rows).asking) {
    const value = (values as Values)[name];
    if (!isPlain(row, value)) asked.push(name, value);
  }
  return textHash(JSON.stringify(asked));
}

/** Names of the parameters that say how an answer is to be shown: a cursor outlives them. */
export function viewNames(rows: Parameters): string[] {
  return sortedRows(rows).views.map(({ name }) => name);
}

/** Names how an answer is to be shown, from `offset` on. */
export function viewName(rows: Parameters, values: object, offset: number): string {
  let view = '';
  for (const { name, row } of sortedRows(rows).views) {
    const value = (values as Values)[name];
    if (!isPlain(row, value)) view += `-${name}=${value}`;
  }
  return offset === 0 ? view : `${view}-${offset}`;
}
