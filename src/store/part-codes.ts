/**
 * What stands for a part in `feature`, which has it in two places of each row: the place of one of PARTS among them, a digit,
 * or the name of a group of features of one's own, which begins with a letter.
 */
import { PARTS } from '../features/parts.ts';

const CODES: ReadonlyMap<string, string> = new Map(PARTS.map((part, code) => [part, String(code)]));

export function partCode(part: string): string {
  return CODES.get(part) ?? part;
}

/** The part that a column of codes stands for, in SQL. */
export const PART_SQL = `CASE part ${PARTS.map((part) => `WHEN '${partCode(part)}' THEN '${part}'`).join(' ')} ELSE part END`;
