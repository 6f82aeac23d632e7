import { optionFault } from '../../errors.ts';

/**
 * The number of a flag that is no setting: it belongs to one command and has no environment variable.
 *
 * Errors  InputError AKIN_ERR_OPTION.
 */
export function flagNumber(
  flag: string,
  written: string,
  { min, max, whole = false }: { readonly min: number; readonly max: number; readonly whole?: boolean },
): number {
  const value = Number(written);
  const isNumber = written.trim() !== '' && (!whole || Number.isInteger(value));
  if (isNumber && value >= min && value <= max) return value;
  const kind = whole ? 'whole numbers' : 'numbers';
  throw optionFault(`${flag} is "${written}"`, `allowed: ${kind} from ${min} to ${max}`);
}
