import { isPlain, type Parameter } from '../schemas/parameter.ts';
import { parameterProblem } from './problem.ts';

/** A value in the one form for all ways to write it, of a list each once. Errors  Problem `invalid-parameters`. */
export function normalValue(name: string, { normal, must }: Parameter, value: unknown): unknown {
  if (normal === undefined || value === undefined) return value;
  const [detail, allowed] = must ?? ['cannot be used', 'another'];
  const normalized = [value].flat().map((one) => {
    const form = normal(one as string);
    if (form === null) throw parameterProblem(name, detail, one, allowed);
    return form;
  });
  return Array.isArray(value) ? [...new Set(normalized)].sort() : normalized[0];
}

/** Names what the parameters ask for, views left out; '' where that is nothing. Errors  as `normalValue`. */
export function questionKey(rows: Readonly<Record<string, Parameter>>, values: object): string {
  const given = values as Readonly<Record<string, unknown>>;
  const asked = Object.entries(rows)
    .filter(([name, row]) => row.isView !== true && !isPlain(row, given[name]))
    .map(([name, row]) => [name, normalValue(name, row, given[name])]);
  return asked.length === 0 ? '' : JSON.stringify(asked);
}
