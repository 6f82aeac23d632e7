import { optionFault } from 'akin-web/rooms/errors';
import type { StageContext } from '../record/stage.ts';

/** A number that earlier steps of the job found. Errors  InputError AKIN_ERR_OPTION where it is missing. */
export function numberFound(found: StageContext['found'], name: string): number {
  const value = found[name];
  if (typeof value === 'number') return value;
  throw optionFault(`the stage does not know ${name}`, `--found '{"${name}": 12}'`);
}
