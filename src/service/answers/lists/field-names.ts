import { parameterProblem } from '../../http/problems/problem.ts';
import type { IndexFacts } from '../../reads/facts.ts';

/**
 * Errors  Problem `invalid-parameters` for a name that was not declared when the index was built and that no page of it
 *         has: a list of none would hide that it was misspelled.
 */
export function requireFields({ card }: IndexFacts, parameter: string, names: readonly string[]): void {
  if (names.length === 0) return;
  const known = card.fields.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const detail = `no page of the index has the field ${unknown}, and none was declared`;
  throw parameterProblem(parameter, detail, unknown, known.length === 0 ? 'no field' : known.slice(0, 100));
}
