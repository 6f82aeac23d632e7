/** What a program gives is looked at before it is used: its types say what is right, and not every program is checked by them. */
import { optionFault } from '../errors.ts';

/** Errors  InputError AKIN_ERR_OPTION. */
export function requireArray(name: string, value: unknown): void {
  if (Array.isArray(value)) return;
  throw optionFault(`${name} is no array`, 'give an array, of one where there is one');
}

/** Errors  InputError AKIN_ERR_OPTION. */
export function requirePath(name: string, value: unknown): void {
  if (typeof value === 'string' && value !== '') return;
  throw optionFault(`${name} is no path`, 'give a path as a text');
}

/** Of records, at once or as they come. Errors  InputError AKIN_ERR_OPTION. */
export function requireIterable(name: string, value: unknown, hint: string): void {
  const given = Object(value ?? {}) as Partial<Iterable<unknown> & AsyncIterable<unknown>>;
  const isIterable = given[Symbol.iterator] !== undefined || given[Symbol.asyncIterator] !== undefined;
  if (isIterable && typeof value !== 'string') return;
  throw optionFault(`${name} is neither an array nor another iterable`, hint);
}
