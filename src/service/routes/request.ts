/** Requests as callers inside akin make them: a route by its name, its parameters by theirs. */
import type { Static, TSchema } from 'typebox';
import { ROUTES } from './table.ts';

export type RouteName = keyof typeof ROUTES;

export type RowOf<Name extends RouteName> = (typeof ROUTES)[Name];

/** What a route answers. */
export type AnswerOf<Name extends RouteName> = RowOf<Name>['answers'] extends infer Schema extends TSchema
  ? Static<Schema>
  : string;

type Value = string | number | boolean | null | undefined | readonly string[];
/** Values that are null, undefined or '' are left out. */
export type Values = Readonly<Record<string, Value>>;

/** Values for the parameters of a route; the service checks them. */
export type Given<Name extends RouteName> = Readonly<Partial<Record<ParametersOf<RowOf<Name>>, Value>>>;
type ParametersOf<Row> = Row extends { query: infer Query; inPath?: infer Path }
  ? keyof Query | keyof NonNullable<Path>
  : never;

export function pathWithQuery(path: string, values: Values = {}): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const one of [value ?? []].flat()) if (one !== '') text.append(name, String(one));
  }
  return text.size === 0 ? path : `${path}?${text}`;
}

/** Method, and path with the values of the parameters. */
export function requestTo<Name extends RouteName>(
  name: Name,
  values: Given<Name>,
): { readonly method: RowOf<RouteName>['method']; readonly url: string } {
  const { method, path } = ROUTES[name];
  const { ...query }: Record<string, Value> = values;
  const url = path.replace(/:(\w+)/g, (_, parameter: string) => {
    // Alone in a path these lead elsewhere, however they are written.
    const value = encodeURIComponent(String(query[parameter])).replace(/^\.\.?$/, '$&%20');
    delete query[parameter];
    return value;
  });
  return { method, url: pathWithQuery(url, query) };
}
