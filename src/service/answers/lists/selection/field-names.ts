import { conditionKindFault, parseCondition } from '../../../../page/fields/field-condition.ts';
import { parameterProblem } from '../../../http/problems/problem.ts';
import type { IndexFacts } from '../../../reads/facts.ts';

/**
 * Errors  Problem `invalid-parameters` for a name that was not declared when the index was built and that no page of it
 *         has: a list of none would hide that it was misspelled. `within` some pages the names of others are not said.
 */
export function requireFields(
  { card }: IndexFacts,
  parameter: string,
  names: readonly string[],
  within?: string,
): void {
  if (names.length === 0) return;
  const known = card.fields.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const shown = within === undefined ? known.slice(0, 100) : [];
  const others = shown.length === 0 ? '' : `; it has ${shown.slice(0, 10).join(', ')}`;
  const detail = `no page of the index has the field ${unknown}, and none was declared${others}`;
  throw parameterProblem(parameter, detail, unknown, shown.length === 0 ? 'another field' : shown);
}

/**
 * Errors  Problem `invalid-parameters` for a condition, NAME=VALUE, that no value of its field can meet, as it was declared; as
 *         `requireFields`.
 */
export function requireConditions(facts: IndexFacts, conditions: readonly string[], within?: string): void {
  const asked = conditions.map((text) => parseCondition(text)!);
  requireFields(
    facts,
    'field',
    asked.map(({ name }) => name),
    within,
  );
  for (const [i, condition] of asked.entries()) {
    const { kind } = facts.card.fields.find(({ name }) => name === condition.name)!;
    const fault = conditionKindFault(condition, kind);
    if (fault !== null)
      throw parameterProblem('field', fault, conditions[i], `a ${kind}, or a range of them`);
  }
}
