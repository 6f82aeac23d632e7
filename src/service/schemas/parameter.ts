/** A parameter of a question: one row says all that HTTP, the command line, the documentation and caches know of it. */
import type { Static, TOptional, TSchema } from 'typebox';
import { Type } from '../../lib/json-schema.ts';

export type Must = readonly [detail: string, allowed: string];

export interface Parameter<Schema extends TSchema = TSchema, Plain = unknown> {
  readonly schema: Schema;
  /** What is asked where it is not given; undefined where that is nothing. */
  readonly plain: Plain;
  readonly isRequired?: boolean;
  /** One form for all ways to write a value, or an item of a list; null where it cannot be used. */
  readonly normal?: (value: string) => string | null;
  /** Where `normal` gives null: what a value must be, and what is allowed, in words. */
  readonly must?: Must | ((value: string) => Must);
  /** Of a list of names: in an address they may stand in one value, with commas between. */
  readonly isSplit?: boolean;
  /** Of a list of NAME=VALUE: in an address each may be a parameter of its own, `field.NAME=VALUE`. */
  readonly isNamed?: boolean;
  /** Says how an answer is shown, not what it holds: a cursor outlives it. */
  readonly isView?: boolean;
  /** On the command line: what stands behind `--name`, and what help says. */
  readonly flag?: readonly [placeholder: string, help: string];
}

export type Parameters = Readonly<Record<string, Parameter>>;

type Plainless<Rows extends Parameters> = {
  [Name in keyof Rows]: undefined extends Rows[Name]['plain'] ? Name : never;
}[keyof Rows];

/** The values of parameters, defaults filled in. */
export type Asked<Rows extends Parameters> = {
  readonly [Name in Exclude<keyof Rows, Plainless<Rows>>]: Readonly<Static<Rows[Name]['schema']>>;
} & { readonly [Name in Plainless<Rows>]?: Readonly<Static<Rows[Name]['schema']>> };

/** A row whose parameter must be given. */
export function required<Schema extends TSchema, More extends object>(schema: Schema, more = {} as More) {
  return { schema, plain: null, isRequired: true, ...more };
}

/** A row whose parameter asks `plain` where it is not given. */
export function withDefault<Schema extends TSchema, More extends object>(
  plain: Static<Schema>,
  schema: Schema,
  more = {} as More,
) {
  return { schema: { ...schema, default: plain }, plain, ...more };
}

/** A row whose parameter asks nothing where it is not given. */
export function optional<Schema extends TSchema, More extends object>(schema: Schema, more = {} as More) {
  return { schema, plain: undefined, ...more };
}

type Properties<Rows extends Parameters> = { [Name in keyof Rows]: TOptional<Rows[Name]['schema']> };

/** The properties of a schema for parameters. */
export function propertiesOf<Rows extends Parameters>(rows: Rows): Properties<Rows> {
  const properties = Object.entries(rows).map(([name, { schema, isRequired }]) => [
    name,
    isRequired === true ? schema : Type.Optional(schema),
  ]);
  return Object.fromEntries(properties);
}

/** What parameters ask where none is given. */
export function plainOf<Rows extends Parameters>(rows: Rows): Asked<Rows> {
  const given = Object.entries(rows).filter(([, { plain }]) => plain !== undefined);
  return Object.fromEntries(given.map(([name, { plain }]) => [name, plain])) as Asked<Rows>;
}

/** Whether a value asks what is asked without it. */
export function isPlain({ plain }: Parameter, value: unknown): boolean {
  return value === plain || (Array.isArray(value) && value.length === 0);
}
