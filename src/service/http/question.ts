/** Reads what is asked by parameters, and names it. */
import { Type } from 'typebox';
import { type Asked, isPlain, type Parameters, propertiesOf } from '../schemas/parameter.ts';
import { parameterReader } from './parameter-reader.ts';
import { parameterProblem } from './problem.ts';
import { textHash } from './request-key.ts';

/**
 * Reads the parameters of an address, each value in its one form.
 *
 * Errors  the reader throws Problem `invalid-parameters`.
 */
export function questionReader<Rows extends Parameters>(rows: Rows): (input: unknown) => Asked<Rows> {
  const read = parameterReader(Type.Object(propertiesOf(rows)), 'query');
  return (input) => normalized(rows, read(input)) as Asked<Rows>;
}

/** `values` with each in its one form, of lists each value once. Errors  Problem `invalid-parameters`. */
export function normalized<Values extends object>(rows: Parameters, values: Values): Values {
  const forms = { ...values } as Record<string, unknown>;
  for (const [name, { normal, must }] of Object.entries(rows)) {
    const value = forms[name];
    if (normal === undefined || value === undefined) continue;
    const formOf = (one: unknown): string => {
      const form = normal(one as string);
      const [detail, allowed] = must ?? ['cannot be used', 'another value'];
      if (form === null) throw parameterProblem(name, detail, one, allowed);
      return form;
    };
    forms[name] = Array.isArray(value) ? [...new Set(value.map(formOf))].sort() : formOf(value);
  }
  return forms as Values;
}

/** Names a question to a route: the same for all ways to ask it, and for all pages of its answer. */
export function questionHash(route: string, rows: Parameters, values: object): string {
  const given = values as Readonly<Record<string, unknown>>;
  const asked: unknown[] = [route];
  for (const [name, row] of Object.entries(rows)) {
    const value = given[name];
    if (row.isView !== true && !isPlain(row, value)) asked.push(name, value);
  }
  return textHash(JSON.stringify(asked));
}

/** Names how an answer is to be shown, from `offset` on. */
export function viewName(rows: Parameters, values: object, offset: number): string {
  const given = values as Readonly<Record<string, unknown>>;
  let name = '';
  for (const [parameter, row] of Object.entries(rows)) {
    if (row.isView !== true || parameter === 'cursor' || isPlain(row, given[parameter])) continue;
    name += `-${parameter}=${given[parameter]}`;
  }
  return offset === 0 ? name : `${name}-${offset}`;
}
